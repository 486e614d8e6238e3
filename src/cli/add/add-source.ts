import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { AcceptedDocuments, AddedDocuments, RecognizedImage } from '../../client/answers.ts'
import type { Client } from '../../client/client.ts'
import { AuthenticationError, ConnectionError, NotFoundError, RecollectError } from '../../client/client-errors.ts'
import type { IngestOptions } from '../../client/requests.ts'
import { getHintedFormat } from '../../parsers/formats.ts'
import { describeMembers } from '../../text/describe-members.ts'
import { describeFailure } from '../failures.ts'
import { oneLine } from '../printing.ts'
import type { Task } from '../progress.ts'
import { createWatchedFetch } from '../watched-fetch.ts'
import type { Journal } from './journal.ts'
import type { Outcome, Source } from './list-sources.ts'
import { settleJob, settleKnown, type WaitDeps } from './settle.ts'

/** Dependencies and options of one run of `recollect add`. */
export type AddRun = WaitDeps & {
  openClient: (send: typeof fetch) => Client
  fetch: typeof fetch
  options: IngestOptions
  journal: Journal
  /** True to add known sources again. */
  isAgain: boolean
  /** True if upload progress is displayed. */
  showsBytes: boolean
  /** Sources handled in this run, by content, with their names. */
  taken: Map<string, string>
}

/**
 * Adds a source, unless the content was added before, and waits for the job. A problem of the
 * source is an outcome. A problem of all sources (no connection, key or memory) rejects.
 */
export async function addSource(adding: AddRun, source: Source, task: Task): Promise<Outcome> {
  const { journal, taken } = adding
  let id = ''
  try {
    id = await identify(source)
    const first = taken.get(id)
    if (first !== undefined) return skipped(source, `the same content as ${first}`)
    taken.set(id, source.name)
    const known = adding.isAgain ? null : journal.get(id)
    const settled = known?.documentIds ? await settleKnown(adding, { source, known: known.documentIds, task }) : null
    if (settled !== null) return settled
    const key = known?.documentIds === null ? known.key : randomUUID()
    await journal.begin(id, key)
    return await send(adding, { source, id, key, task })
  } catch (error) {
    if (adding.signal.aborted || concernsAll(error)) throw error
    if (id !== '') await journal.forget(id)
    const outcome = { source: source.name, documentIds: [], jobId: null, message: oneLine(describeFailure(error)) }
    return { ...outcome, status: 'failed' }
  }
}

function skipped(source: Source, message: string): Outcome {
  return { source: source.name, status: 'skipped', documentIds: [], jobId: null, message }
}

/** An error without a code is a bug of ours and must surface. */
function concernsAll(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof AuthenticationError) return true
  if (error instanceof NotFoundError && error.code === 'memory_not_found') return true
  return !(error instanceof RecollectError) && (error as NodeJS.ErrnoException).code === undefined
}

/** Identity of a source, under any name: the SHA-256 of its content, or its URL. */
async function identify(source: Source): Promise<string> {
  if (source.kind === 'url') return `url:${source.url}`
  const hash = createHash('sha256')
  if (source.kind === 'input') hash.update(source.content)
  else for await (const piece of createReadStream(source.path)) hash.update(piece as Buffer)
  return `sha256:${hash.digest('hex')}`
}

type SourceToSend = { source: Source; id: string; key: string; task: Task }
type AddResponse = AddedDocuments | RecognizedImage | AcceptedDocuments

async function send(adding: AddRun, { source, id, key, task }: SourceToSend): Promise<Outcome> {
  const totalBytes = await sizeOf(source)
  const onSent = (bytes: number) => {
    const fraction = Math.min(1, bytes / totalBytes)
    task.update(fraction / 2, fraction < 1 ? 'sending' : 'reading')
  }
  task.update(0, source.kind === 'url' ? 'downloading' : 'sending')
  // The key covers the options: the same request is answered once, and with other options it is a
  // new request.
  const request = createHash('sha256')
    .update(JSON.stringify([source.name, adding.options]))
    .digest('hex')
    .slice(0, 16)
  const watched = createWatchedFetch({
    send: adding.fetch,
    key: `${key}-${request}`,
    onSent: adding.showsBytes ? onSent : null,
  })
  const answer = await upload(adding, adding.openClient(watched), source)
  if ('jobId' in answer) {
    await adding.journal.finish(id, answer.documentIds)
    return settleJob(adding, { source, jobId: answer.jobId, documentIds: answer.documentIds, task })
  }
  const outcome = await describeAnswer(adding, source, answer)
  await adding.journal.finish(id, outcome.documentIds)
  return outcome
}

async function sizeOf(source: Source): Promise<number> {
  if (source.kind === 'url') return 1
  return Math.max(1, source.kind === 'input' ? source.content.byteLength : (await stat(source.path)).size)
}

async function upload({ memoryId, options, signal }: AddRun, client: Client, source: Source): Promise<AddResponse> {
  const asked = { ...options, signal }
  if (source.kind === 'url') return client.documents.addUrl(memoryId, source.url, asked)
  const file =
    source.kind === 'file'
      ? { path: source.path }
      : { content: new Blob([source.content as Uint8Array<ArrayBuffer>]), name: source.name }
  if (!getHintedFormat(source.name, null)?.isImage) return client.documents.addFile(memoryId, file, asked)
  const { enableOcr: _, ...ofPictures } = asked
  return client.recognize(memoryId, file, ofPictures)
}

async function describeAnswer(
  adding: AddRun,
  { name: source }: Source,
  answer: AddedDocuments | RecognizedImage,
): Promise<Outcome> {
  const { documentIds, documentsAdded, documentsSkipped } = answer
  const [document] = 'documents' in answer ? answer.documents : []
  const members = 'members' in answer ? answer.members : undefined
  if (documentsAdded > 0) {
    const partial = 'documents' in answer ? answer.documents.find(({ status }) => status === 'partial') : undefined
    const error = partial === undefined ? null : await readDocumentError(adding, partial.id ?? '')
    const left = describeMembers(members)
    const isPartial = partial !== undefined || members?.some(({ status }) => status === 'failed') === true
    const told = [error, left === null ? null : oneLine(left)].filter((sentence) => sentence !== null)
    const message = told.length === 0 ? null : told.join(' ')
    return { source, status: isPartial ? 'partial' : 'added', documentIds, jobId: null, message }
  }
  if (documentsSkipped === 0) {
    return { source, status: 'skipped', documentIds: [], jobId: null, message: 'no text was found in it' }
  }
  const original = document?.duplicateOf ?? null
  const message = original === null ? null : `much like ${original}`
  return { source, status: 'duplicate', documentIds: original === null ? [] : [original], jobId: null, message }
}

async function readDocumentError({ client, memoryId, signal }: AddRun, documentId: string): Promise<string | null> {
  const { error } = await client.documents.get(memoryId, documentId, { signal })
  return error === null ? null : oneLine(error)
}
