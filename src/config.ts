import { BlockList, isIP } from 'node:net'
import { type SignInSetting, signInProblems, toSignIn } from './config/access-settings.ts'
import { type ModelAccess, type ModelSetting, missingAccess } from './config/model-settings.ts'
import { type ObjectStore, objectStoreProblems, toObjectStore } from './config/object-store.ts'
import { type AllowedPrivate, parseOtlpHeaders } from './config/parsers.ts'
import type { ParsedSetting } from './config/setting.ts'
import { SETTINGS, type SettingName } from './config/settings.ts'
import type { PlanId } from './limits.ts'
import type { LogLevel } from './observability/log.ts'

/**
 * Reads the settings once, at the start. Only `main.ts`, `compose.ts` and the command line use
 * this; all other code receives the values it needs.
 */
/** Providers of language and vision models. */
type ChatProvider = 'openai' | 'anthropic' | 'google' | 'openai-compatible'

/** Frozen settings, grouped by their users. */
export type Config = {
  readonly http: {
    readonly host: string
    /** 0: any free port. */
    readonly port: number
    readonly auth: 'on' | 'off'
    /** 0: no limit. */
    readonly rateLimitPerMinute: number
    readonly areMetricsPublic: boolean
    /** Empty: no web page of another origin may call the API. */
    readonly corsOrigins: readonly string[]
  }
  /** Provider at which people sign in to the console; `null`: keys only. */
  readonly signIn: SignInSetting | null
  /** PostgreSQL; `null`: SQLite in the data folder. */
  readonly database: { readonly url: string; readonly maxConnections: number } | null
  /** An absolute path. */
  readonly dataDir: string
  /** S3 store of objects and memory files; `null`: both are in the data folder. */
  readonly objectStore: ObjectStore | null
  /**
   * The organization to create or find at the start. The key is used only with an empty data
   * folder.
   */
  readonly organization: {
    readonly plan: PlanId
    readonly bootstrapKey: string | null
    readonly adminKey: string | null
  }
  readonly role: 'all' | 'api' | 'worker'
  /**
   * True if other processes may share database and object store, since both are reachable from
   * other machines.
   */
  readonly hasPeers: boolean
  /** Time that a stopping process continues to answer. */
  readonly drainMs: number
  readonly search: {
    readonly embedder: 'embedded' | ModelSetting<'openai' | 'onnx'>
    readonly reranker: 'embedded' | 'off' | ModelSetting<'openai-compatible' | 'onnx'>
    /** Memory for the indexes of memories in use; `null` for a share of all memory. */
    readonly memoryBytes: number | null
  }
  /** The language model, `null` for none, and the endpoints of all models. */
  readonly models: {
    readonly chat: ModelSetting<ChatProvider> | null
    /** Maximum time of an answer of the language model. */
    readonly answerTimeoutMs: number
    readonly access: ModelAccess
  }
  /** Text recognition, and its default languages. */
  readonly recognition: {
    readonly engine: 'embedded' | ModelSetting<ChatProvider>
    readonly languages: readonly string[]
  }
  /** Limits of a ZIP archive of documents. */
  readonly zip: { readonly maxMembers: number; readonly maxBytes: number }
  /** Private hosts from which documents may be downloaded. */
  readonly urls: { readonly allowPrivate: readonly AllowedPrivate[] }
  /** Folders that sources of documents may read. */
  readonly sources: { readonly folders: readonly string[] }
  /** Secret of the installation; `null`: a file in the data folder. */
  readonly secretsKey: string | null
  readonly log: { readonly level: LogLevel; readonly secrets: readonly string[] }
  /** Destination of traces; `null`: no tracing. */
  readonly tracing: {
    readonly endpoint: string
    readonly headers: Readonly<Record<string, string>>
    readonly serviceName: string
  } | null
}

/**
 * More than twice the shortest interval of load balancers' checks, 2 s. With all further steps
 * within the 30 s that Kubernetes grants.
 */
const PEERS_DRAIN_SECONDS = 5

