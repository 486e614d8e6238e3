/**
 * Preloaded into the service where a test cannot wait as long as the service does. The clock runs
 * 120 times as fast, and intervals fire 40 times as often. When the file `$QUICK_CLOCK_KILL`
 * exists, the process kills itself after committing a deletion.
 */
import { subscribe } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'

const started = Date.now()
const SystemDate = Date
const quickNow = () => started + 120 * (SystemDate.now() - started)

globalThis.Date = class extends SystemDate {
  constructor(...parts) {
    if (parts.length === 0) super(quickNow())
    else super(...parts)
  }

  static now() {
    return quickNow()
  }
}

const { setInterval: systemInterval } = globalThis
globalThis.setInterval = (work, ms, ...rest) => systemInterval(work, Math.max(100, ms / 40), ...rest)

const fatal = process.env['QUICK_CLOCK_KILL']
if (fatal !== undefined)
  subscribe('recollect:deletion:committed', () => {
    if (existsSync(fatal)) process.kill(process.pid, 'SIGKILL')
  })
