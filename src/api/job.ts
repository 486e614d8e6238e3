import { type Static, Type } from 'typebox'
import { EARLIER, IDS } from './story.ts'
import { Count, Flag, List, Nullable, NullableTimestamp, OneOf, Text, Timestamp, WarningsSchema } from './values.ts'

/** Every state of a job (API document, "States and transitions"). */
export const JOB_STATUSES = ['pending', 'processing', 'completed', 'failed', 'partial'] as const

/** The state of a job. */
export type JobStatus = (typeof JOB_STATUSES)[number]

/** What adding comes to, in a request and in a job. */
export const ADDED_FIELDS = {
  documentsAdded: Count('The documents that were added.'),
  documentsSkipped: Count('The documents that were left out, as deduplicate found them in the memory already.'),
  chunksCreated: Count('The chunks that were made of the documents.'),
  documentIds: List(Type.String(), 'The identifiers of the documents that were added.'),
  totalBytes: Count('The bytes of what was added, as it came.'),
  processingMs: Count('The time that the work took, in milliseconds.'),
}

const JobResultSchema = Type.Object(
  { ...ADDED_FIELDS, warnings: WarningsSchema },
  { description: 'What the job did. It is present where the job ended completed or partial.' },
)

/** What was added and left out; `warnings` say what a caller should know of it. */
export type JobResult = Static<typeof JobResultSchema>

/** A job as callers see it. */
export const JobSchema = Type.Object(
  {
    id: Text('The identifier of the job. It begins with job_.'),
    memoryId: Nullable(
      Type.String(),
      'The memory that the job belongs to; null for an import until that has made one.',
    ),
    jobType: Text('The kind of work: documentingestion, memoryimport or reembedding.'),
    status: OneOf(
      JOB_STATUSES,
      'The state of the job. It ends completed, failed, or partial, which is done with something missing.',
    ),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'How much is done, in percent.' }),
    message: Text('What the job does or did, as a sentence for people.'),
    result: Type.Optional(JobResultSchema),
    error: Type.Optional(
      Text(
        'Why the job failed, behind the title of its document where it adds one alone. It is present where ' +
          'the job failed.',
      ),
    ),
    errorCode: Nullable(Type.String(), 'The name of the error, as in error answers; null where nothing failed.'),
    isPartial: Flag('Whether the job ended with something missing. A retry does what is missing.'),
    attempts: Count('How often a worker took the job on.'),
    createdAt: Timestamp('When the job was made.'),
    startedAt: NullableTimestamp('When a worker took the job on; null until then.'),
    completedAt: NullableTimestamp('When the job ended; null until then.'),
  },
  { $id: 'Job', description: 'Work that goes on behind an answer.' },
)

/** `result` and `error` are present only when the API document says so. */
export type JobResource = Static<typeof JobSchema>

/** The body of a re-embedding. */
export const ReembedBody = Type.Object({
  embeddingModel: Type.String({
    minLength: 1,
    description: 'A configured embedder by its own name (static-en) or as the setting has it (embedded, openai:mini).',
  }),
})

/** What every 202 says of its job. */
export const ACCEPTED_FIELDS = {
  jobId: Text('The identifier of the job that does the work.'),
  pollUrl: Text('Where the job can be read, relative to the base address.'),
  status: OneOf(['pending'], 'The state of the job.'),
}

/** 202 of a re-embedding. */
export const AcceptedJobSchema = Type.Object(
  { ...ACCEPTED_FIELDS, job: JobSchema, warnings: WarningsSchema },
  { $id: 'AcceptedJob', description: 'Work that a job does from now on.' },
)

/** 202 of a re-embedding. */
export type AcceptedJob = Static<typeof AcceptedJobSchema>

/** A job that has recognised a scan. */
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

/** The same job before a worker took it. */
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
