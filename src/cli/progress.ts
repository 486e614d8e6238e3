import { MultiBar, Presets } from 'cli-progress'
import type { CliContext } from './cli-context.ts'

/**
 * Progress bars on a terminal; otherwise a line on standard output per finished task, and per step
 * with `printsSteps`.
 */
export function createProgress(context: CliContext, { tellsSteps }: { tellsSteps: boolean }): Progress {
  const { barStream, isTerminal, writeOut } = context
  // Bars must not hide a result that a program reads.
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

/** Columns for a name; longer names lose their beginning, which for paths says least. */
const NAME_COLUMNS = 32

/**
 * A bar per running task, with finished tasks as lines above the bars, or in `writeOut` if given.
 */
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
      // The library's handler would exit at ^C before running work is cancelled.
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

/** Wraps a line for the terminal, which does not wrap while bars are drawn. */
function fold(line: string, stream: NodeJS.WritableStream & { columns?: number }): string {
  const columns = stream.columns || Number.POSITIVE_INFINITY
  const pieces: string[] = []
  for (let rest = line; rest !== ''; rest = rest.slice(columns)) pieces.push(rest.slice(0, columns))
  return `${pieces.join('\n')}\n`
}

/** A running task. */
export type Task = {
  /** Progress from 0 to 1, and the current activity. */
  update(fraction: number, doing: string): void
  /** Ends the task with a final line. */
  end(line: string): void
}

/** Display of running tasks. */
export type Progress = {
  begin(name: string): Task
  /** Clears the remaining bars. */
  close(): void
}

/** No display, for JSON results. */
export const SILENT: Progress = {
  begin: () => ({ update: () => undefined, end: () => undefined }),
  close: () => undefined,
}
