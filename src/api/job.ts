import { type Static, Type } from 'typebox'
import { EARLIER, IDS } from './example-data.ts'
import { Count, Flag, List, Nullable, NullableTimestamp, OneOf, Text, Timestamp, WarningsSchema } from './values.ts'

/** All states of a job (API document, "States and transitions"). */
export const JOB_STATUSES = ['pending', 'processing', 'completed', 'failed', 'partial'] as const

/** Result fields of an add, in a response and in a job. */
export const ADDED_FIELDS = {
  documentsAdded: Count('Number of added documents.'),
  documentsSkipped: Count('Number of documents that deduplicate skipped.'),
  chunksCreated: Count('Number of chunks created.'),
  documentIds: List(Type.String(), 'Identifiers of the added documents.'),
  totalBytes: Count('Size of the added documents, in bytes.'),
  processingMs: Count('Processing time, in milliseconds.'),
}

const MemberSchema = Type.Object(
  {
    filename: Text('Path of the member in the archive. Empty once its document was deleted.'),
    status: OneOf(
      ['pending', 'ready', 'partial', 'duplicate', 'unsupported', 'failed', 'skipped'],
      '`pending` until its job ends, and then `ready` or `partial` if its document is searchable. Other members ' +
        'were not added, as a `duplicate` or with a message.',
    ),
    documentId: Nullable(Type.String(), 'Document of the member. Null if it has none.'),
    duplicateOf: Nullable(Type.String(), 'Existing document with the same content. Null unless it is a duplicate.'),
    message: Nullable(
      Type.String(),
      'Why the member was not added. A partial document has the reason in its field error.',
    ),
  },
  { $id: 'ArchiveMember', description: 'Result for a member of a ZIP archive.' },
)

/** Result for a member of a ZIP archive. */
export type ArchiveMember = Static<typeof MemberSchema>

/** Results for the members of an archive, in responses of an add and in jobs. */
export const MEMBERS_FIELD = {
  members: Type.Optional(List(MemberSchema, 'Result for each member. Present if the file is a ZIP archive.')),
}

const JobResultSchema = Type.Object(
  {
    ...ADDED_FIELDS,
    ...MEMBERS_FIELD,
    text: Type.Optional(
      Text(
        'Recognized text of an image sent to …/ocr, until the document is deleted: the first 32,768 characters. GET ' +
          '…/text has the whole text, and webhooks send no text.',
      ),
    ),
    warnings: WarningsSchema,
  },
  { description: 'Result of the job. Present if the job is completed or partial.' },
)

/** Added and skipped documents, with warnings. */
export type JobResult = Static<typeof JobResultSchema>

/** A job in a response. */
export const JobSchema = Type.Object(
  {
    id: Text('Unique identifier of the job. Starts with `job_`.'),
    memoryId: Nullable(Type.String(), 'Memory of the job. Null for imports until the memory exists.'),
    jobType: Text('Type of the job: documentingestion, memoryimport or reembedding.'),
    status: OneOf(
      JOB_STATUSES,
      'State of the job. Final states are `completed`, `failed`, and `partial` (done, but incomplete).',
    ),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Progress in percent.' }),
    message: Text('Current activity or result, for people.'),
    result: Type.Optional(JobResultSchema),
    error: Type.Optional(
      Text(
        'Cause of the failure, prefixed with the document title if the job adds a single document. Present ' +
          'if the job failed.',
      ),
    ),
    errorCode: Nullable(Type.String(), 'Error code, as in error responses. Null if nothing failed.'),
    isPartial: Flag('True if the job ended incomplete. A retry processes the missing parts.'),
    attempts: Count('Number of times that a worker started the job.'),
    createdAt: Timestamp('Time at which the job was created.'),
    startedAt: NullableTimestamp('Time at which a worker started the job. Null until then.'),
    completedAt: NullableTimestamp('Time at which the job ended. Null until then.'),
  },
  { $id: 'Job', description: 'A background job.' },
)

/** A job. `result` and `error` are present only where the API document says so. */
export type JobResource = Static<typeof JobSchema>

/** Request body of a re-embedding. */
export const ReembedBody = Type.Object({
  embeddingModel: Type.String({
    minLength: 1,
    description:
      'Configured embedding model, by its own name (`static-multi`) or by its setting (`embedded`, `openai:mini`).',
  }),
})

/** Job fields of every 202 response. */
export const ACCEPTED_FIELDS = {
  jobId: Text('Identifier of the background job.'),
  pollUrl: Text('Path of the job, relative to the base URL.'),
  status: OneOf(['pending'], 'State of the job.'),
}

/** Response 202 of a re-embedding. */
export const AcceptedJobSchema = Type.Object(
  { ...ACCEPTED_FIELDS, job: JobSchema, warnings: WarningsSchema },
  { $id: 'AcceptedJob', description: 'A background job that was just created.' },
)

/** Response 202 of a re-embedding. */
export type AcceptedJob = Static<typeof AcceptedJobSchema>

/** Example of a completed OCR job. */
export const JOB_EXAMPLE: JobResource = {
  id: IDS.job,
  memoryId: IDS.memory,
  jobType: 'documentingestion',
  status: 'completed',
  progress: 100,
  message: 'Added 1 of 1 document, 4 chunks.',
  result: {
    documentsAdded: 1,
    documentsSkipped: 0,
    chunksCreated: 4,
    documentIds: [IDS.scan],
    totalBytes: 845_120,
    processingMs: 9120,
    warnings: [],
  },
  errorCode: null,
  isPartial: false,
  attempts: 1,
  createdAt: EARLIER,
  startedAt: EARLIER,
  completedAt: '2026-11-21T09:46:51.602Z',
}

/** Example of the same job before a worker starts it. */
export const PENDING_JOB_EXAMPLE: JobResource = {
  id: IDS.job,
  memoryId: IDS.memory,
  jobType: JOB_EXAMPLE.jobType,
  status: 'pending',
  progress: 0,
  message: 'waiting for a worker',
  errorCode: null,
  isPartial: false,
  attempts: 0,
  createdAt: EARLIER,
  startedAt: null,
  completedAt: null,
}
