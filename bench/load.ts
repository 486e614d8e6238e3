import type { Service } from './service.ts'
import type { TextDocument } from './texts.ts'
import { percentile, timeEach } from './timings.ts'

/** The text of a request: half the limit for a synchronous answer, some 1,800 chunks. */
const BYTES_A_REQUEST = 2 ** 20
const DOCUMENTS_A_REQUEST = 500
const CLIENTS = 4
const POLL_PAUSE_S = 30

/** Creates a memory and returns its identifier. */
export async function makeMemory(service: Service, name: string): Promise<string> {
  const { id } = (await service.send('POST', '/v1/memories', { name })) as { id: string }
  return id
}

/** Adds documents in batches, four requests at a time, and gives chunks and chunks a second. */
export async function addInBatches(
  service: Service,
  memoryId: string,
  documents: readonly TextDocument[],
): Promise<{ chunks: number; perSecond: number }> {
  const batches = toBatches(documents)
  let chunks = 0
  const started = performance.now()
  await timeEach(batches, CLIENTS, async (batch) => {
    const added = await service.send('POST', `/v1/memories/${memoryId}/documents`, { documents: batch })
    chunks += (added as { chunksCreated: number }).chunksCreated
  })
  return { chunks, perSecond: (1000 * chunks) / (performance.now() - started) }
}

/** Documents a request: as many as a synchronous answer allows. */
export function toBatches<Document extends { text: string }>(documents: readonly Document[]): Document[][] {
  const batches: Document[][] = []
  let bytes = BYTES_A_REQUEST
  for (const document of documents) {
    const size = Buffer.byteLength(document.text)
    if (bytes + size > BYTES_A_REQUEST || batches.at(-1)?.length === DOCUMENTS_A_REQUEST) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)?.push(document)
    bytes += size
  }
  return batches
}

/**
 * The measurements of a job over one large file: chunks a second, latency of other requests,
 * memory.
 */
export type FileJob = {
  chunks: number
  perSecond: number
  /** Of `GET /health` every 20 ms while the job ran, in milliseconds. */
  health: { p50: number; p95: number; max: number }
  /** The most megabytes in memory, seen every 20 ms. */
  peakRss: number | null
}

/** Uploads one text file and waits for its job. */
export async function addFile(service: Service, memoryId: string, text: string): Promise<FileJob> {
  const form = new FormData()
  form.set('file', new Blob([text], { type: 'text/plain' }), 'large.txt')
  const accepted = await service.send('POST', `/v1/memories/${memoryId}/documents`, form)
  const { pollUrl } = accepted as { pollUrl: string }
  const started = performance.now()
  const watch = watchService(service)
  let job: { status: string; result?: { chunksCreated: number } | null; error?: string | null }
  do job = (await service.send('GET', `${pollUrl}?wait=${POLL_PAUSE_S}`)) as typeof job
  while (job.status === 'pending' || job.status === 'processing')
  const elapsedMs = performance.now() - started
  const seen = await watch.stop()
  if (job.status !== 'completed') throw new Error(`the job ended ${job.status}: ${job.error}`)
  const chunks = job.result?.chunksCreated ?? 0
  return { chunks, perSecond: (1000 * chunks) / elapsedMs, ...seen }
}

function watchService(service: Service): { stop(): Promise<Pick<FileJob, 'health' | 'peakRss'>> } {
  const times: number[] = []
  let peakRss: number | null = null
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const before = performance.now()
      await service.send('GET', '/health')
      times.push(performance.now() - before)
      peakRss = Math.max(peakRss ?? 0, service.rss() ?? 0) || null
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      return { health: { ...summary(times), max: percentile(times, 1) }, peakRss }
    },
  }
}

function summary(timesMs: readonly number[]): { p50: number; p95: number } {
  return { p50: percentile(timesMs, 0.5), p95: percentile(timesMs, 0.95) }
}
