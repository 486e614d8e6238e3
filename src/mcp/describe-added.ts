import { Type } from 'typebox'
import type { AcceptedDocuments, AddedDocuments } from '../client/answers.ts'
import { pluralize } from '../text/pluralize.ts'
import type { NamedMemory } from './require-memory.ts'
import { MemorySchema, OrNull, WarningsSchema } from './schemas.ts'
import type { ToolAnswer } from './tool.ts'
import { oneLine, warningLines } from './write-text.ts'

/** What a tool that adds gives. */
export const AddedSchema = Type.Object({
  memory: MemorySchema,
  status: Type.String({ description: 'completed, or pending where a background job reads it.' }),
  documentIds: Type.Array(Type.String()),
  duplicateOf: OrNull(Type.String({ description: 'The document that was there already; nothing was added then.' })),
  chunksCreated: OrNull(Type.Integer()),
  jobId: OrNull(Type.String()),
  warnings: WarningsSchema,
})

/** What became of an added document, for a model. */
export function describeAdded(memory: NamedMemory, answer: AddedDocuments | AcceptedDocuments): ToolAnswer {
  const { status, documentIds } = answer
  const warnings = answer.warnings.map(({ message }) => message)
  const where = `the memory ${JSON.stringify(oneLine(memory.name))}`
  if (answer.status === 'pending') {
    const { jobId } = answer
    const text = `${documentIds.join(', ')} is being read into ${where} by the background job ${jobId}; list_documents shows when it is ready.`
    const facts = { memory, status, documentIds, duplicateOf: null, chunksCreated: null, jobId, warnings }
    return { text: text + warningLines(warnings), facts }
  }
  const text = answer.documents.map(({ id, title, chunkCount, duplicateOf, ...document }) => {
    if (document.status === 'duplicate')
      return `Not added: ${oneLine(title)} stands in ${where} already, as ${duplicateOf}.`
    const passages = `${oneLine(title)} (${id}, ${pluralize(chunkCount, 'passage')}) to ${where}`
    return document.status === 'partial'
      ? `Added in part: ${passages}; some of it could not be read.`
      : `Added: ${passages}.`
  })
  const duplicateOf = answer.documents.find((document) => document.duplicateOf !== null)?.duplicateOf ?? null
  const facts = { memory, status, documentIds, duplicateOf, chunksCreated: answer.chunksCreated, jobId: null, warnings }
  return { text: text.join('\n') + warningLines(warnings), facts }
}
