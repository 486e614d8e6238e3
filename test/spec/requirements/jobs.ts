import { requirementsOf } from './requirement.ts'

const api = (section: string) => ({ source: 'api', section, part: 1 }) as const
const contract = { source: 'contract', section: 'Answers: Job', part: 1 } as const

/** Jobs, their states and endpoints. */
export const jobRequirements = [
  ...requirementsOf(api('Resources: Job'), {
    'jobs.id': 'id: the job identifier.',
    'jobs.memory-id': 'memoryId: the memory the job belongs to.',
    'jobs.job-type': 'jobType: ingestion jobs carry documentingestion.',
    'jobs.status': 'status: pending, processing, completed, failed or partial.',
    'jobs.progress': 'progress: int, 0 to 100.',
    'jobs.message': 'message: a human-readable description of progress.',
    'jobs.result':
      'result: present when completed, with documentsAdded, chunksCreated, documentIds, totalBytes, processingMs.',
    'jobs.error': 'error: present when failed.',
    'jobs.is-partial': 'isPartial: true when the job ended with partial results, for example at a quota.',
    'jobs.times': 'createdAt, startedAt, completedAt: job timing.',
  }),
  ...requirementsOf(api('States and transitions'), {
    'jobs.state.created': 'An add answered with 202 makes a pending job; the answer carries jobId and pollUrl.',
    'jobs.state.processing': 'The worker picks the job up: processing, startedAt set, progress and message update.',
    'jobs.state.completed': 'All work done: completed, result set, progress 100, completedAt set.',
    'jobs.state.failed': 'Processing failed: failed, error set.',
    'jobs.state.partial': 'Only partial results, for example quota reached: partial, isPartial true.',
  }),
  ...requirementsOf(api('Endpoints: Jobs'), {
    'jobs.get': 'GET /v1/jobs/:id answers the job object.',
    'jobs.list': 'GET /v1/jobs answers the list of jobs.',
    'jobs.list.status': 'status filters by pending, processing, completed, failed.',
    'jobs.list.memory-id': 'memoryId filters by memory.',
    'jobs.list.limit': 'limit is 1 to 100, default 20.',
  }),
  ...requirementsOf(contract, {
    'jobs.further-fields': 'A job also has errorCode and attempts.',
    'jobs.partial-message': 'A partial job has a message that says what is missing.',
    'jobs.list.partial': 'The filter status takes partial too.',
    'jobs.wait': 'GET /v1/jobs/:id?wait=30 holds the answer until the job ends or 30 s pass.',
    'jobs.events': 'GET /v1/jobs/:id/events streams progress (SSE).',
    'jobs.cancel': 'POST /v1/jobs/:id/cancel cancels.',
    'jobs.retry': 'POST /v1/jobs/:id/retry retries failed or partial jobs, and does only what is missing.',
  }),
  ...requirementsOf(
    { ...contract, part: 2 },
    {
      'jobs.partial-ocr-message': 'A job stopped at ocrMaxPages says "recognised 50 of 180 pages: ocrMaxPages".',
    },
  ),
]
