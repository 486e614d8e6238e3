import { Type } from 'typebox'
import { Count, Nullable, OneOf, Timestamp, WarningSchema } from './values.ts'

/** Every state of a job (API document, "States and transitions"). */
export const JOB_STATUSES = ['pending', 'processing', 'completed', 'failed', 'partial'] as const

/** What adding comes to, in a request and in a job. */
export const ADDED_FIELDS = {
  documentsAdded: Count,
  documentsSkipped: Count,
  chunksCreated: Count,
  documentIds: Type.Array(Type.String()),
  totalBytes: Count,
  processingMs: Count,
}

const JobResultSchema = Type.Object({
  ...ADDED_FIELDS,
  warnings: Type.Array(WarningSchema),
})

/** A job as callers see it. */
export const JobSchema = Type.Object(
  {
    id: Type.String(),
    memoryId: Nullable(
      Type.String({ description: 'The memory it belongs to; null of an import until that has made one.' }),
    ),
    jobType: Type.String(),
    status: OneOf(JOB_STATUSES),
    progress: Type.Integer({ minimum: 0, maximum: 100 }),
    message: Type.String(),
    result: Type.Optional(JobResultSchema),
    error: Type.Optional(
      Type.String({ description: 'Why it failed, behind the title of its document where it adds one alone.' }),
    ),
    errorCode: Nullable(Type.String()),
    isPartial: Type.Boolean(),
    attempts: Count,
    createdAt: Timestamp,
    startedAt: Nullable(Timestamp),
    completedAt: Nullable(Timestamp),
  },
  { $id: 'Job' },
)
