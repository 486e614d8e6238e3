import { Type } from 'typebox'
import { VERIFICATION } from '../../limits.ts'
import { Count, Nullable } from './values.ts'

/** One thing that is wrong with a memory. */
const ProblemSchema = Type.Object(
  {
    code: Type.String({ description: 'Its name, such as missing_chunks; docs/guides/verifying.md lists them.' }),
    message: Type.String(),
    documentId: Nullable(Type.String()),
    mendable: Type.Boolean({ description: 'Whether recollect doctor --storage --fix mends it.' }),
    remedy: Type.String(),
  },
  { $id: 'VerificationProblem' },
)

/** Whether a memory is whole. */
export const VerificationSchema = Type.Object(
  {
    ok: Type.Boolean(),
    documents: Type.Integer({ minimum: 0, description: 'Documents that were looked at, without corrections.' }),
    chunks: Type.Integer({ minimum: 0, description: 'Chunks that there should be, those of corrections included.' }),
    problemsFound: Count,
    problems: Type.Array(ProblemSchema, { maxItems: VERIFICATION.problems, description: 'The first of those found.' }),
  },
  { $id: 'Verification' },
)
