import { RecollectError } from '../../client/client-errors.ts'
import type { Job } from '../../client/resources.ts'
import { randomName } from '../../client/send-request.ts'
import { describeMembers } from '../../text/describe-members.ts'
import { followJob } from '../follow-job.ts'
import { pluralize } from '../format.ts'
import { describeError } from '../parts/notice.tsx'
import { type FileAnswer, sendFile } from '../transfers.ts'

/** Upload of a file: sending, then processing by a job if it takes long, then done or failed. */
export type Upload = {
  id: string
  /** Idempotency key of an attempt, and of retries until there is a final response. */
  idempotencyKey: string
  memoryId: string
  file: File
  phase: 'waiting' | 'sending' | 'reading' | 'done' | 'partial' | 'failed'
  /** Progress of the phase, from 0 to 1. */
  share: number
  note: string
  /** Added documents: several of an archive, and existing ones that were not added again. */
  documentIds?: readonly string[]
  /** True if the failure is due to the file itself, so that sending it again would fail again. */
  isFinal?: boolean
}

/** Errors that no retry can fix. */
const REFUSALS = [
  'unsupported_file_type',
  'unprocessable_document',
  'image_unreadable',
  'file_too_large',
  'image_too_large',
]

/**
 * Adds a file to a memory and reports its progress. Never rejects, because failures are reported as
 * well.
 */
export async function addFile(
  { memoryId, idempotencyKey, file }: Upload,
  tell: (facts: Partial<Upload>) => void,
): Promise<void> {
  try {
    tell({ phase: 'sending', share: 0, note: '' })
    const answer = await sendFile({
      memoryId,
      file,
      idempotencyKey,
      onProgress: (share) => tell(share < 1 ? { share } : { phase: 'reading', share: 0, note: 'processing' }),
    }).catch((error) => {
      // After a job was accepted, an error while polling is not final.
      if (isLastWord(error)) tell({ idempotencyKey: randomName() })
      throw error
    })
    if ('jobId' in answer) return await tellOfJob(answer.jobId, tell)
    tell(outcomeOf(answer))
  } catch (error) {
    const { message, remedy } = describeError(error)
    tell({ phase: 'failed', note: `${message} ${remedy}`, isFinal: isRefusal(error) })
  }
}

/** Returns whether the service replays this error under the same idempotency key. */
function isLastWord(error: unknown): boolean {
  if (!(error instanceof RecollectError) || error.code === 'idempotency_in_progress') return false
  return error.status >= 400 && error.status < 500
}

function isRefusal(error: unknown): boolean {
  return error instanceof RecollectError && REFUSALS.includes(error.code)
}

type AddedAnswer = Exclude<FileAnswer, { jobId: string }>

const NO_TEXT = { phase: 'failed', note: 'The file contains no text.', isFinal: true } as const

function outcomeOf(answer: AddedAnswer): Pick<Upload, 'phase' | 'note' | 'isFinal' | 'documentIds'> {
  const documentIds = [...answer.documentIds, ...duplicatesOf(answer)]
  if (answer.documentsSkipped > 0 && answer.documentsAdded === 0)
    return { phase: 'done', note: 'already added', documentIds }
  if ('text' in answer && answer.documentsAdded === 0) return NO_TEXT
  const members = 'members' in answer ? answer.members : undefined
  const left = describeMembers(members)
  const missing = answer.warnings.map(({ message }) => message).join(' ')
  const isPartial =
    left !== null || ('documents' in answer && answer.documents.some(({ status }) => status === 'partial'))
  const note = `${pluralize(answer.chunksCreated, 'passage')} searchable. ${left ?? missing}`
  return { phase: isPartial ? 'partial' : 'done', note, documentIds }
}

function duplicatesOf(answer: AddedAnswer): string[] {
  if ('text' in answer) return answer.duplicateOf === null ? [] : [answer.duplicateOf]
  return answer.documents.flatMap(({ duplicateOf }) => duplicateOf ?? [])
}

async function tellOfJob(jobId: string, tell: (facts: Partial<Upload>) => void): Promise<void> {
  const onProgress = ({ progress, message }: Job) => tell({ phase: 'reading', share: progress / 100, note: message })
  const job = await followJob(jobId, onProgress)
  if (job.status === 'failed') {
    const isFinal = REFUSALS.includes(job.errorCode ?? '')
    tell({ phase: 'failed', note: job.error ?? job.message, isFinal, idempotencyKey: randomName() })
    return
  }
  const left = describeMembers(job.result?.members)
  const documentIds = job.result?.documentIds ?? []
  if (job.status === 'partial') return tell({ phase: 'partial', note: `${job.message} ${left ?? ''}`, documentIds })
  const note = `${pluralize(job.result?.chunksCreated ?? 0, 'passage')} searchable. ${left ?? ''}`
  tell({ phase: left === null ? 'done' : 'partial', note, documentIds })
}
