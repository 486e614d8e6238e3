import type { Client } from '../../client/client.ts'
import { ConflictError, NotFoundError } from '../../client/client-errors.ts'
import type { DocumentWithPages, Job } from '../../client/resources.ts'
import { describeMembers } from '../../text/describe-members.ts'
import { oneLine } from '../printing.ts'
import type { Task } from '../progress.ts'
import type { Outcome, Source } from './list-sources.ts'

/** Dependencies of waiting for documents. */
export type WaitDeps = { client: Client; memoryId: string; signal: AbortSignal; waits: boolean }

type KnownSource = { source: Source; known: readonly string[]; task: Task }

/**
 * Outcome of a source that was added before: present, or the end of its running job. Retries a
 * failed job. `null` if the source must be added again, since its documents are gone or cannot be
 * retried.
 */
export async function settleKnown(waiting: WaitDeps, { source, known, task }: KnownSource): Promise<Outcome | null> {
  const found = await Promise.all(known.map((id) => getDocument(waiting, id)))
  const documents = found.filter((document) => document !== null)
  // Some documents of an archive may have been deleted since.
  if (documents.length === 0 && known.length > 0) return null
  const unsettled = documents.find(({ status }) => status !== 'ready' && status !== 'partial')
  if (unsettled === undefined) return there(source, documents)
  const jobId = unsettled.status === 'failed' ? await retry(waiting, unsettled.jobId) : unsettled.jobId
  return jobId === null ? null : settleJob(waiting, { source, jobId, documentIds: known, task })
}

function there({ name: source }: Source, documents: readonly DocumentWithPages[]): Outcome {
  const partial = documents.find(({ status }) => status === 'partial')
  const inPart = partial === undefined ? '' : `, in part: ${oneLine(partial.error ?? '')}`
  const message = documents.length === 0 ? 'no text was found in it before' : `there already${inPart}`
  return { source, status: 'skipped', documentIds: documents.map(({ id }) => id), jobId: null, message }
}

async function getDocument({ client, memoryId, signal }: WaitDeps, id: string): Promise<DocumentWithPages | null> {
  try {
    return await client.documents.get(memoryId, id, { signal })
  } catch (error) {
    if (error instanceof NotFoundError && error.code === 'document_not_found') return null
    throw error
  }
}

async function retry({ client, signal }: WaitDeps, jobId: string | null): Promise<string | null> {
  if (jobId === null) return null
  try {
    return (await client.jobs.retry(jobId, { signal })).id
  } catch (error) {
    if (error instanceof ConflictError || error instanceof NotFoundError) return null
    throw error
  }
}

type AcceptedSource = { source: Source; jobId: string; documentIds: readonly string[]; task: Task }

/** Outcome of the job of a source; `accepted` without waiting. */
export async function settleJob(waiting: WaitDeps, accepted: AcceptedSource): Promise<Outcome> {
  const { source, jobId, documentIds, task } = accepted
  if (!waiting.waits) return { source: source.name, status: 'accepted', documentIds, jobId, message: jobId }
  const onProgress = ({ progress, message }: Job) => task.update(0.5 + progress / 200, oneLine(message))
  const job = await waiting.client.jobs.wait(jobId, { onProgress, signal: waiting.signal })
  return { source: source.name, status: toStatus(job), documentIds, jobId, message: toMessage(job) }
}

function toStatus({ status, result }: Job): Outcome['status'] {
  if (status === 'failed' || status === 'partial') return status
  return result !== undefined && result.documentsAdded === 0 ? 'duplicate' : 'added'
}

function toMessage({ status, error, message, result }: Job): string | null {
  const left = describeMembers(result?.members)
  if (status === 'completed') return left === null ? null : oneLine(left)
  return oneLine([error ?? message, ...(left === null ? [] : [left])].join(' '))
}
