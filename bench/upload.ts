import type { Answer } from './http-client.ts'
import type { Service } from './service.ts'

/** A file as sent by a client. */
export type FileToSend = { filename: string; content: Blob; isImage: boolean }

/** The outcome of a file. */
export type Outcome = {
  /** The status of the upload. */
  status: number
  /**
   * The end: `refused` with a 4xx, `broken` with a 5xx or without an answer, otherwise the status
   * of the document or its job.
   */
  end: 'ready' | 'partial' | 'failed' | 'nothing added' | 'refused' | 'broken'
  /** Code and message of an error, of a failed job, or of missing content. */
  code: string | null
  message: string | null
  documentId: string | null
  /** The record of the document, where there is one. */
  document: DocumentFacts | null
  /** Milliseconds until the document was searchable or refused. */
  elapsedMs: number
  /** The text of a picture's answer; `null` for documents, whose text is requested separately. */
  text: string | null
}

const ANSWER_TIMEOUT_MS = 300_000
const POLL_PAUSE_S = 30

/**
 * Uploads a file, pictures for recognition, and waits for a job. Never rejects because of an
 * answer.
 */
export async function uploadFile(
  service: Service,
  memoryId: string,
  { filename, content, isImage }: FileToSend,
  mode = 'fast',
): Promise<Outcome> {
  const form = new FormData()
  form.set('file', content, filename)
  if (isImage) form.set('mode', mode)
  const path = `/v1/memories/${memoryId}/${isImage ? 'ocr' : 'documents'}`
  const started = performance.now()
  let answer: Answer
  try {
    answer = await service.ask('POST', path, form, ANSWER_TIMEOUT_MS)
    if (answer.status === 202) return await followJob(service, { memoryId, accepted: answer, started })
  } catch (error) {
    return { ...endAs('broken', 0, started), message: explain(error) }
  }
  const { error, documentIds, text = null } = answer.body as AddAnswer
  if (answer.status >= 400) {
    const end = answer.status >= 500 ? 'broken' : 'refused'
    return { ...endAs(end, answer.status, started), code: error?.code ?? null, message: error?.message ?? null }
  }
  const documentId = documentIds?.[0] ?? null
  if (documentId === null) return { ...endAs('nothing added', answer.status, started), text }
  const outcome = endAs('ready', answer.status, started)
  const document = await getDocument(service, memoryId, documentId)
  const end = document.status === 'partial' ? 'partial' : 'ready'
  return { ...outcome, end, documentId, document, text, message: document.error }
}

type AddAnswer = { error?: { code: string; message: string }; documentIds?: string[]; text?: string }
type Job = { status: string; errorCode?: string | null; error?: string | null; message?: string | null }

type Followed = { memoryId: string; accepted: Answer; started: number }

async function followJob(service: Service, { memoryId, accepted, started }: Followed): Promise<Outcome> {
  const { pollUrl, documentIds } = accepted.body as { pollUrl: string; documentIds: string[] }
  let job: Job
  do job = (await service.send('GET', `${pollUrl}?wait=${POLL_PAUSE_S}`)) as Job
  while (job.status === 'pending' || job.status === 'processing')
  const end = job.status === 'completed' ? 'ready' : job.status === 'partial' ? 'partial' : 'failed'
  const outcome = endAs(end, accepted.status, started)
  const [documentId = null] = end === 'failed' ? [] : documentIds
  return {
    ...outcome,
    code: job.errorCode ?? null,
    message: job.error ?? job.message ?? null,
    documentId,
    document: documentId === null ? null : await getDocument(service, memoryId, documentId),
  }
}

function endAs(end: Outcome['end'], status: number, started: number): Outcome {
  const elapsedMs = performance.now() - started
  return { status, end, code: null, message: null, documentId: null, document: null, elapsedMs, text: null }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** The document fields that benches use. */
type DocumentFacts = {
  status: string
  error: string | null
  pageCount: number | null
  characterCount: number
  pages: { page: number; method: string; message: string | null }[]
}

async function getDocument(service: Service, memoryId: string, documentId: string): Promise<DocumentFacts> {
  return (await service.send('GET', `/v1/memories/${memoryId}/documents/${documentId}`)) as DocumentFacts
}

/** The extracted text of a document. */
export async function getText(service: Service, memoryId: string, documentId: string): Promise<string> {
  const { body } = await service.ask('GET', `/v1/memories/${memoryId}/documents/${documentId}/text`)
  return typeof body === 'string' ? body : ''
}