/** Exit status for wrong configuration: `EX_CONFIG` of BSD's sysexits.h. */
export const CONFIG_EXIT_STATUS = 78

/**
 * Invalid settings. `problems` has one sentence for each problem, `message` all of them as lines.
 */
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
 * Parses the configuration of an environment. An empty value counts as unset. Throws {@link
 * ConfigError} with all problems: invalid values, unknown `RECOLLECT_` names, conflicting settings.
 */
export function readConfig(environment: Environment): Config {
  const problems = unknownNames(environment)
  const values: Partial<Record<SettingName, unknown>> = {}
  const wrong: SettingName[] = []
  for (const [name, setting] of entries()) {
    const parsed: ParsedSetting<unknown> = setting.parse(environment[name] || (setting.default ?? ''))
    if ('value' in parsed) {
      values[name] = parsed.value
      continue
    }
    problems.push(`${name} ${parsed.problem}.`)
    wrong.push(name)
    // The default allows checks among the other settings.
    const absent: ParsedSetting<unknown> = setting.parse(setting.default ?? '')
    if ('value' in absent) values[name] = absent.value
  }
  // Every name of the table was parsed by its own parser.
  const config = toConfig(values as Values, environment)
  problems.push(...disagreements(config, values as Values).filter((sentence) => !namesOneOf(wrong, sentence)))
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function disagreements(config: Config, values: Values): string[] {
  return [
    ...missingKeys(config),
    ...openDoor(config),
    ...lonelyRole(config),
    ...objectStoreProblems(values),
    ...signInProblems(values),
  ]
}

/**
 * True if a sentence names any of these settings: conflicts with an invalid setting are not
 * reported.
 */
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
    `RECOLLECT_AUTH=off needs a loopback RECOLLECT_HOST, such as 127.0.0.1: ` +
      `without keys, everyone who reaches ${host} would have access.`,
  ]
}

function lonelyRole({ role, hasPeers }: Config): string[] {
  if (role === 'all' || hasPeers) return []
  return [
    `RECOLLECT_ROLE=${role} needs RECOLLECT_DATABASE_URL and RECOLLECT_OBJECT_STORE_URL, ` +
      'since processes cannot share local storage.',
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
      corsOrigins: Object.freeze([...values.RECOLLECT_CORS_ORIGINS]),
    }),
    signIn: toSignIn(values),
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
    search: Object.freeze({
      embedder: values.RECOLLECT_EMBEDDER,
      reranker: values.RECOLLECT_RERANKER,
      memoryBytes: values.RECOLLECT_SEARCH_MEMORY,
    }),
    models: Object.freeze({
      chat: values.RECOLLECT_LLM,
      answerTimeoutMs: 1000 * values.RECOLLECT_LLM_TIMEOUT_SECONDS,
      access: toAccess(values),
    }),
    recognition: Object.freeze({
      engine: values.RECOLLECT_OCR_ENGINE,
      languages: Object.freeze(values.RECOLLECT_OCR_LANGUAGES),
    }),
    zip: Object.freeze({
      maxMembers: values.RECOLLECT_ZIP_MAX_MEMBERS,
      maxBytes: values.RECOLLECT_ZIP_MAX_MEGABYTES * 1024 ** 2,
    }),
    urls: Object.freeze({ allowPrivate: Object.freeze(values.RECOLLECT_URL_ALLOW_PRIVATE) }),
    sources: Object.freeze({ folders: Object.freeze([...values.RECOLLECT_SOURCE_FOLDERS]) }),
    secretsKey: values.RECOLLECT_SECRETS_KEY,
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

/**
 * True for an address of this machine only. A host name other than `localhost` may refer to any
 * machine.
 */
function isLoopback(host: string): boolean {
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8, 'ipv4')
  loopback.addAddress('::1', 'ipv6')
  const family = isIP(host)
  if (family === 0) return host.toLowerCase() === 'localhost'
  return loopback.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/**
 * The closest known name of a mistyped one: fewest edits (Levenshtein), at most a third of the name
 * without its common prefix. `null` if none is close.
 */
function nearestName(name: string, known: readonly string[]): string | null {
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
