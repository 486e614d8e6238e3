import type { Surroundings } from '../surroundings.ts'
import { createBars } from './bars.ts'
import type { Progress } from './progress.ts'

/** Bars on a terminal; else a line on standard output for each end, and with `tellsSteps` for each step before. */
export function createProgress(surroundings: Surroundings, { tellsSteps }: { tellsSteps: boolean }): Progress {
  const { barStream, isTerminal, writeOut } = surroundings
  // A result that is read by a program must not be lost between bars.
  if (barStream !== null) return createBars(barStream, isTerminal ? null : writeOut)
  return createLines(writeOut, tellsSteps)
}

function createLines(writeOut: (text: string) => void, tellsSteps: boolean): Progress {
  return {
    begin(name) {
      let last = ''
      return {
        update(fraction, doing) {
          const line = `${name}  ${Math.floor(100 * fraction)}% ${doing}\n`
          if (tellsSteps && line !== last) writeOut(line)
          last = line
        },
        end: (line) => writeOut(`${line}\n`),
      }
    },
    close: () => undefined,
  }
}
