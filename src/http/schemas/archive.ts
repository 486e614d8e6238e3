import { Type } from 'typebox'
import { MAX_ARCHIVE_BYTES, MEMORY_NAME_CHARACTERS } from '../../limits.ts'
import type { UploadForm } from '../body/upload.ts'
import { FilePart, IngestOptionsSchema } from './ingest.ts'
import { MemorySchema } from './memory.ts'
import { WarningSchema } from './values.ts'

const { async } = IngestOptionsSchema.properties

/** What may be said beside the archive. */
const FIELDS = {
  name: Type.Optional(
    Type.String({
      minLength: MEMORY_NAME_CHARACTERS.min,
      maxLength: MEMORY_NAME_CHARACTERS.max,
      description: 'The name of the new memory; that of the archive where it is left out.',
    }),
  ),
  projectId: Type.Optional(Type.String({ minLength: 1, description: 'Assigns the memory to an existing project.' })),
  options: Type.Optional(Type.Object({ async }, { $id: 'ImportOptions' })),
}

/** The fields of an import's form, once its texts are values. */
export const ImportFieldsSchema = Type.Object(FIELDS)

/** The form of an import. */
export const ARCHIVE_FORM: UploadForm = {
  parts: Type.Object({ file: FilePart('The archive, as GET /v1/memories/{id}/export gave it.'), ...FIELDS }),
  maxFileBytes: MAX_ARCHIVE_BYTES,
  tooLarge: 'body_too_large',
}

/** 201 of an import: the memory, and what was done otherwise than asked. */
export const ImportedMemorySchema = Type.Object(
  { ...MemorySchema.properties, warnings: Type.Array(WarningSchema) },
  { $id: 'ImportedMemory' },
)
