/**
 * Every setting. The start reads settings by this table, and `.env.example` and the settings page
 * are printed from it. Names, defaults and meanings follow contract.md, "Settings (environment)".
 */
import type { LogLevel } from '../observability/log.ts'
import { addressSuchAs, modelOr, parseBaseUrl } from './model-settings.ts'
import { parseEncryption, parseEndpoint, parseObjectStoreUrl, parseOptionalBoolean } from './object-store.ts'
import {
  oneOf,
  optionalNumber,
  parseAllowPrivate,
  parseCredential,
  parseDatabaseUrl,
  parseFolder,
  parseHost,
  parseLanguages,
  parseOwnKey,
  wholeNumber,
} from './parsers.ts'
import type { Setting, SettingGroup } from './setting.ts'

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']
const PORTS = wholeNumber(0, 65_535)
/** Providers of language and vision models. */
const CHAT_PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
const CHAT_MODELS = CHAT_PROVIDERS.map((name) => `\`${name}:<model>\``).join(', ')
const parseChatModel = modelOr([], CHAT_PROVIDERS)

const credential = (meaning: string) =>
  ({ default: null, allowed: 'any text', meaning, secret: true, parse: parseCredential }) satisfies Setting<
    string | null
  >

/** The table by name. A new setting needs a row here and a line in {@link SETTING_GROUPS}. */
export const SETTINGS = {
  RECOLLECT_HOST: {
    default: '127.0.0.1',
    allowed: 'an IP address or a host name',
    meaning: 'The address it listens on. `0.0.0.0` is every IPv4 address of the machine, `::` every address.',
    parse: parseHost,
  },
  RECOLLECT_PORT: {
    default: '8080',
    allowed: '`0` to `65535`',
    meaning: 'The port it listens on. `0` takes a free one; the start line says which.',
    parse: PORTS,
  },
  PORT: {
    default: null,
    allowed: '`0` to `65535`',
    meaning: 'Read where `RECOLLECT_PORT` is absent, as many hosting platforms expect.',
    parse: (text: string) => (text === '' ? { value: null } : PORTS(text)),
  },
  RECOLLECT_DATA_DIR: {
    default: './data',
    allowed: 'a path',
    meaning: 'The folder of everything that is kept. It is made when it is missing, readable by its owner only.',
    parse: parseFolder,
  },
  RECOLLECT_BOOTSTRAP_KEY: {
    default: null,
    defaultMeaning: 'made, and printed once',
    allowed: 'any text of 20 characters or more, in ASCII, which headers carry',
    meaning: 'The first organization key. It is read on the first start on an empty data folder, never again.',
    secret: true,
    parse: parseOwnKey,
  },
  RECOLLECT_ADMIN_KEY: {
    default: null,
    defaultMeaning: 'none: organizations are made by the command line alone',
    allowed: 'any text of 20 characters or more, in ASCII, which headers carry',
    meaning:
      'The admin key of the installation. It makes and lists organizations (`/v1/organizations`) and opens nothing else. Taken at every start.',
    secret: true,
    parse: parseOwnKey,
  },
  RECOLLECT_AUTH: {
    default: 'on',
    allowed: '`on`, `off`',
    meaning: '`off`: no keys are asked for. Then only a loopback address may be listened on.',
    parse: oneOf(['on', 'off']),
  },
  RECOLLECT_PLAN: {
    default: 'unlimited',
    allowed: '`free`, `starter`, `unlimited`',
    meaning:
      'The plan of the first organization: its limits of storage, memories and queries. Taken at every start. Further organizations have it where none is named when they are made.',
    parse: oneOf(['free', 'starter', 'unlimited']),
  },
  RECOLLECT_RATE_LIMIT_PER_MINUTE: {
    default: '0',
    defaultMeaning: '`0`, no limit',
    allowed: '`0` to `1000000`',
    meaning: 'Requests that one key may send in a minute.',
    parse: wholeNumber(0, 1_000_000),
  },
  RECOLLECT_ROLE: {
    default: 'all',
    allowed: '`all`, `api`, `worker`',
    meaning:
      'What the process does: answers requests (`api`), works through jobs (`worker`, of which only health and metrics are served), or both. `api` and `worker` need PostgreSQL and S3, which they share.',
    parse: oneOf(['all', 'api', 'worker']),
  },
  RECOLLECT_DRAIN_SECONDS: {
    default: null,
    defaultMeaning: '`5` with PostgreSQL and S3, else `0`',
    allowed: '`0` to `300`',
    meaning:
      'How long a process that is to stop goes on answering, while `/health/ready` says 503 already, so that a load balancer can turn to others.',
    parse: optionalNumber(0, 300),
  },
  RECOLLECT_LOG_LEVEL: {
    default: 'info',
    allowed: LEVELS.map((level) => `\`${level}\``).join(', '),
    meaning: 'How much is logged: JSON lines on standard output, readable ones on a terminal.',
    parse: oneOf(LEVELS),
  },
  RECOLLECT_METRICS_PUBLIC: {
    default: 'false',
    allowed: '`true`, `false`',
    meaning: 'Whether `GET /metrics` answers without a key. It names no document, memory or organization.',
    parse: oneOf(['true', 'false']),
  },
  RECOLLECT_DATABASE_URL: {
    default: null,
    defaultMeaning: 'SQLite in the data folder',
    allowed: '`postgres://…`',
    meaning:
      'The database of everything but originals, long texts and memory files: PostgreSQL 14 or newer, directly or behind a pooler in transaction mode. Several processes may share it where they share an S3 store, too.',
    secret: true,
    parse: parseDatabaseUrl,
  },
  RECOLLECT_DATABASE_CONNECTIONS: {
    default: '10',
    allowed: '`2` to `200`',
    meaning: 'Connections to PostgreSQL that this process has at most, besides one on which it listens.',
    parse: wholeNumber(2, 200),
  },
  RECOLLECT_OBJECT_STORE_URL: {
    default: null,
    defaultMeaning: 'the data folder',
    allowed: '`s3://bucket` or `s3://bucket/prefix`',
    meaning:
      'Where originals, extracted texts of more than 32,768 characters and memory files are kept. The store has to honour `If-None-Match: *` (`docs/scaling.md`).',
    parse: parseObjectStoreUrl,
  },
  RECOLLECT_S3_ENDPOINT: {
    default: null,
    defaultMeaning: 'that of AWS',
    allowed: 'an http or https address',
    meaning: 'Where the S3 store answers, such as `http://127.0.0.1:9000`.',
    parse: parseEndpoint,
  },
  RECOLLECT_S3_PATH_STYLE: {
    default: null,
    defaultMeaning: '`true` where `RECOLLECT_S3_ENDPOINT` is set',
    allowed: '`true`, `false`',
    meaning:
      'Whether the bucket stands in the path of a request (`https://host/bucket/…`) or in the name of the host (`https://bucket.host/…`).',
    parse: parseOptionalBoolean,
  },
  RECOLLECT_S3_ENCRYPTION: {
    default: null,
    defaultMeaning: 'what the store does by itself',
    allowed: '`AES256`, `aws:kms`',
    meaning: 'What the store is asked to encrypt everything with.',
    parse: parseEncryption,
  },
  RECOLLECT_S3_KMS_KEY_ID: {
    default: null,
    defaultMeaning: 'that of the bucket',
    allowed: 'the id, ARN or alias of a key',
    meaning: 'The key that `aws:kms` encrypts with.',
    parse: parseCredential,
  },
  RECOLLECT_S3_CACHE_MEGABYTES: {
    default: '2048',
    allowed: '`0` to `1000000`',
    meaning:
      'How much of what was read of memory files in the store is kept in the data folder, so that it is not fetched again. `0`: nothing.',
    parse: wholeNumber(0, 1_000_000),
  },
  AWS_ACCESS_KEY_ID: credential(
    'The name of the S3 credential. Where neither is set, the role of the machine or container is used.',
  ),
  AWS_SECRET_ACCESS_KEY: credential('The S3 credential.'),
  AWS_SESSION_TOKEN: credential('The token of a temporary S3 credential. It is read once, so nothing renews it.'),
  AWS_REGION: {
    default: null,
    defaultMeaning: '`us-east-1`',
    allowed: 'any text',
    meaning: 'The region of the S3 bucket.',
    parse: parseCredential,
  },
  RECOLLECT_EMBEDDER: {
    default: 'embedded',
    allowed: '`embedded`, `openai:<model>`, `onnx:<folder>`',
    meaning:
      'What turns text into vectors. `embedded` needs no key, no download and no network; `openai` is every endpoint that speaks its protocol; `onnx` a model on this machine. A memory keeps the one it was made with.',
    parse: modelOr(['embedded'], ['openai', 'onnx']),
  },
  RECOLLECT_RERANKER: {
    default: 'embedded',
    allowed: '`embedded`, `off`, `openai-compatible:<model>`, `onnx:<folder>`',
    meaning:
      'What puts the best hits in order. `embedded` uses features that need no model; an endpoint is asked at `/rerank` as Cohere, Jina, vLLM and llama.cpp have it.',
    parse: modelOr(['embedded', 'off'], ['openai-compatible', 'onnx']),
  },
  RECOLLECT_LLM: {
    default: null,
    allowed: CHAT_MODELS,
    meaning:
      'The language model that words answers and fills schemas. Without one, answers are quotes. `@32k` at the end says how many tokens its context has, such as `openai-compatible:qwen3:8b@32k`.',
    parse: (text: string) => (text === '' ? { value: null } : parseChatModel(text)),
  },
  OPENAI_API_KEY: credential('The key of OpenAI, or of the endpoint at `OPENAI_BASE_URL`.'),
  OPENAI_BASE_URL: {
    default: null,
    defaultMeaning: 'that of OpenAI',
    allowed: 'an http or https address',
    meaning:
      'Where `openai` and `openai-compatible` models answer, such as `http://127.0.0.1:11434/v1`. A server of your own may ask for no key.',
    parse: parseBaseUrl,
  },
  ANTHROPIC_API_KEY: credential('The key of Anthropic.'),
  GOOGLE_GENERATIVE_AI_API_KEY: credential('The key of Google.'),
  RECOLLECT_OCR_ENGINE: {
    default: 'embedded',
    allowed: `\`embedded\`, ${CHAT_MODELS}`,
    meaning:
      'What recognises text in pictures. `embedded` needs no key, no download and no network. A model that sees reads scanned pages of documents, and pictures where `accurate` is asked for; `embedded` reads them as well, places what the model read, and stands in for it.',
    parse: modelOr(['embedded'], CHAT_PROVIDERS),
  },
  RECOLLECT_OCR_LANGUAGES: {
    default: 'eng',
    allowed: 'comma-separated codes, such as `eng,deu`',
    meaning:
      'The languages of text in pictures, the usual one first, where a request names none. Data of a language is the package `@tesseract.js-data/<code>`; `eng` is there. Each further language takes its time.',
    parse: parseLanguages,
  },
  RECOLLECT_URL_ALLOW_PRIVATE: {
    default: null,
    allowed: 'comma-separated `host:port`, `[IPv6]:port` or CIDR',
    meaning:
      'Hosts of a private network that documents may be downloaded from by URL, and that webhooks may be sent to, such as `wiki.lan:80,10.1.0.0/16`. A host is opened at its one port, a network at every port.',
    parse: parseAllowPrivate,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: null,
    allowed: 'an http or https address',
    meaning:
      'Where an OpenTelemetry collector takes OTLP over HTTP, such as `http://127.0.0.1:4318`: traces are sent to `/v1/traces` there. Without it there are none.',
    parse: addressSuchAs('http://127.0.0.1:4318'),
  },
  OTEL_EXPORTER_OTLP_HEADERS: credential('Headers for that collector, `name=value` and comma-separated.'),
  OTEL_SERVICE_NAME: {
    default: 'recollect',
    allowed: 'any text',
    meaning: 'What this service is called in its traces.',
    parse: (text: string) => ({ value: text }),
  },
  RECOLLECT_URL: {
    default: 'http://127.0.0.1:8080',
    allowed: 'an http or https address',
    meaning: 'Where the command line finds the service. The service itself does not read it.',
    parse: addressSuchAs('http://127.0.0.1:8080'),
  },
  RECOLLECT_API_KEY: credential('The key that the command line shows to the service.'),
  RECOLLECT_API_KEY_FILE: {
    default: null,
    defaultMeaning: '`~/.config/recollect/key`',
    allowed: 'the path of a file of mode 0600',
    meaning: 'The file of that key, read where `RECOLLECT_API_KEY` is not set.',
    parse: parseCredential,
  },
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof SETTINGS

/** Order and headings of the documentation. A test checks that every setting has a heading. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  { title: 'Address and port', names: ['RECOLLECT_HOST', 'RECOLLECT_PORT', 'PORT'] },
  {
    title: 'Storage',
    names: [
      'RECOLLECT_DATA_DIR',
      'RECOLLECT_DATABASE_URL',
      'RECOLLECT_DATABASE_CONNECTIONS',
      'RECOLLECT_OBJECT_STORE_URL',
      'RECOLLECT_S3_ENDPOINT',
      'RECOLLECT_S3_PATH_STYLE',
      'RECOLLECT_S3_ENCRYPTION',
      'RECOLLECT_S3_KMS_KEY_ID',
      'RECOLLECT_S3_CACHE_MEGABYTES',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'AWS_REGION',
    ],
  },
  {
    title: 'Authentication and plans',
    names: [
      'RECOLLECT_BOOTSTRAP_KEY',
      'RECOLLECT_ADMIN_KEY',
      'RECOLLECT_AUTH',
      'RECOLLECT_PLAN',
      'RECOLLECT_RATE_LIMIT_PER_MINUTE',
    ],
  },
  {
    title: 'Process and logging',
    names: [
      'RECOLLECT_ROLE',
      'RECOLLECT_DRAIN_SECONDS',
      'RECOLLECT_LOG_LEVEL',
      'RECOLLECT_METRICS_PUBLIC',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_SERVICE_NAME',
    ],
  },
  {
    title: 'Search and models',
    names: [
      'RECOLLECT_EMBEDDER',
      'RECOLLECT_RERANKER',
      'RECOLLECT_LLM',
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'ANTHROPIC_API_KEY',
      'GOOGLE_GENERATIVE_AI_API_KEY',
    ],
  },
  {
    title: 'Document parsing',
    names: ['RECOLLECT_OCR_ENGINE', 'RECOLLECT_OCR_LANGUAGES', 'RECOLLECT_URL_ALLOW_PRIVATE'],
  },
  {
    title: 'Command line',
    names: ['RECOLLECT_URL', 'RECOLLECT_API_KEY', 'RECOLLECT_API_KEY_FILE'],
  },
]
