import { Type } from 'typebox'
import { JobSchema } from './job.ts'
import { OneOf, WarningSchema } from './values.ts'

/** The body of a re-embedding. */
export const ReembedBody = Type.Object({
  embeddingModel: Type.String({
    minLength: 1,
    description: 'A configured embedder by its own name (static-en) or as the setting has it (embedded, openai:mini).',
  }),
})

/** 202 of a re-embedding. */
export const AcceptedJobSchema = Type.Object(
  {
    jobId: Type.String(),
    pollUrl: Type.String(),
    status: OneOf(['pending']),
    job: JobSchema,
    warnings: Type.Array(WarningSchema),
  },
  { $id: 'AcceptedJob' },
)
