import { requirementsOf } from './requirement.ts'

const api = (section: string, part = 1) => ({ source: 'api', section, part }) as const
const contract = (section: string, part = 1) => ({ source: 'contract', section, part }) as const

/** Health, readiness, account, plans and limits. */
export const serviceRequirements = [
  ...requirementsOf(api('Health response'), {
    'health.fields': 'GET /health answers status, version and timestamp.',
  }),
  ...requirementsOf(api('Endpoints: Health'), {
    'health.ready.checks-connectivity': 'GET /health/ready checks the metadata database and the object store.',
    'health.ready.503': 'GET /health/ready answers 503 when degraded.',
  }),
  ...requirementsOf(contract('Answers: health'), {
    'health.status-healthy': 'GET /health says status healthy.',
    'health.ready.body':
      'The readiness answer has status ready or degraded, version, timestamp and checks.database and checks.objectStore, each with status and latencyMs or error.',
    'health.ready.optional': 'Further checks are marked optional and never turn it 503.',
  }),
  ...requirementsOf(api('Endpoints: Account'), {
    'account.get': 'GET /v1/account answers organization details, plan limits and current usage.',
  }),
  ...requirementsOf(contract('Answers: account'), {
    'account.fields':
      'The account has organization, plan with limits, usage with period, and apiKey, each with the fields listed.',
    'account.unlimited-null': 'Unlimited is null.',
    'account.plan.unlimited-default': 'The default plan is unlimited: no quota, the size and time limits of starter.',
    'account.queries.find-search': 'Find and search cost one query each.',
    'account.usage.counts': 'usage counts storage, memories, documents and queries of the current period.',
  }),
  ...requirementsOf(contract('Answers: account', 3), { 'account.queries.ask': 'Ask costs one query.' }),
  ...requirementsOf(api('Limits: Free plan'), {
    'limits.free.storage': 'Free: storage 50 MB.',
    'limits.free.memories': 'Free: 1 memory.',
    'limits.free.queries': 'Free: unlimited queries.',
    'limits.free.file': 'Free: files up to 100 MB.',
    'limits.free.image': 'Free: images up to 20 MB.',
    'limits.free.timeout': 'Free: request timeout 5 minutes.',
    'limits.free.body': 'Free: request body up to 150 MB.',
  }),
  ...requirementsOf(api('Limits: Starter plan'), {
    'limits.starter.storage': 'Starter: storage 25 GB.',
    'limits.starter.memories': 'Starter: 5 memories.',
    'limits.starter.queries': 'Starter: 250,000 queries a month.',
    'limits.starter.file': 'Starter: files up to 100 MB.',
    'limits.starter.image': 'Starter: images up to 20 MB.',
    'limits.starter.timeout': 'Starter: request timeout 10 minutes.',
    'limits.starter.body': 'Starter: request body up to 150 MB.',
  }),
  ...requirementsOf(api('Limits: other limits'), {
    'limits.file': 'A file may have 100 MB.',
    'limits.body': 'A request body may have 150 MB.',
    'limits.async-file': 'A file larger than 2 MB is processed asynchronously.',
    'limits.ocr-max-pages': 'ocrMaxPages is 50 by default and 200 at most.',
    'limits.memory-name': 'A memory name has 1 to 1000 characters.',
    'limits.memory-description': 'A memory description has up to 5000 characters.',
    'limits.jobs-list': 'The job list limit is 1 to 100, 20 by default.',
    'limits.hits-default': 'Find and search give 10 results by default.',
  }),
  ...requirementsOf(api('Limits: other limits', 2), {
    'limits.url-download': 'A URL download may have 100 MB.',
    'limits.async-scanned': 'A scanned PDF with more than 5 image-only pages is processed asynchronously.',
    'limits.base64': 'A base64 payload for recognition may have 27 MB.',
    'limits.image': 'An image for recognition may have 20 MB.',
  }),
  ...requirementsOf(api('Limits: other limits', 3), {
    'limits.ask-chunks': 'Ask gives the LLM at most 10 chunks by default.',
  }),
]
