import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createWorker } from '../../../src/jobs/worker.ts'
import type { PlanId } from '../../../src/limits.ts'
import type { ParserPoolOptions } from '../../../src/parsers/child/parser-pool.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import type { ImageOptions, IngestOptions } from '../../../src/services/ingest/ingest.ts'
import type { InlineReading } from '../../../src/services/ingest/ingest-deps.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { createIngestionJob } from '../../../src/services/ingest/job/ingestion-job.ts'
import { INGESTION_JOB } from '../../../src/services/jobs/job-handler.ts'
import { createJobsService } from '../../../src/services/jobs/jobs-service.ts'
import { OPTIONS, openIngestFixture } from './ingest-fixture.ts'
import { HEAD, NOTED, PICTURE_HEAD, type ScriptedPage } from './scan-tasks.ts'

/**
 * A fixture in which PDFs and pictures are scripts (`scan-tasks.ts`), with a worker started on
 * demand.
 */
export async function openScanFixture(
  t: TestContext,
  plan: PlanId = 'unlimited',
  { pool, inlineReading }: { pool?: Partial<ParserPoolOptions>; inlineReading?: InlineReading } = {},
) {
  const fixture = await openIngestFixture(t, plan, new URL('./scan-tasks.ts', import.meta.url), pool)
  const { caller, memory } = fixture
  const parts = { ...fixture.parts, ...(inlineReading && { inlineReading }) }
  const { db, changes, log, now, temporaryDirectory } = parts
  const ingest = createIngestService(parts)
  const documents = createDocumentsService(parts)
  const handlers = { [INGESTION_JOB]: createIngestionJob(parts) }
  const jobs = createJobsService({ ...parts, handlers, pollMs: 20 })
  let files = 0

  const writeScript = async (head: string, pages: readonly ScriptedPage[]) => {
    const path = join(temporaryDirectory, `script-${++files}`)
    const content = head + JSON.stringify(pages)
    await writeFile(path, content)
    return { path, bytes: Buffer.byteLength(content), declaredType: null }
  }
  const addScript = async (
    pages: readonly ScriptedPage[],
    options: Partial<IngestOptions> = {},
    signal = new AbortController().signal,
  ) => {
    const file = { ...(await writeScript(HEAD, pages)), filename: 'script.pdf' }
    return ingest.addFile(caller, memory.id, { file, options: { ...OPTIONS, ...options }, work: { signal } })
  }
  const addPicture = async (pages: readonly ScriptedPage[], options: Partial<ImageOptions> = {}) => {
    const file = { ...(await writeScript(PICTURE_HEAD, pages)), filename: 'script.tiff' }
    const asked = { ...OPTIONS, mode: 'fast', languageHints: [], ...options } as const
    return ingest.addImage(caller, memory.id, {
      image: file,
      options: asked,
      work: { signal: new AbortController().signal },
    })
  }
  const startWorker = () => {
    const worker = createWorker({ db, handlers, changes, log, now, isOnly: true, pollMs: 10, reportMs: 1 })
    t.after(() => worker.stop())
    worker.start()
    return worker
  }
  const endOfJob = (jobId: string) => jobs.wait(caller, jobId, { waitMs: 60_000, signal: new AbortController().signal })
  const readDocument = (id: string) => documents.get(caller, memory.id, id)
  const readText = async (id: string) => {
    const { content } = await documents.text(caller, memory.id, id)
    return (await content.toArray()).map(String).join('')
  }
  let told = 0
  const listBegun = () => {
    const path = join(temporaryDirectory, NOTED)
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(Number) : []
  }
  /** The pages whose recognition started since the last call, in numerical order. */
  const listRecognized = () => {
    const all = listBegun()
    const fresh = all.slice(told)
    told = all.length
    return fresh.sort((a, b) => a - b)
  }
  /** Resolves when exactly these pages have started since the beginning; otherwise never. */
  const untilRecognized = async (pages: readonly number[]) => {
    while (
      listBegun()
        .sort((a, b) => a - b)
        .join() !== pages.join()
    )
      await pause(10)
  }
  const listObjects = async () => {
    const keys = await parts.blobs.list(`memories/${memory.id}/`)
    return keys.map((key) => key.split('/').slice(4).join('/')).sort()
  }
  const service = { jobs, documents, writeScript, addScript, addPicture, startWorker, endOfJob, readDocument, readText }
  return { ...fixture, parts, ingest, ...service, listRecognized, untilRecognized, listObjects }
}

/** A file of `count` scans with distinct words. */
export function scans(count: number): ScriptedPage[] {
  return Array.from({ length: count }, (_, index) => ({ scan: `The words of scan ${index + 1}.` }))
}
