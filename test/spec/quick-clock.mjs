/**
 * Loaded before the product, where a test may not wait as long as the product does: the time of day runs a hundred and twenty times as fast, and what comes round comes
 * forty times as often. With a file `$QUICK_CLOCK_KILL` there, the process ends when a deletion is committed.
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
