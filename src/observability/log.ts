/** The log of the service: JSON lines on standard output, readable lines on a terminal, and never a secret in either. */
import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import { createScrubber } from './scrub.ts'

/** What the parts of the service log with: facts first, then one plain sentence. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** From the most talkative to none at all. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** How a log is made. */
export type LogOptions = {
  level: LogLevel
  /** Values that must never be written, beside the keys of our own format: the bootstrap key, provider keys. */
  secrets: readonly string[]
  /** True where a person reads along: coloured lines instead of JSON. */
  pretty: boolean
  /** Where the lines go; standard output when absent. */
  destination?: DestinationStream
  /** Facts that stand in every line, asked for as it is written; a fact of the line itself comes before them. */
  facts?: () => Readonly<Record<string, string>>
}

/**
 * A pino logger whose every line is scrubbed after it was made, so that no depth of nesting, error text or stack can carry
 * a secret out. Writes synchronously: the last line before an exit is not lost. A line that cannot be written is, or the rest of it.
 */
export function createLog({ level, secrets, pretty, destination, facts }: LogOptions): Logger {
  const scrub = createScrubber(secrets)
  const target = destination ?? toStandardOutput()
  const format = pretty ? createPrettyFormat() : null
  return pino(
    {
      level,
      base: null,
      ...(facts === undefined ? {} : { mixin: () => ({ ...facts() }) }),
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.err, error: stdSerializers.err },
    },
    {
      write(line: string): void {
        const clean = scrub(line)
        target.write(format === null ? clean : (format(clean) ?? clean))
      },
    },
  )
}

/** Loaded where a person reads along alone: it is a twentieth of what a start loads. */
function createPrettyFormat() {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  return prettyFactory({ colorize: true, translateTime: 'SYS:HH:MM:ss.l' })
}

/** A log on a disk that is full is no reason to end: the line is lost, and the next one is tried anew. */
function toStandardOutput(): DestinationStream {
  const open = () => {
    const opened = pino.destination({ dest: 1, sync: true })
    // One that failed keeps what it could not write, and all that comes after it.
    opened.on('error', () => {
      output = open()
    })
    return opened
  }
  let output = open()
  return { write: (line) => void output.write(line) }
}
