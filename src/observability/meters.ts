import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Inventory } from '../services/health/metrics-service.ts'

/** Outcome of a call; `stopped` means that the caller aborted. */
export type Outcome = 'ok' | 'failed' | 'stopped'

/** An answered or aborted request; `route` is the template of its path, `null` without a route. */
type MeteredRequest = {
  method: string
  route: string | null
  status: number
  isAborted: boolean
  seconds: number
}

/**
 * Counters of a process. Labels are our own names, a few dozen each. Never an identifier, a
 * caller's name, or any content of a document.
 */
export type Meters = {
  requestEnded(request: MeteredRequest): void
  /** `outcome`: the state of the job after the run. */
  jobEnded(job: { type: string; outcome: string; seconds: number }): void
  /** `method` as in the report of the page. */
  pageRead(method: string): void
  /** A task of a child process, including the wait for a free child. */
  taskEnded(task: { task: string; outcome: Outcome; seconds: number }): void
  modelCalled(call: { model: string; outcome: Outcome; seconds: number }): void
  pictureAsked(isKept: boolean): void
  /** One delivery attempt of a webhook. */
  webhookSent(attempt: { outcome: 'ok' | 'failed'; seconds: number }): void
  /** All counters and the inventory of the installation in Prometheus text format 0.0.4. */
  print(stock: Inventory): Promise<string>
}

/** In seconds, from a search in memory to the time limit of a request. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
/** In seconds, from a small text to hundreds of scans. */
const JOB_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 180, 600, 1800]
const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
/**
 * Sampling interval of the event loop. The usual 10 ms wake an idle process a hundred times a
 * second.
 */
const EVENT_LOOP_PRECISION_MS = 50

/** Creates counters at zero, and those of process, heap and event loop. */
export function createMeters(version: string): Meters {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
  const build = new Gauge({
    name: 'recollect_build_info',
    help: 'Always 1; its label is the version.',
    labelNames: ['version'],
    registers,
  })
  build.set({ version }, 1)
  const showStock = createStockGauges(registers)
  const aborted = new Counter({
    name: 'recollect_http_requests_aborted_total',
    help: 'Requests whose sender left before the answer.',
    labelNames: ['route'],
    registers,
  })
  const pages = new Counter({
    name: 'recollect_pages_total',
    help: 'Pages, sheets, slides and pictures that were read, of documents that have such: text, ocr, empty or failed.',
    labelNames: ['method'],
    registers,
  })
  const pictures = new Counter({
    name: 'recollect_page_pictures_total',
    help: 'Pictures of pages that were asked for, by whether they were kept (hit) or had to be drawn (miss).',
    labelNames: ['cache'],
    registers,
  })
  const { requests, jobs, tasks, models, webhooks } = createHistograms(registers)

  return {
    requestEnded({ method, route, status, isAborted, seconds }) {
      // Clients must not choose labels with unknown paths.
      const labels = route === null ? { method: 'other', route: 'none' } : { method, route }
      if (isAborted) aborted.inc({ route: labels.route })
      else requests.observe({ ...labels, status }, seconds)
    },
    jobEnded: ({ type, outcome, seconds }) => jobs.observe({ type, outcome }, seconds),
    pageRead: (method) => pages.inc({ method }),
    taskEnded: ({ task, outcome, seconds }) => tasks.observe({ task, outcome }, seconds),
    modelCalled: ({ model, outcome, seconds }) => models.observe({ model, outcome }, seconds),
    webhookSent: ({ outcome, seconds }) => webhooks.observe({ outcome }, seconds),
    pictureAsked: (isKept) => pictures.inc({ cache: isKept ? 'hit' : 'miss' }),
    print(stock) {
      showStock(stock)
      return registry.metrics()
    },
  }
}

function createHistograms(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'recollect_http_request_seconds',
      help: 'Answered requests, by the time from head to last byte.',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    jobs: new Histogram({
      name: 'recollect_job_run_seconds',
      help: 'Runs of jobs in this process, by the state of the job afterwards; pending means a retry.',
      labelNames: ['type', 'outcome'],
      buckets: JOB_BUCKETS,
      registers,
    }),
    tasks: new Histogram({
      name: 'recollect_child_task_seconds',
      help:
        'Tasks of child processes, including the wait for a free child: recognize-page recognises a page, ' +
        'draw-marked-page renders it. Parsing of whole files is not included.',
      labelNames: ['task', 'outcome'],
      buckets: CALL_BUCKETS,
      registers,
    }),
    models: new Histogram({
      name: 'recollect_model_call_seconds',
      help: 'Calls of configured models: chat, embedder, reranker, vision.',
      labelNames: ['model', 'outcome'],
      buckets: CALL_BUCKETS,
      registers,
    }),
    webhooks: new Histogram({
      name: 'recollect_webhook_attempt_seconds',
      help: 'Delivery attempts of webhook messages, without tests.',
      labelNames: ['outcome'],
      buckets: CALL_BUCKETS,
      registers,
    }),
  }
}

const JOB_STATES = ['pending', 'processing']

function createStockGauges(registers: Registry[]): (stock: Inventory) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const byState = (name: string, help: string) => new Gauge({ name, help, labelNames: ['state'], registers })
  const jobs = byState('recollect_jobs', 'Unfinished jobs of the whole installation.')
  const age = byState('recollect_jobs_oldest_seconds', 'Time since the oldest unfinished job was made; 0 without jobs.')
  const memories = gauge('recollect_memories', 'Memories of the whole installation.')
  const documents = gauge('recollect_documents', 'Documents of the whole installation.')
  const chunks = gauge('recollect_chunks', 'Chunks of the whole installation.')
  const messages = gauge('recollect_webhook_messages', 'Messages waiting for delivery to a webhook, retries included.')
  const byStage = (name: string, help: string) => new Gauge({ name, help, labelNames: ['stage'], registers })
  const removals = byStage(
    'recollect_removals_waiting',
    'Remains of deletions and imports that may still be on disk or in the store. ' +
      'A memory is watched for 10 minutes, a memory file for 15, a document not at all.',
  )
  const removalAge = byStage(
    'recollect_removals_oldest_seconds',
    'Time since the oldest of these deletions; 0 without.',
  )
  const bytes = gauge('recollect_stored_bytes', 'Stored originals and extracted texts, as quotas count them.')
  return (stock) => {
    for (const state of JOB_STATES) {
      const found = stock.jobs.find((one) => one.state === state)
      jobs.set({ state }, found?.count ?? 0)
      age.set({ state }, found?.oldestSeconds ?? 0)
    }
    for (const { stage, count, oldestSeconds } of stock.removals) {
      removals.set({ stage }, count)
      removalAge.set({ stage }, oldestSeconds)
    }
    memories.set(stock.memories)
    documents.set(stock.documents)
    chunks.set(stock.chunks)
    bytes.set(stock.storedBytes)
    messages.set(stock.webhookMessages)
  }
}
