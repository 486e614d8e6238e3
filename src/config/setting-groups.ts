import type { SettingGroup } from './setting.ts'

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
    title: 'Sign-in of people',
    names: [
      'RECOLLECT_PUBLIC_URL',
      'RECOLLECT_OIDC_ISSUER',
      'RECOLLECT_OIDC_CLIENT_ID',
      'RECOLLECT_OIDC_CLIENT_SECRET',
      'RECOLLECT_OIDC_SCOPES',
      'RECOLLECT_OIDC_ROLE_CLAIM',
      'RECOLLECT_OIDC_ADMIN_VALUES',
      'RECOLLECT_OIDC_WRITER_VALUES',
      'RECOLLECT_OIDC_READER_VALUES',
      'RECOLLECT_OIDC_SESSION_MINUTES',
    ],
  },
  {
    title: 'Process and logging',
    names: [
      'RECOLLECT_ROLE',
      'RECOLLECT_DRAIN_SECONDS',
      'RECOLLECT_LOG_LEVEL',
      'RECOLLECT_METRICS_PUBLIC',
      'RECOLLECT_CORS_ORIGINS',
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
      'RECOLLECT_SEARCH_MEMORY',
      'RECOLLECT_LLM',
      'RECOLLECT_LLM_TIMEOUT_SECONDS',
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'ANTHROPIC_API_KEY',
      'GOOGLE_GENERATIVE_AI_API_KEY',
    ],
  },
  {
    title: 'Document parsing',
    names: [
      'RECOLLECT_OCR_ENGINE',
      'RECOLLECT_OCR_LANGUAGES',
      'RECOLLECT_ZIP_MAX_MEMBERS',
      'RECOLLECT_ZIP_MAX_MEGABYTES',
      'RECOLLECT_URL_ALLOW_PRIVATE',
      'RECOLLECT_SOURCE_FOLDERS',
      'RECOLLECT_SECRETS_KEY',
    ],
  },
  {
    title: 'Command line',
    names: ['RECOLLECT_URL', 'RECOLLECT_API_KEY', 'RECOLLECT_API_KEY_FILE', 'RECOLLECT_MEMORY'],
  },
]
