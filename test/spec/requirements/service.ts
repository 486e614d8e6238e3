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
  ...requirementsOf(
    { source: 'project', section: 'Usage by day', part: 7 },
    {
      'usage.days':
        'GET /v1/usage answers every UTC day of the range, also days without use with zeros, earliest first, and the totals.',
      'usage.range':
        'from and to are days, both included: the last 30 days by default, 90 at most; a range that is none is 400 and names the field.',
      'usage.counts':
        'Answered finds, questions (and those declined), extractions, added documents and their pages are counted, from routes and tools alike; evaluations, refused requests and replayed answers are not.',
      'usage.failed': 'Requests with a status of 500 or more are counted as failed; those with 400 to 499 are not.',
      'usage.latency': 'Median and 95th percentile of the times of finds and of asks are given, null without any.',
      'usage.sizes': 'Storage, documents and chunks are those of the end of the day, null where not measured.',
      'usage.filters': 'memoryId and keyId choose a memory and a key; an unknown one is 404.',
      'usage.groups': 'groupBy gives each memory or key its days and totals, the most used first, 50 at most.',
      'usage.several-memories':
        'A request of several memories or of none counts for the organization, under no memory.',
      'usage.scopes':
        'A key of memories sees their figures alone; another memory is 404, and figures of keys are 403 scope_forbidden.',
      'usage.roles': 'Figures of keys need the role admin, as the list of keys does; all others need the role reader.',
      'usage.erasure':
        'Of a deleted memory and a revoked key only the totals of the organization are left, under no memory and no key.',
      'usage.kept':
        'Counts are written every few seconds and at the stop; a crash loses what was not yet written, and nothing else.',
    },
  ),
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
