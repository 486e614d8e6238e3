import type { Surroundings } from '../surroundings.ts'
import { createBars } from './bars.ts'

/** Something under way. */
export type Task = {
  /** How far it is, from 0 to 1, and what it does. */
  update(fraction: number, doing: string): void
  /** It has ended, and this line says how. */
  end(line: string): void
}

/** Shows what is under way. */
export type Progress = {
  begin(name: string): Task
  /** Takes away what is still drawn. */
  close(): void
}

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

/** No progress at all, for results that are JSON. */
export const SILENT: Progress = {
  begin: () => ({ update: () => undefined, end: () => undefined }),
  close: () => undefined,
}
