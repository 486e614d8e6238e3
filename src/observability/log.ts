import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'

/** The log of the service: JSON lines on standard output, readable lines on a terminal, and never a secret in either. */
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

/** Takes the secrets out of a line of log. */
const HIDDEN = '[hidden]'

/**
 * Our keys (contract, "Keys and scopes": `rcl_` and 46 characters). From 20 on, so that a key with a few characters
 * lost or doubled is hidden as well; the preview `rcl_ab12…wxyz` stays readable.
 */
const OUR_KEY = /rcl_[0-9A-Za-z]{20,}/g

/** Secrets of webhooks (Standard Webhooks: `whsec_` and the base64 of 24 to 64 bytes). */
const WEBHOOK_SECRET = /whsec_[0-9A-Za-z+/=_-]{16,}/g

/** `Bearer` and what follows it, wherever it stands. */
const BEARER = /\b(Bearer)(?:\s|%20)+[^\s"'\\,}\]]+/gi

/**
 * Values of the headers that carry credentials, also inside JSON that was put into a string (`\"x-api-key\":\"…\"`).
 * A list of values is looked through for 1,024 characters only: without an end, a hostile line would take seconds.
 */
const HEADER =
  /((?<!\\)(\\*")(?:proxy-)?(?:authorization|x-api-key|cookie|set-cookie)\2\s*:\s*)(?:\2(?:\\.|[^"\\])*\2|\[[^\]]{0,1024}\])/gi

/** The same headers as neighbours in an array, as Node's `rawHeaders` has them. */
const RAW_HEADER = /("(?:authorization|x-api-key)"\s*,\s*)"(?:\\.|[^"\\])*"/gi

/**
 * A function that hides in a line of JSON: keys and webhook secrets of our format, bearer tokens, credential headers at any depth, and the
 * given secrets as they are and as JSON escapes them. Secrets under 8 characters are left alone: hiding them would
 * hide ordinary words.
 */
export function createScrubber(secrets: readonly string[]): (line: string) => string {
  const known = [...new Set(secrets.filter((secret) => secret.length >= 8).flatMap(writtenForms))]
  known.sort((a, b) => b.length - a.length)
  return (line) => {
    let clean = line
    for (const secret of known) clean = clean.replaceAll(secret, HIDDEN)
    return clean
      .replace(HEADER, `$1$2${HIDDEN}$2`)
      .replace(RAW_HEADER, `$1"${HIDDEN}"`)
      .replace(BEARER, `$1 ${HIDDEN}`)
      .replace(OUR_KEY, HIDDEN)
      .replace(WEBHOOK_SECRET, HIDDEN)
  }
}

/** A secret as text, inside a JSON string, and inside JSON inside a JSON string. */
function writtenForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret.toWellFormed())]
}

/** What names a piece of work in the log: `requestId` or `jobId`. */
export type WorkFacts = Readonly<Record<string, string>>

/** Knows for what a line of code is run, however many awaits it is away from where that began. */
export type WorkContext = {
  /** Runs the work, and all that it calls and awaits, under these facts. */
  within<Result>(facts: WorkFacts, work: () => Result): Result
  /** The facts of the work that runs; none outside of all. */
  facts(): WorkFacts
}

/** A context of its own: two services in one process do not see each other's. */
export function createWorkContext(): WorkContext {
  const storage = new AsyncLocalStorage<WorkFacts>()
  return {
    within: (facts, work) => storage.run(facts, work),
    facts: () => storage.getStore() ?? {},
  }
}
