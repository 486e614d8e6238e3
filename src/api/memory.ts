import { type Static, Type } from 'typebox'
import { MEMORY_DESCRIPTION_CHARACTERS, MEMORY_NAME_CHARACTERS, NAME_CHARACTERS, VERIFICATION } from '../limits.ts'
import { FilePart } from './fields.ts'
import { IngestOptionsSchema } from './ingest.ts'
import { PROJECT_EXAMPLE } from './project.ts'
import { EARLIER, IDS, LATER } from './story.ts'
import { Count, Flag, List, Nullable, OneOf, Text, Timestamp, WarningsSchema } from './values.ts'

/** A memory as callers see it. */
export const MemorySchema = Type.Object(
  {
    id: Text('The identifier of the memory. It begins with mem_.'),
    name: Text('The name of the memory.'),
    description: Nullable(Type.String(), 'What the memory is for; null where nobody said.'),
    projectId: Nullable(Type.String(), 'The project of the memory; null where it belongs to none.'),
    projectName: Nullable(Type.String(), 'The name of that project; null where the memory belongs to none.'),
    status: OneOf(['ready'], 'The state of the memory. A memory that exists is always ready.'),
    documentCount: Count('The documents that can be found. Lists have those that wait or failed as well.'),
    chunkCount: Count('The chunks of these documents: the passages that a search finds.'),
    correctionCount: Count('The corrections of the memory.'),
    sizeBytes: Count('The bytes of stored originals and of extracted texts, as UTF-8, together.'),
    embeddingModel: Nullable(
      Type.String(),
      'The model that made the vectors of the memory; null until the first document is added.',
    ),
    createdAt: Timestamp('When the memory was made.'),
    updatedAt: Timestamp('When the memory or something in it last changed.'),
  },
  { $id: 'Memory', description: 'A searchable container of documents.' },
)

/** A memory as callers see it. */
export type MemoryResource = Static<typeof MemorySchema>

/** The body of POST /v1/memories. */
export const CreateMemoryBody = Type.Object({
  name: Type.String({
    minLength: MEMORY_NAME_CHARACTERS.min,
    maxLength: MEMORY_NAME_CHARACTERS.max,
    description: 'The name of the memory. Several memories may have the same.',
  }),
  description: Type.Optional(
    Type.String({ maxLength: MEMORY_DESCRIPTION_CHARACTERS, description: 'What the memory is for.' }),
  ),
  projectId: Type.Optional(Type.String({ minLength: 1, description: 'Assigns the memory to an existing project.' })),
  projectName: Type.Optional(
    Type.String({
      minLength: NAME_CHARACTERS.min,
      maxLength: NAME_CHARACTERS.max,
      description: 'A project of this name is made if needed; beside projectId the name of that project.',
    }),
  ),
})

/** What may be said beside the archive of an import. */
const IMPORT_FIELDS = {
  name: Type.Optional(
    Type.String({
      minLength: MEMORY_NAME_CHARACTERS.min,
      maxLength: MEMORY_NAME_CHARACTERS.max,
      description: 'The name of the new memory; that of the archive where it is left out.',
    }),
  ),
  projectId: Type.Optional(Type.String({ minLength: 1, description: 'Assigns the memory to an existing project.' })),
  options: Type.Optional(
    Type.Object(
      { async: IngestOptionsSchema.properties.async },
      { $id: 'ImportOptions', description: 'How an archive is imported.' },
    ),
  ),
}

/** The fields of an import's form, once its texts are values. */
export const ImportFieldsSchema = Type.Object(IMPORT_FIELDS)

/** The form of an import. */
export const ImportForm = Type.Object({
  file: FilePart('The archive, as GET /v1/memories/{id}/export gave it.'),
  ...IMPORT_FIELDS,
})

/** 201 of an import: the memory, and what was done otherwise than asked. */
export const ImportedMemorySchema = Type.Object(
  { ...MemorySchema.properties, warnings: WarningsSchema },
  { $id: 'ImportedMemory', description: 'A memory that was made of an archive.' },
)

/** A memory that was made of an archive. */
export type ImportedMemory = Static<typeof ImportedMemorySchema>

const ProblemSchema = Type.Object(
  {
    code: Text('The name of the problem, such as missing_chunks; docs/guides/integrity-checks.md lists them.'),
    message: Text('What is wrong, as a sentence.'),
    documentId: Nullable(Type.String(), 'The document that is wrong; null where the problem is not of one document.'),
    mendable: Flag('Whether recollect doctor --storage --fix mends it.'),
    remedy: Text('What the operator can do about it.'),
  },
  { $id: 'VerificationProblem', description: 'One thing that is wrong with a memory.' },
)

/** One thing that is wrong with a memory. `code` is its name in the documentation. */
export type VerificationProblem = Static<typeof ProblemSchema>

/** Whether a memory is whole. */
export const VerificationSchema = Type.Object(
  {
    ok: Flag('Whether nothing is wrong.'),
    documents: Count('The documents that were looked at, without corrections.'),
    chunks: Count('The chunks that there should be, those of corrections included.'),
    problemsFound: Count('All problems that were found.'),
    problems: List(ProblemSchema, 'The first of the problems.', { maxItems: VERIFICATION.problems }),
  },
  { $id: 'Verification', description: 'Whether metadata, memory file and objects of a memory agree.' },
)

/** Whether a memory is whole, with what there is of it; `problems` are the first of `problemsFound`. */
export type VerificationResource = Static<typeof VerificationSchema>

/** The memory of the help desk. */
export const MEMORY_EXAMPLE: MemoryResource = {
  id: IDS.memory,
  name: 'Support KB',
  description: 'What the help desk knows',
  projectId: IDS.project,
  projectName: PROJECT_EXAMPLE.name,
  status: 'ready',
  documentCount: 1,
  chunkCount: 1,
  correctionCount: 0,
  sizeBytes: 222,
  embeddingModel: 'static-en',
  createdAt: EARLIER,
  updatedAt: LATER,
}

/** A memory in which nothing is wrong. */
export const VERIFICATION_EXAMPLE: VerificationResource = {
  ok: true,
  documents: 14,
  chunks: 812,
  problemsFound: 0,
  problems: [],
}
