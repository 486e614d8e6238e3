import { MultiBar, Presets } from 'cli-progress'
import type { CliContext } from './cli-context.ts'

type ProgressOptions = {
  tellsSteps: boolean
  /** Number of tasks, for a bar over all of them; default: no such bar. */
  total?: number
}

/**
 * Progress bars on a terminal; otherwise a line on standard output per finished task, and per step
 * with `tellsSteps`.
 */
export function createProgress(context: CliContext, { tellsSteps, total = 1 }: ProgressOptions): Progress {
  const { barStream, isTerminal, writeOut, now } = context
  // Bars must not hide a result that a program reads.
  if (barStream !== null)
    return createBars({
      stream: barStream,
      writeOut: isTerminal ? null : writeOut,
      total,
      nowMs: () => now().getTime(),
    })
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

type BarOptions = {
  stream: NodeJS.WritableStream
  /** Receives finished tasks; `null` for lines above the bars. */
  writeOut: ((text: string) => void) | null
  total: number
  nowMs: () => number
}

/** A bar per running task, after a bar over all tasks if there are several. */
function createBars({ stream, writeOut, total, nowMs }: BarOptions): Progress {
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
  const whole = total > 1 ? bars.create(total, 0, { name: `0 of ${total}`.padEnd(NAME_COLUMNS), doing: '' }) : null
  const startedMs = nowMs()
  let ended = 0
  return {
    begin(name) {
      const cut = name.length > NAME_COLUMNS ? `…${name.slice(1 - NAME_COLUMNS)}` : name
      const bar = bars.create(1, 0, { name: cut.padEnd(NAME_COLUMNS), doing: 'waiting' })
      return {
        update: (fraction, doing) => bar.update(fraction, { doing }),
        end(line) {
          bars.remove(bar)
          ended += 1
          const doing = describeEnd({ ended, total, startedMs, nowMs: nowMs() })
          whole?.update(ended, { name: `${ended} of ${total}`.padEnd(NAME_COLUMNS), doing })
          if (writeOut === null) bars.log(fold(line, stream))
          else writeOut(`${line}\n`)
          bars.update()
        },
      }
    },
    close: () => bars.stop(),
  }
}

/** Tasks to wait for before the time of the rest is estimated from them. */
const MIN_ENDED = 3

type Ended = { ended: number; total: number; startedMs: number; nowMs: number }

/**
 * Remaining time and time of the end on this machine's clock, if the rest takes as long as before.
 * Empty for the first tasks, and at the end.
 */
export function describeEnd({ ended, total, startedMs, nowMs }: Ended): string {
  if (ended < MIN_ENDED || ended >= total) return ''
  const leftMs = ((nowMs - startedMs) / ended) * (total - ended)
  const seconds = Math.ceil(leftMs / 1000)
  const minutes = Math.ceil(seconds / 60)
  const left = seconds < 90 ? `${seconds} s` : minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
  const end = new Date(nowMs + leftMs).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return `about ${left} left, until ${end}`
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
