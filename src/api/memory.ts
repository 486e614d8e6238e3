import { type Static, Type } from 'typebox'
import {
  CHUNK_CHARACTERS,
  MEMORY_DESCRIPTION_CHARACTERS,
  MEMORY_NAME_CHARACTERS,
  NAME_CHARACTERS,
  VERIFICATION,
} from '../limits.ts'
import { EARLIER, IDS, LATER } from './example-data.ts'
import { FilePart, MEMORY_NAME } from './fields.ts'
import { IngestOptionsSchema } from './ingest.ts'
import { Count, Flag, List, Nullable, OneOf, OPTIONAL_WARNINGS, Text, Timestamp, WarningsSchema } from './values.ts'

/** A project: a group of memories within an organization. */
export const ProjectSchema = Type.Object(
  {
    id: Text('Unique identifier of the project. Starts with `prj_`.'),
    name: Text('Name of the project, unique within the organization (case-insensitive).'),
    memoryCount: Count('Number of memories in the project.'),
    createdAt: Timestamp('Time at which the project was created.'),
    updatedAt: Timestamp('Time at which the project was last renamed.'),
  },
  { $id: 'Project', description: 'A group of memories.' },
)

/** A project in a response. */
export type ProjectResource = Static<typeof ProjectSchema>

/** Request body of POST and PUT projects. */
export const ProjectBody = Type.Object({
  name: Type.String({
    minLength: NAME_CHARACTERS.min,
    maxLength: NAME_CHARACTERS.max,
    description: 'Name of the project, unique within the organization (case-insensitive).',
  }),
})

/** Example project. */
export const PROJECT_EXAMPLE: ProjectResource = {
  id: IDS.project,
  name: 'Help desk',
  memoryCount: 1,
  createdAt: EARLIER,
  updatedAt: LATER,
}

const MAX_CHARACTERS_TEXT = 'Maximum length of a chunk, in characters.'
const OVERLAP_TEXT =
  'Maximum length of the whole sentences that a chunk of prose repeats from the end of the one before, in characters.'

const ChunkingSchema = Type.Object({
  maxCharacters: Type.Integer({ description: MAX_CHARACTERS_TEXT }),
  overlap: Type.Integer({ description: OVERLAP_TEXT }),
})

/** Sizes of the chunks of a memory. */
export type Chunking = Static<typeof ChunkingSchema>

/** A memory in a response. */
export const MemorySchema = Type.Object(
  {
    id: Text('Unique identifier of the memory. Starts with `mem_`.'),
    name: Text('Name of the memory.'),
    description: Nullable(Type.String(), 'Description of the memory. Null if none was given.'),
    projectId: Nullable(Type.String(), 'Project of the memory. Null if it has none.'),
    projectName: Nullable(Type.String(), 'Name of the project. Null if the memory has none.'),
    status: OneOf(['ready'], 'State of the memory. Always `ready`.'),
    documentCount: Count('Number of searchable documents. Lists also include pending and failed ones.'),
    chunkCount: Count('Number of chunks of searchable documents. Searches return chunks as passages.'),
    correctionCount: Count('Number of corrections.'),
    sizeBytes: Count('Bytes of stored originals plus extracted text (UTF-8).'),
    embeddingModel: Nullable(Type.String(), 'Embedding model of the memory. Null until the first document is added.'),
    chunking: Nullable(ChunkingSchema, 'Sizes of the chunks, from the creation of the memory. Null: the default.'),
    createdAt: Timestamp('Time at which the memory was created.'),
    updatedAt: Timestamp('Time of the last change to the memory or its content.'),
  },
  { $id: 'Memory', description: 'A searchable container of documents.' },
)

/** A memory in a response. */
export type MemoryResource = Static<typeof MemorySchema>

/** Request body of POST /v1/memories. */
export const CreateMemoryBody = Type.Object({
  name: Type.String({
    minLength: MEMORY_NAME_CHARACTERS.min,
    maxLength: MEMORY_NAME_CHARACTERS.max,
    description: 'Name of the memory. Names do not have to be unique.',
  }),
  description: Type.Optional(
    Type.String({ maxLength: MEMORY_DESCRIPTION_CHARACTERS, description: 'Description of the memory.' }),
  ),
  projectId: Type.Optional(
    Type.String({ minLength: 1, description: 'Identifier of an existing project to assign the memory to.' }),
  ),
  projectName: Type.Optional(
    Type.String({
      minLength: NAME_CHARACTERS.min,
      maxLength: NAME_CHARACTERS.max,
      description:
        'Name of the project to assign the memory to, created if it does not exist. If projectId is given ' +
        'as well, the names must match.',
    }),
  ),
  chunking: Type.Optional(
    Type.Object(
      {
        maxCharacters: Type.Integer({
          minimum: CHUNK_CHARACTERS.min,
          maximum: CHUNK_CHARACTERS.max,
          description: MAX_CHARACTERS_TEXT,
        }),
        overlap: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: CHUNK_CHARACTERS.max / 2,
            default: 0,
            description: `${OVERLAP_TEXT} At most half of maxCharacters.`,
          }),
        ),
      },
      {
        description:
          'Sizes of the chunks of all documents, which cannot be changed later. Without it, chunks have about 1,000 ' +
          'characters, tables and short texts up to 2,000.',
      },
    ),
  ),
})

