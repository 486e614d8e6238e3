import { requirementsOf } from './requirement.ts'

const settings = (part: number) => ({ source: 'contract', section: 'Settings', part }) as const

/** The settings table and its rules. */
export const settingRequirements = [
  ...requirementsOf(settings(1), {
    'settings.host': 'RECOLLECT_HOST is where it listens, 127.0.0.1 by default.',
    'settings.port': 'RECOLLECT_PORT is the port; 0 takes a free one and the start line says which.',
    'settings.port-fallback': 'PORT is read where RECOLLECT_PORT is absent.',
    'settings.data-dir': 'RECOLLECT_DATA_DIR holds everything; it is made, mode 0700.',
    'settings.bootstrap-key': 'RECOLLECT_BOOTSTRAP_KEY: any string of 20 characters or more is taken as it is.',
    'settings.auth': 'RECOLLECT_AUTH=off: no keys, nothing but loopback.',
    'settings.plan': 'RECOLLECT_PLAN is free, starter or unlimited.',
    'settings.role': 'RECOLLECT_ROLE is all by default.',
    'settings.embedder-embedded': 'RECOLLECT_EMBEDDER is embedded by default.',
    'settings.rate-limit': 'RECOLLECT_RATE_LIMIT_PER_MINUTE limits requests a key and minute; 0 is none.',
    'settings.cors':
      'RECOLLECT_CORS_ORIGINS lets web pages of these origins call the API; without it, and for others, there are no CORS headers.',
    'settings.log-level': 'RECOLLECT_LOG_LEVEL is info by default; logs are JSON lines on standard output.',
    'settings.wrong-value':
      'A wrong value stops the start with a message that names it and what is allowed; exit status 78.',
    'settings.unknown-name': 'An unknown RECOLLECT_ name stops the start with a message that names it; exit status 78.',
  }),
  ...requirementsOf(
    { source: 'contract', section: 'Settings: storage used', part: 1 },
    {
      'settings.storage.counted':
        'storageBytes is the bytes of stored originals plus the UTF-8 bytes of extracted text.',
      'settings.storage.sync-over': 'Over quota a synchronous add is 403 storage_quota_exceeded and stores nothing.',
      'settings.storage.job-over': 'Over quota a job keeps what fitted and ends partial.',
      'settings.model.pins': 'embeddingModel selects a configured embedder at the first ingest of a memory.',
      'settings.model.unavailable':
        'text-embedding-3-small without such an endpoint, and any unknown name, take the default embedder with a warning embedding_model_unavailable.',
      'settings.model.pinned-unavailable': 'A name that is not available takes the pinned embedder with the warning.',
    },
  ),
  ...requirementsOf(
    { source: 'contract', section: 'Settings: storage used', part: 3 },
    {
      'settings.model.pinned-409':
        'Another available model than the pinned one, named explicitly, is 409 embedding_model_pinned.',
    },
  ),
  ...requirementsOf(settings(2), {
    'settings.ocr':
      'RECOLLECT_OCR_ENGINE and RECOLLECT_OCR_LANGUAGES choose engine and languages of recognition, embedded and eng by default.',
    'settings.url-allow-private': 'RECOLLECT_URL_ALLOW_PRIVATE opens private hosts to URL ingest and webhooks.',
  }),
  ...requirementsOf(settings(3), {
    'settings.embedder-others': 'RECOLLECT_EMBEDDER takes openai:<model> and onnx:<folder>.',
    'settings.llm': 'RECOLLECT_LLM takes openai, anthropic, google and openai-compatible models; none by default.',
    'settings.ocr-vision': 'RECOLLECT_OCR_ENGINE takes a vision model, openai:<model> …, for accurate.',
    'settings.reranker': 'RECOLLECT_RERANKER is embedded, off, openai-compatible:<model> or onnx:<folder>.',
    'settings.provider-keys': 'Provider keys are read as the providers own clients read them.',
  }),
  ...requirementsOf(settings(5), {
    'settings.roles': 'RECOLLECT_ROLE takes api and worker.',
    'settings.database-url': 'RECOLLECT_DATABASE_URL takes postgres://; SQLite in the data folder by default.',
    'settings.object-store-url':
      'RECOLLECT_OBJECT_STORE_URL takes s3://bucket/prefix, with RECOLLECT_S3_ENDPOINT and the usual AWS names; the data folder by default.',
  }),
]
