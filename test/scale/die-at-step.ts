/**
 * Preloaded into the service (`--import=…/die-at-step.ts?step=add:committed&times=2&afterMs=0`):
 * kills the process like `kill -9` at the given occurrence of a step, or some time later. Counting
 * begins with SIGUSR2, answered with `armed`, or at the start with `&atOnce`. `&say=…` lists steps
 * to report on standard error.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'

const { searchParams } = new URL(import.meta.url)
const step = searchParams.get('step')
const afterMs = Number(searchParams.get('afterMs') ?? 0)
const say = searchParams.get('say')?.split(',') ?? []
let isArmed = searchParams.has('atOnce')
let left = Number(searchParams.get('times') ?? 1)

process.on('SIGUSR2', () => {
  isArmed = true
  writeSync(2, '\narmed\n')
})

function die(): void {
  writeSync(2, `\ndied at ${step}\n`)
  process.kill(process.pid, 'SIGKILL')
}

if (step !== null) {
  subscribe(`recollect:${step}`, () => {
    if (!isArmed) return
    left -= 1
    if (left !== 0) return
    if (afterMs === 0) die()
    else setTimeout(die, afterMs)
  })
}

for (const name of say) subscribe(`recollect:${name}`, () => void writeSync(2, `\nreached ${name}\n`))