/** Request body of PATCH /v1/memories/{id}. */
export const ChangeMemoryBody = Type.Object({
  name: Type.Optional(Type.String({ ...MEMORY_NAME, description: 'New name of the memory.' })),
  description: Type.Optional(
    Nullable(
      Type.String({ maxLength: MEMORY_DESCRIPTION_CHARACTERS }),
      'New description. Null removes the description.',
    ),
  ),
  projectId: Type.Optional(
    Nullable(Type.String({ minLength: 1 }), 'Project to assign the memory to. Null: no project.'),
  ),
})

/** Response of POST /v1/memories. */
export const NewMemorySchema = Type.Object(
  { ...MemorySchema.properties, ...OPTIONAL_WARNINGS },
  { $id: 'NewMemory', description: 'A new memory.' },
)

/** Response of PATCH /v1/memories/{id}. */
export const ChangedMemorySchema = Type.Object(
  { ...MemorySchema.properties, warnings: WarningsSchema },
  { $id: 'ChangedMemory', description: 'A memory after a change.' },
)

/** Fields besides the archive of an import. */
const IMPORT_FIELDS = {
  name: Type.Optional(
    Type.String({
      minLength: MEMORY_NAME_CHARACTERS.min,
      maxLength: MEMORY_NAME_CHARACTERS.max,
      description: 'Name of the new memory. Defaults to the name in the archive.',
    }),
  ),
  projectId: Type.Optional(
    Type.String({ minLength: 1, description: 'Identifier of an existing project to assign the memory to.' }),
  ),
  options: Type.Optional(
    Type.Object(
      { async: IngestOptionsSchema.properties.async },
      { $id: 'ImportOptions', description: 'Options of an import.' },
    ),
  ),
}

/** Fields of an import form, after the form texts are parsed. */
export const ImportFieldsSchema = Type.Object(IMPORT_FIELDS)

/** Form of an import. */
export const ImportForm = Type.Object({
  file: FilePart('Archive from GET /v1/memories/{id}/export.'),
  ...IMPORT_FIELDS,
})

/** Response 201 of an import. */
export const ImportedMemorySchema = Type.Object(
  { ...MemorySchema.properties, warnings: WarningsSchema },
  { $id: 'ImportedMemory', description: 'A memory created from an archive.' },
)

/** A memory created from an archive. */
export type ImportedMemory = Static<typeof ImportedMemorySchema>

const ProblemSchema = Type.Object(
  {
    code: Text(
      'Stable code of the problem, such as `missing_chunks`. See docs/guides/integrity-checks.md for all codes.',
    ),
    message: Text('Description of the problem, for people.'),
    documentId: Nullable(Type.String(), 'Affected document. Null if the problem is not specific to a document.'),
    mendable: Flag('True if `recollect doctor --storage --fix` can repair the problem.'),
    remedy: Text('Remedy for the operator.'),
  },
  { $id: 'VerificationProblem', description: 'A problem found in a memory.' },
)

/** A problem found in a memory. The documentation lists all codes. */
export type VerificationProblem = Static<typeof ProblemSchema>

/** Result of an integrity check. */
export const VerificationSchema = Type.Object(
  {
    ok: Flag('True if no problems were found.'),
    documents: Count('Number of checked documents, excluding corrections.'),
    chunks: Count('Number of expected chunks, including corrections.'),
    problemsFound: Count('Total number of problems.'),
    problems: List(ProblemSchema, 'First problems.', { maxItems: VERIFICATION.problems }),
  },
  {
    $id: 'Verification',
    description: "Result of an integrity check of a memory's metadata, memory file and stored objects.",
  },
)

/** Result of an integrity check; `problems` has the first of `problemsFound` problems. */
export type VerificationResource = Static<typeof VerificationSchema>

/** Example memory of a help desk. */
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
  embeddingModel: 'static-multi',
  chunking: null,
  createdAt: EARLIER,
  updatedAt: LATER,
}

/** Example of a memory without problems. */
export const VERIFICATION_EXAMPLE: VerificationResource = {
  ok: true,
  documents: 14,
  chunks: 812,
  problemsFound: 0,
  problems: [],
}
