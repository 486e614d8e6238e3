import type { Service } from './service.ts'
import type { TextDocument } from './texts.ts'
import { percentile, timeEach } from './timings.ts'

/** Documents a request, some 500 chunks: a quarter of what is still answered at once. */
const DOCUMENTS_A_REQUEST = 50
const CLIENTS = 4
const SINGLE_ADDS = 60
const POLL_PAUSE_S = 30

/** Makes a memory and gives its identifier. */
export async function makeMemory(service: Service, name: string): Promise<string> {
  const { id } = (await service.send('POST', '/v1/memories', { name })) as { id: string }
  return id
}

/** Adds documents in batches, four requests at a time, and gives chunks, chunks a second and the slowest request. */
export async function addInBatches(
  service: Service,
  memoryId: string,
  documents: readonly TextDocument[],
): Promise<{ chunks: number; perSecond: number }> {
  const batches: TextDocument[][] = []
  for (let i = 0; i < documents.length; i += DOCUMENTS_A_REQUEST)
    batches.push(documents.slice(i, i + DOCUMENTS_A_REQUEST))
  let chunks = 0
  const started = performance.now()
  await timeEach(batches, CLIENTS, async (batch) => {
    const added = await service.send('POST', `/v1/memories/${memoryId}/documents`, { documents: batch })
    chunks += (added as { chunksCreated: number }).chunksCreated
  })
  return { chunks, perSecond: (1000 * chunks) / (performance.now() - started) }
}

/** What one document after the other costs, in milliseconds: until the add is answered, and until a find showed it. */
export type SingleAdds = { answered: { p50: number; p95: number }; searchable: { p50: number; p95: number } }

/** Adds documents one by one, each with a word of its own that is looked for at once. Throws when it is not found. */
export async function addOneByOne(
  service: Service,
  memoryId: string,
  documents: readonly TextDocument[],
): Promise<SingleAdds> {
  const answered: number[] = []
  const searchable: number[] = []
  for (const [index, { title, text }] of documents.slice(0, SINGLE_ADDS).entries()) {
    const word = `zq${index}x${documents.length}`
    const document = { title, text: `${word} ${text.slice(0, 900)}` }
    const started = performance.now()
    await service.send('POST', `/v1/memories/${memoryId}/documents`, { documents: [document] })
    answered.push(performance.now() - started)
    const found = await service.send('POST', `/v1/memories/${memoryId}/find`, {
      query: word,
      options: { mode: 'lexical' },
    })
    if ((found as { hits: unknown[] }).hits.length === 0) throw new Error(`${word} was added and is not found`)
    searchable.push(performance.now() - started)
  }
  return { answered: summary(answered), searchable: summary(searchable) }
}

/** What a job over one large file showed: chunks a second, the service's answers meanwhile, its memory. */
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
