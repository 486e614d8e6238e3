import { BlockList, isIP } from 'node:net'
import { type ModelAccess, type ModelSetting, missingAccess } from './config/model-settings.ts'
import { type ObjectStore, objectStoreProblems, toObjectStore } from './config/object-store.ts'
import { type AllowedPrivate, parseOtlpHeaders } from './config/parsers.ts'
import type { Parsed } from './config/setting.ts'
import { SETTINGS, type SettingName } from './config/settings.ts'
import type { PlanId } from './limits.ts'
import type { LogLevel } from './observability/log.ts'

/**
 * Reads the settings once, at the start. Nothing but `main.ts`, `compose.ts` and the command line reads them;
 * everything else is handed the values it needs.
 */
/** Whose language models, and models that see, can be named. */
type ChatProvider = 'openai' | 'anthropic' | 'google' | 'openai-compatible'

/** The settings in the slices they are handed on in; frozen. */
export type Config = {
  readonly http: {
    readonly host: string
    /** 0: a free one. */
    readonly port: number
    readonly auth: 'on' | 'off'
    /** 0: no limit. */
    readonly rateLimitPerMinute: number
    readonly areMetricsPublic: boolean
  }
  /** PostgreSQL; `null`: SQLite in the data folder. */
  readonly database: { readonly url: string; readonly maxConnections: number } | null
  /** Absolute. */
  readonly dataDir: string
  /** The S3 store of objects and memory files; `null`: both lie in the data folder. */
  readonly objectStore: ObjectStore | null
  /** The organization as the start makes or finds it; the key is used on an empty data folder only. */
  readonly organization: {
    readonly plan: PlanId
    readonly bootstrapKey: string | null
    readonly adminKey: string | null
  }
  readonly role: 'all' | 'api' | 'worker'
  /** True where other processes may share database and object store: both can be reached from other machines. */
  readonly hasPeers: boolean
  /** How long a process that is to stop goes on answering. */
  readonly drainMs: number
  readonly search: {
    readonly embedder: 'embedded' | ModelSetting<'openai' | 'onnx'>
    readonly reranker: 'embedded' | 'off' | ModelSetting<'openai-compatible' | 'onnx'>
  }
  /** The language model, `null` for none, and where all models are reached. */
  readonly models: { readonly chat: ModelSetting<ChatProvider> | null; readonly access: ModelAccess }
  /** What reads the text in pictures, and the languages it reads where a request names none. */
  readonly recognition: {
    readonly engine: 'embedded' | ModelSetting<ChatProvider>
    readonly languages: readonly string[]
  }
  /** Where documents may be downloaded from although it is private. */
  readonly urls: { readonly allowPrivate: readonly AllowedPrivate[] }
  readonly log: { readonly level: LogLevel; readonly secrets: readonly string[] }
  /** Where traces are sent; `null`: there are none. */
  readonly tracing: {
    readonly endpoint: string
    readonly headers: Readonly<Record<string, string>>
    readonly serviceName: string
  } | null
}

/** Longer than the 2 s at which load balancers ask at the shortest, twice; with all that follows within the 30 s that Kubernetes grants. */
const PEERS_DRAIN_SECONDS = 5

/** The exit status for a wrong configuration: `EX_CONFIG` of BSD's sysexits.h. */
export const CONFIG_EXIT_STATUS = 78

/** The settings are not usable; `problems` has one sentence for each that is wrong, `message` all of them in lines. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(['The settings are not usable:', ...problems.map((problem) => `  - ${problem}`)].join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>
type ValueOf<Result> = Result extends { value: infer Value } ? Value : never
type Values = { [Name in SettingName]: ValueOf<ReturnType<(typeof SETTINGS)[Name]['parse']>> }

/**
 * The configuration of an environment. A value that is empty counts as absent. Throws {@link ConfigError}, naming
 * everything that is wrong at once: wrong values, unknown `RECOLLECT_` names, settings that do not go together.
 */
