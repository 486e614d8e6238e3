import { Type } from 'typebox'
import { MEMORY_DESCRIPTION_CHARACTERS, MEMORY_NAME_CHARACTERS, NAME_CHARACTERS } from '../../limits.ts'
import { Count, Nullable, OneOf, Timestamp } from './values.ts'

/** A memory as callers see it. */
export const MemorySchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    projectId: Nullable(Type.String()),
    projectName: Nullable(Type.String()),
    status: OneOf(['ready']),
    documentCount: Type.Integer({
      minimum: 0,
      description: 'Documents that can be found. Lists have those that wait or failed as well.',
    }),
    chunkCount: Count,
    correctionCount: Count,
    sizeBytes: Count,
    embeddingModel: Nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Memory' },
)

/** The body of POST /v1/memories. */
export const CreateMemoryBody = Type.Object({
  name: Type.String({ minLength: MEMORY_NAME_CHARACTERS.min, maxLength: MEMORY_NAME_CHARACTERS.max }),
  description: Type.Optional(Type.String({ maxLength: MEMORY_DESCRIPTION_CHARACTERS })),
  projectId: Type.Optional(Type.String({ minLength: 1, description: 'Assigns the memory to an existing project.' })),
  projectName: Type.Optional(
    Type.String({
      minLength: NAME_CHARACTERS.min,
      maxLength: NAME_CHARACTERS.max,
      description: 'A project of this name is made if needed; beside projectId the name of that project.',
    }),
  ),
})

/** A project as callers see it. */
export const ProjectSchema = Type.Object(
  { id: Type.String(), name: Type.String(), memoryCount: Count, createdAt: Timestamp, updatedAt: Timestamp },
  { $id: 'Project' },
)

/** The body of POST and PUT of projects. */
export const ProjectBody = Type.Object({
  name: Type.String({ minLength: NAME_CHARACTERS.min, maxLength: NAME_CHARACTERS.max }),
})
