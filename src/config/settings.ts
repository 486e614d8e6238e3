/**
 * Every setting. The start reads settings by this table, and `.env.example` and the settings page
 * are printed from it. Names, defaults and meanings follow contract.md, "Settings (environment)".
 */
import { ZIP_ARCHIVE } from '../limits.ts'
import type { LogLevel } from '../observability/log.ts'
import { ACCESS_SETTINGS } from './access-settings.ts'
import { addressSuchAs, CHAT_MODELS, modelOr, parseBaseUrl, parseChatModel, parseOcrEngine } from './model-settings.ts'
import { parseEncryption, parseEndpoint, parseObjectStoreUrl, parseOptionalBoolean } from './object-store.ts'
import {
  oneOf,
  optionalNumber,
  parseAllowPrivate,
  parseCredential,
  parseDatabaseUrl,
  parseFolder,
  parseFolders,
  parseHost,
  parseLanguages,
  parseOrigins,
  parseOwnKey,
  parseSize,
  wholeNumber,
} from './parsers.ts'
import type { Setting } from './setting.ts'

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']
const PORTS = wholeNumber(0, 65_535)

const SECRET = { default: null, allowed: 'any text', secret: true, parse: parseCredential } as const
const credential = (meaning: string) => ({ ...SECRET, meaning }) satisfies Setting<string | null>