export function readConfig(environment: Environment): Config {
  const problems = unknownNames(environment)
  const values: Partial<Record<SettingName, unknown>> = {}
  const wrong: SettingName[] = []
  for (const [name, setting] of entries()) {
    const parsed: Parsed<unknown> = setting.parse(environment[name] || (setting.default ?? ''))
    if ('value' in parsed) {
      values[name] = parsed.value
      continue
    }
    problems.push(`${name} ${parsed.problem}.`)
    wrong.push(name)
    // So that the others can be held against each other all the same.
    const absent: Parsed<unknown> = setting.parse(setting.default ?? '')
    if ('value' in absent) values[name] = absent.value
  }
  // Every name of the table has been parsed by its own parser.
  const config = toConfig(values as Values, environment)
  problems.push(...disagreements(config, values as Values).filter((sentence) => !namesOneOf(wrong, sentence)))
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function disagreements(config: Config, values: Values): string[] {
  return [...missingKeys(config), ...openDoor(config), ...lonelyRole(config), ...objectStoreProblems(values)]
}

/** True for a sentence about one of these settings: of one that is wrong nobody knows what it is to go together with. */
function namesOneOf(names: readonly SettingName[], sentence: string): boolean {
  const words = sentence.split(/[^A-Z0-9_]+/)
  return names.some((name) => words.includes(name))
}

function missingKeys({ models, search, recognition }: Config): string[] {
  const named = {
    RECOLLECT_LLM: models.chat,
    RECOLLECT_EMBEDDER: search.embedder,
    RECOLLECT_RERANKER: search.reranker,
    RECOLLECT_OCR_ENGINE: recognition.engine,
  }
  return Object.entries(named).flatMap(([name, model]) => {
    if (model === null || typeof model === 'string') return []
    return missingAccess(name, model, models.access) ?? []
  })
}

function openDoor({ http: { auth, host } }: Config): string[] {
  if (auth === 'on' || isLoopback(host)) return []
  return [
    `RECOLLECT_AUTH=off needs a loopback RECOLLECT_HOST, such as 127.0.0.1: without keys, ${host} would let in everyone who reaches it.`,
  ]
}

function lonelyRole({ role, hasPeers }: Config): string[] {
  if (role === 'all' || hasPeers) return []
  return [
    `RECOLLECT_ROLE=${role} needs RECOLLECT_DATABASE_URL and RECOLLECT_OBJECT_STORE_URL: what is kept on one machine alone, processes cannot share.`,
  ]
}

function toConfig(values: Values, environment: Environment): Config {
  const portIsSet = Boolean(environment['RECOLLECT_PORT'])
  const { RECOLLECT_DATABASE_URL: url, RECOLLECT_DRAIN_SECONDS: drainSeconds } = values
  const hasPeers = url !== null && values.RECOLLECT_OBJECT_STORE_URL !== null
  return Object.freeze({
    http: Object.freeze({
      host: values.RECOLLECT_HOST,
      port: portIsSet ? values.RECOLLECT_PORT : (values.PORT ?? values.RECOLLECT_PORT),
      auth: values.RECOLLECT_AUTH,
      rateLimitPerMinute: values.RECOLLECT_RATE_LIMIT_PER_MINUTE,
      areMetricsPublic: values.RECOLLECT_METRICS_PUBLIC === 'true',
    }),
    database: url === null ? null : Object.freeze({ url, maxConnections: values.RECOLLECT_DATABASE_CONNECTIONS }),
    dataDir: values.RECOLLECT_DATA_DIR,
    objectStore: toObjectStore(values),
    organization: Object.freeze({
      plan: values.RECOLLECT_PLAN,
      bootstrapKey: values.RECOLLECT_BOOTSTRAP_KEY,
      adminKey: values.RECOLLECT_ADMIN_KEY,
    }),
    role: values.RECOLLECT_ROLE,
    hasPeers,
    drainMs: 1000 * (drainSeconds ?? (hasPeers ? PEERS_DRAIN_SECONDS : 0)),
    search: Object.freeze({ embedder: values.RECOLLECT_EMBEDDER, reranker: values.RECOLLECT_RERANKER }),
    models: Object.freeze({ chat: values.RECOLLECT_LLM, access: toAccess(values) }),
    recognition: Object.freeze({
      engine: values.RECOLLECT_OCR_ENGINE,
      languages: Object.freeze(values.RECOLLECT_OCR_LANGUAGES),
    }),
    urls: Object.freeze({ allowPrivate: Object.freeze(values.RECOLLECT_URL_ALLOW_PRIVATE) }),
    tracing: toTracing(values),
    log: Object.freeze({ level: values.RECOLLECT_LOG_LEVEL, secrets: Object.freeze(secretValues(environment)) }),
  })
}

function toTracing(values: Values): Config['tracing'] {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === null) return null
  const headers = Object.freeze(parseOtlpHeaders(values.OTEL_EXPORTER_OTLP_HEADERS ?? ''))
  return Object.freeze({ endpoint, headers, serviceName: values.OTEL_SERVICE_NAME })
}

function toAccess(values: Values): ModelAccess {
  return Object.freeze({
    openai: Object.freeze({ baseUrl: values.OPENAI_BASE_URL, apiKey: values.OPENAI_API_KEY }),
    anthropic: Object.freeze({ apiKey: values.ANTHROPIC_API_KEY }),
    google: Object.freeze({ apiKey: values.GOOGLE_GENERATIVE_AI_API_KEY }),
  })
}

function secretValues(environment: Environment): string[] {
  return entries().flatMap(([name, setting]) => ('secret' in setting && environment[name]?.trim()) || [])
}

function unknownNames(environment: Environment): string[] {
  const known = Object.keys(SETTINGS)
  return Object.keys(environment)
    .filter((name) => /^RECOLLECT_/i.test(name) && !known.includes(name))
    .sort()
    .map((name) => {
      const nearest = nearestName(name, known)
      const advice = nearest === null ? 'docs/configuration.md lists the settings' : `did you mean ${nearest}?`
      return `${name} is not a setting; ${advice}${nearest === null ? '.' : ''}`
    })
}

function entries() {
  return Object.entries(SETTINGS) as [SettingName, (typeof SETTINGS)[SettingName]][]
}

/** True for an address that only this machine reaches. A host name other than `localhost` may point anywhere. */
function isLoopback(host: string): boolean {
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8, 'ipv4')
  loopback.addAddress('::1', 'ipv6')
  const family = isIP(host)
  if (family === 0) return host.toLowerCase() === 'localhost'
  return loopback.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/**
 * The known name a mistyped one most likely means: the one with the fewest edits (Levenshtein), at most a third of
 * the name without its common prefix. `null` when none is near.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = name.toUpperCase()
  const ranked = known
    .map((candidate) => ({ candidate, edits: countEdits(wanted, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  const best = ranked[0]
  const most = Math.max(2, Math.floor((wanted.length - 'RECOLLECT_'.length) / 3))
  return best !== undefined && best.edits <= most ? best.candidate : null
}

function countEdits(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}
