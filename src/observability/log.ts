import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'

/**
 * The log of the service: JSON lines on standard output, readable lines on a terminal, secrets in
 * neither.
 */
/** The logger of the service's parts: facts first, then one plain sentence. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** From the most verbose level to silence. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Options of {@link createLog}. */
export type LogOptions = {
  level: LogLevel
  /** Values to hide in addition to our own key format: the bootstrap key, provider keys. */
  secrets: readonly string[]
  /** True for a terminal: coloured lines instead of JSON. */
  pretty: boolean
  /**
   * True to show requests on a terminal, a line each. By default they would push the first key out
   * of sight. JSON always has them.
   */
  showsRequests?: boolean
  /** Destination of the lines. Default: standard output. */
  destination?: DestinationStream
  /** Facts added to every line at the time of writing. Facts of the line itself take precedence. */
  facts?: () => Readonly<Record<string, string>>
}

/**
 * A pino logger that scrubs every finished line, so that no nesting, error text or stack can leak a
 * secret. Writes synchronously, so that the last line before an exit is not lost. A line that
 * cannot be written is lost, or its rest.
 */
export function createLog({ level, secrets, pretty, destination, ...options }: LogOptions): Logger {
  const { facts, showsRequests = false } = options
  const scrub = createScrubber(secrets)
  const target = destination ?? toStandardOutput()
  const format = pretty ? createPrettyFormat(showsRequests) : null
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

/** A line of an answered request, as `src/http/server.ts` writes it. */
const IS_REQUEST = /"msg":"request"}?$/m

/** Loaded only for a terminal: the module is a twentieth of all that a start loads. */
function createPrettyFormat(showsRequests: boolean): (line: string) => string | undefined {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  const look = { colorize: true, translateTime: 'SYS:HH:MM:ss.l' }
  const format = prettyFactory(look)
  const messageFormat = '{method} {route} {status} {ms} ms {requestId}'
  const formatRequest = prettyFactory({ ...look, messageFormat, hideObject: true })
  return (line) => {
    if (!IS_REQUEST.test(line)) return format(line)
    return showsRequests ? formatRequest(line) : ''
  }
}

/** A full disk must not end the process: the line is lost, and the next one is tried again. */
function toStandardOutput(): DestinationStream {
  const open = () => {
    const opened = pino.destination({ dest: 1, sync: true })
    // After an error, the stream would buffer the failed line and all later ones.
    opened.on('error', () => {
      output = open()
    })
    return opened
  }
  let output = open()
  return { write: (line) => void output.write(line) }
}

/** Scrubbing of secrets in log lines. */
const HIDDEN = '[hidden]'

/**
 * Our keys (contract, "Keys and scopes": `rcl_` and 46 characters). Matches from 20 characters on,
 * so that a key with some characters lost or doubled is hidden as well. The preview `rcl_ab12…wxyz`
 * stays readable.
 */
const OUR_KEY = /rcl_[0-9A-Za-z]{20,}/g

/** Webhook secrets (Standard Webhooks: `whsec_` and the base64 of 24 to 64 bytes). */
const WEBHOOK_SECRET = /whsec_[0-9A-Za-z+/=_-]{16,}/g

/** `Bearer` and the token after it, anywhere. */
const BEARER = /\b(Bearer)(?:\s|%20)+[^\s"'\\,}\]]+/gi

/**
 * Values of credential headers, also in JSON inside a string (`\"x-api-key\":\"…\"`). The search in
 * a list of values is limited to 1,024 characters; without a limit, a hostile line would take
 * seconds.
 */
const HEADER = new RegExp(
  String.raw`((?<!\\)(\\*")(?:proxy-)?(?:authorization|x-api-key|cookie|set-cookie)\2\s*:\s*)` +
    String.raw`(?:\2(?:\\.|[^"\\])*\2|\[[^\]]{0,1024}\])`,
  'gi',
)

/** The same headers as neighbours in an array, as in Node's `rawHeaders`. */
const RAW_HEADER = /("(?:authorization|x-api-key)"\s*,\s*)"(?:\\.|[^"\\])*"/gi

/**
 * Creates a function that hides secrets in a JSON line. Secrets are keys and webhook secrets of our
 * format, bearer tokens, credential headers at any depth, and the given values, plain and
 * JSON-escaped. Secrets under 8 characters are ignored: hiding them would hide ordinary words.
 */
export function createScrubber(secrets: readonly string[]): (line: string) => string {
  const known = [...new Set(secrets.filter((secret) => secret.length >= 8).flatMap(encodedForms))]
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

/** A secret as plain text, inside a JSON string, and inside JSON in a JSON string. */
function encodedForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret.toWellFormed())]
}

/** Facts that identify work in the log: `requestId` or `jobId`. */
type WorkFacts = Readonly<Record<string, string>>

/** Tracks which request or job a line of code runs for, across awaits. */
export type WorkContext = {
  /** Runs the work, and everything it calls and awaits, with these facts. */
  within<Result>(facts: WorkFacts, work: () => Result): Result
  /** Facts of the current work; empty outside of any. */
  facts(): WorkFacts
}

/** Creates a separate context, so that two services in one process do not share facts. */
export function createWorkContext(): WorkContext {
  const storage = new AsyncLocalStorage<WorkFacts>()
  return {
    within: (facts, work) => storage.run(facts, work),
    facts: () => storage.getStore() ?? {},
  }
}