/** The table by name. A new setting needs a row here and a line in `setting-groups.ts`. */
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
    meaning: 'Folder of all stored data. Created if missing, readable only by its owner.',
    parse: parseFolder,
  },
  ...ACCESS_SETTINGS,
  RECOLLECT_PLAN: {
    default: 'unlimited',
    allowed: '`free`, `starter`, `unlimited`',
    meaning:
      'The plan of the first organization: limits of storage, memories and queries. Read at every start. ' +
      'Default plan of further organizations.',
    parse: oneOf(['free', 'starter', 'unlimited']),
  },
  RECOLLECT_RATE_LIMIT_PER_MINUTE: {
    default: '0',
    defaultMeaning: '`0`, no limit',
    allowed: '`0` to `1000000`',
    meaning: 'Maximum requests of a key per minute.',
    parse: wholeNumber(0, 1_000_000),
  },
  RECOLLECT_ROLE: {
    default: 'all',
    allowed: '`all`, `api`, `worker`',
    meaning:
      'Role of the process: `api` answers requests, `worker` runs jobs and serves only health and metrics, ' +
      '`all` does both. `api` and `worker` need a shared PostgreSQL and S3.',
    parse: oneOf(['all', 'api', 'worker']),
  },
  RECOLLECT_DRAIN_SECONDS: {
    default: null,
    defaultMeaning: '`5` with PostgreSQL and S3, else `0`',
    allowed: '`0` to `300`',
    meaning:
      'Time that a stopping process continues to answer while `/health/ready` returns 503, ' +
      'so that a load balancer can switch to other processes.',
    parse: optionalNumber(0, 300),
  },
  RECOLLECT_LOG_LEVEL: {
    default: 'info',
    allowed: LEVELS.map((level) => `\`${level}\``).join(', '),
    meaning: 'Log level. The log is JSON lines on standard output, readable lines on a terminal.',
    parse: oneOf(LEVELS),
  },
  RECOLLECT_METRICS_PUBLIC: {
    default: 'false',
    allowed: '`true`, `false`',
    meaning: '`true` allows `GET /metrics` without a key. Metrics name no document, memory or organization.',
    parse: oneOf(['true', 'false']),
  },
  RECOLLECT_CORS_ORIGINS: {
    default: '',
    defaultMeaning: 'none',
    allowed: '`https://app.example.com`, several separated by commas',
    meaning: 'Origins of web pages that may call the API, except `/mcp`. Visitors of a page can read its key.',
    parse: parseOrigins,
  },
  RECOLLECT_DATABASE_URL: {
    default: null,
    defaultMeaning: 'SQLite in the data folder',
    allowed: '`postgres://…`',
    meaning:
      'Database of all data except originals, long texts and memory files: PostgreSQL 14 or newer, ' +
      'directly or through a pooler in transaction mode. Processes that share it must also share an S3 store.',
    secret: true,
    parse: parseDatabaseUrl,
  },
  RECOLLECT_DATABASE_CONNECTIONS: {
    default: '10',
    allowed: '`2` to `200`',
    meaning: 'Maximum PostgreSQL connections of this process, in addition to one for notifications.',
    parse: wholeNumber(2, 200),
  },
  RECOLLECT_OBJECT_STORE_URL: {
    default: null,
    defaultMeaning: 'the data folder',
    allowed: '`s3://bucket` or `s3://bucket/prefix`',
    meaning:
      'Store of originals, extracted texts of more than 32,768 characters and memory files. ' +
      'It must support `If-None-Match: *` (`docs/scaling.md`).',
    parse: parseObjectStoreUrl,
  },
  RECOLLECT_S3_ENDPOINT: {
    default: null,
    defaultMeaning: 'AWS',
    allowed: 'an http or https address',
    meaning: 'Address of the S3 store, such as `http://127.0.0.1:9000`.',
    parse: parseEndpoint,
  },
  RECOLLECT_S3_PATH_STYLE: {
    default: null,
    defaultMeaning: '`true` if `RECOLLECT_S3_ENDPOINT` is set',
    allowed: '`true`, `false`',
    meaning:
      '`true` puts the bucket into the path (`https://host/bucket/…`), ' +
      '`false` into the host name (`https://bucket.host/…`).',
    parse: parseOptionalBoolean,
  },
  RECOLLECT_S3_ENCRYPTION: {
    default: null,
    defaultMeaning: 'the default of the store',
    allowed: '`AES256`, `aws:kms`',
    meaning: 'Server-side encryption of all objects.',
    parse: parseEncryption,
  },
  RECOLLECT_S3_KMS_KEY_ID: {
    default: null,
    defaultMeaning: 'the key of the bucket',
    allowed: 'the id, ARN or alias of a key',
    meaning: 'Encryption key for `aws:kms`.',
    parse: parseCredential,
  },
  RECOLLECT_S3_CACHE_MEGABYTES: {
    default: '2048',
    allowed: '`0` to `1000000`',
    meaning: 'Size of the cache in the data folder for memory files of the store. `0` disables the cache.',
    parse: wholeNumber(0, 1_000_000),
  },
  AWS_ACCESS_KEY_ID: credential(
    'ID of the S3 credential. If neither part is set, the role of the machine or container is used.',
  ),
  AWS_SECRET_ACCESS_KEY: credential('The S3 credential.'),
  AWS_SESSION_TOKEN: credential('Token of a temporary S3 credential. Read once at the start and never renewed.'),
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
      'Embedding model. `embedded` needs no key, no download and no network; `openai` is any endpoint with the ' +
      'OpenAI protocol; `onnx` is a local model. A memory keeps the model it was created with.',
    parse: modelOr(['embedded'], ['openai', 'onnx']),
  },
  RECOLLECT_SEARCH_MEMORY: {
    default: null,
    defaultMeaning: 'a quarter of the memory of the machine or container',
    allowed: 'a size such as `512MB` or `2GB`, or `0`',
    meaning:
      'Memory for the indexes of memories that were searched or just filled. A memory takes about as much as its ' +
      'file; searches of memories without room read their file. `0`: all searches read the files.',
    parse: parseSize,
  },
  RECOLLECT_RERANKER: {
    default: 'embedded',
    allowed: '`embedded`, `off`, `openai-compatible:<model>`, `onnx:<folder>`',
    meaning:
      'Reranker of the best hits. `embedded` needs no model; an endpoint is called at `/rerank`, ' +
      'as offered by Cohere, Jina, vLLM and llama.cpp.',
    parse: modelOr(['embedded', 'off'], ['openai-compatible', 'onnx']),
  },
  RECOLLECT_LLM: {
    default: null,
    allowed: CHAT_MODELS,
    meaning:
      'Language model that writes answers and fills schemas. Without one, answers are quotes. ' +
      'A final `@32k` sets the context size in tokens, as in `openai-compatible:qwen3:8b@32k`.',
    parse: (text: string) => (text === '' ? { value: null } : parseChatModel(text)),
  },
  RECOLLECT_LLM_TIMEOUT_SECONDS: {
    default: '60',
    allowed: '`1` to `3600`',
    meaning:
      'Maximum time of one answer of the language model, including retries. For a streamed answer, the ' +
      'maximum time until its first word; the whole stream may take three times as long.',
    parse: wholeNumber(1, 3600),
  },
  OPENAI_API_KEY: credential('The key of OpenAI, or of the endpoint at `OPENAI_BASE_URL`.'),
  OPENAI_BASE_URL: {
    default: null,
    defaultMeaning: 'OpenAI',
    allowed: 'an http or https address',
    meaning:
      'Address of `openai` and `openai-compatible` models, such as `http://127.0.0.1:11434/v1`. ' +
      'Your server may not need a key.',
    parse: parseBaseUrl,
  },
  ANTHROPIC_API_KEY: credential('The key of Anthropic.'),
  GOOGLE_GENERATIVE_AI_API_KEY: credential('The key of Google.'),
  RECOLLECT_OCR_ENGINE: {
    default: 'embedded',
    allowed: `\`embedded\`, ${CHAT_MODELS}`,
    meaning:
      'OCR engine. `embedded` needs no key, no download and no network. A vision model reads scanned pages, ' +
      'and images in `accurate` mode; `embedded` then locates the text, and is the fallback.',
    parse: parseOcrEngine,
  },
  RECOLLECT_OCR_LANGUAGES: {
    default: 'eng',
    allowed: 'comma-separated codes, such as `eng,deu` or `en,de`',
    meaning:
      'Languages that OCR tries first, together; each further language slows recognition. A page in another ' +
      'installed language is read again in that language. English, German, French, Spanish, Italian and Portuguese ' +
      'are included; the package `@tesseract.js-data/<code>` adds a language.',
    parse: parseLanguages,
  },
  RECOLLECT_ZIP_MAX_MEMBERS: {
    default: String(ZIP_ARCHIVE.members.default),
    allowed: `\`1\` to \`${ZIP_ARCHIVE.members.max}\``,
    meaning: 'Maximum members of a ZIP archive of documents, with folders.',
    parse: wholeNumber(1, ZIP_ARCHIVE.members.max),
  },
  RECOLLECT_ZIP_MAX_MEGABYTES: {
    default: String(ZIP_ARCHIVE.megabytes.default),
    allowed: `\`1\` to \`${ZIP_ARCHIVE.megabytes.max}\``,
    meaning: 'Maximum unpacked size of a ZIP archive of documents. Each member has at most 100 MB, as a file.',
    parse: wholeNumber(1, ZIP_ARCHIVE.megabytes.max),
  },
  RECOLLECT_SOURCE_FOLDERS: {
    default: '',
    defaultMeaning: 'none',
    allowed: 'absolute paths of folders, several separated by commas',
    meaning:
      'Folders of this machine that sources of documents may read, with all below. Every key that may write to a ' +
      'memory can read them. On several processes, all need the same folders.',
    parse: parseFolders,
  },
  RECOLLECT_SECRETS_KEY: {
    default: null,
    defaultMeaning: 'with SQLite a random key in the data folder, else none',
    allowed: 'ASCII text of at least 20 characters',
    meaning:
      'Key that encrypts stored credentials of sources and signs sessions of people. With PostgreSQL, both are ' +
      'refused without it. All processes need the same key.',
    secret: true,
    parse: parseOwnKey,
  },
  RECOLLECT_URL_ALLOW_PRIVATE: {
    default: null,
    allowed: 'comma-separated `host:port`, `[IPv6]:port` or CIDR',
    meaning:
      'Private hosts allowed for document URLs, sources and webhooks, such as `wiki.lan:80,10.1.0.0/16`. ' +
      'A host is allowed at one port, a network at every port.',
    parse: parseAllowPrivate,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: null,
    allowed: 'an http or https address',
    meaning:
      'Address of an OpenTelemetry collector for OTLP over HTTP, such as `http://127.0.0.1:4318`. ' +
      'Traces go to its `/v1/traces`. Unset disables tracing.',
    parse: addressSuchAs('http://127.0.0.1:4318'),
  },
  OTEL_EXPORTER_OTLP_HEADERS: credential('Headers for the collector: comma-separated `name=value`.'),
  OTEL_SERVICE_NAME: {
    default: 'recollect',
    allowed: 'any text',
    meaning: 'Name of this service in traces.',
    parse: (text: string) => ({ value: text }),
  },
  RECOLLECT_URL: {
    default: 'http://127.0.0.1:8080',
    allowed: 'an http or https address',
    meaning: 'Address of the service, used by the command line only.',
    parse: addressSuchAs('http://127.0.0.1:8080'),
  },
  RECOLLECT_API_KEY: credential('API key of the command line.'),
  RECOLLECT_API_KEY_FILE: {
    default: null,
    defaultMeaning: '`~/.config/recollect/key`',
    allowed: 'the path of a file of mode 0600',
    meaning: 'File with that key, read if `RECOLLECT_API_KEY` is not set.',
    parse: parseCredential,
  },
  RECOLLECT_MEMORY: {
    default: null,
    allowed: 'the id or the exact name of a memory',
    meaning: 'Memory of commands without `--memory`, used by the command line only.',
    parse: parseCredential,
  },
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof SETTINGS
