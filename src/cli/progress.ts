import { MultiBar, Presets } from 'cli-progress'
import type { Surroundings } from './surroundings.ts'

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

/** Columns of a name; longer ones are cut at their beginning, where paths are least telling. */
const NAME_COLUMNS = 32

/** A bar for each task under way, the ends as lines above them; where `writeOut` is given, the lines go there instead. */
function createBars(stream: NodeJS.WritableStream, writeOut: ((text: string) => void) | null): Progress {
  const bars = new MultiBar(
    {
      stream,
      format: '{name} {bar} {percentage}% {doing}',
      barsize: 24,
      hideCursor: true,
      linewrap: false,
      clearOnComplete: true,
      autopadding: true,
      // Its own would end the process at ^C before what runs is told.
      gracefulExit: false,
    },
    Presets.shades_classic,
  )
  return {
    begin(name) {
      const cut = name.length > NAME_COLUMNS ? `…${name.slice(1 - NAME_COLUMNS)}` : name
      const bar = bars.create(1, 0, { name: cut.padEnd(NAME_COLUMNS), doing: 'waiting' })
      return {
        update: (fraction, doing) => bar.update(fraction, { doing }),
        end(line) {
          bars.remove(bar)
          if (writeOut === null) bars.log(fold(line, stream))
          else writeOut(`${line}\n`)
          bars.update()
        },
      }
    },
    close: () => bars.stop(),
  }
}

/** The line in as many as the terminal needs: while bars are drawn, it wraps none by itself. */
function fold(line: string, stream: NodeJS.WritableStream & { columns?: number }): string {
  const columns = stream.columns || Number.POSITIVE_INFINITY
  const pieces: string[] = []
  for (let rest = line; rest !== ''; rest = rest.slice(columns)) pieces.push(rest.slice(0, columns))
  return `${pieces.join('\n')}\n`
}

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

/** No progress at all, for results that are JSON. */
export const SILENT: Progress = {
  begin: () => ({ update: () => undefined, end: () => undefined }),
  close: () => undefined,
}
