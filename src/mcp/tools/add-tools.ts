import { Type } from 'typebox'
import type { AcceptedDocuments, AddedDocuments } from '../../client/answers.ts'
import { DOCUMENT_FIELDS } from '../../limits.ts'
import { pluralize } from '../../text/pluralize.ts'
import { type NamedMemory, requireMemory } from '../require-memory.ts'
import {
  DeduplicateArgument,
  MemoryArgument,
  MemorySchema,
  MetadataArgument,
  OrNull,
  WarningsSchema,
} from '../schemas.ts'
import { defineTool, type ToolAnswer } from '../tool.ts'
import { oneLine, warningLines } from '../write-text.ts'

/** What a tool that adds gives. */
const AddedSchema = Type.Object({
  memory: MemorySchema,
  status: Type.String({ description: 'completed, or pending where a background job reads it.' }),
  documentIds: Type.Array(Type.String()),
  duplicateOf: OrNull(Type.String({ description: 'The document that was there already; nothing was added then.' })),
  chunksCreated: OrNull(Type.Integer()),
  jobId: OrNull(Type.String()),
  warnings: WarningsSchema,
})

/** What became of an added document, for a model. */
function describeAdded(memory: NamedMemory, answer: AddedDocuments | AcceptedDocuments): ToolAnswer {
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

const { titleCharacters, tags, tagCharacters, externalIdCharacters } = DOCUMENT_FIELDS
/** What a model writes or passes on in one call, our choice; larger texts are files and are uploaded. */
const MOST_TEXT_CHARACTERS = 500_000

/** A text as a new document. */
export const ADD_TEXT = defineTool({
  name: 'add_text',
  title: 'Add a text',
  description: `Adds a text to a memory as a document of its own, which find and ask see at once.
Use it to keep what the user wants remembered: notes, minutes, results. For a single fact that a document has wrong, use correct. Give a title that says what it is.
The same externalId again replaces the document instead of adding another. At most ${MOST_TEXT_CHARACTERS.toLocaleString('en')} characters a call; plain text or Markdown.`,
  input: Type.Object({
    title: Type.String({ minLength: 1, maxLength: titleCharacters }),
    text: Type.String({ minLength: 1, maxLength: MOST_TEXT_CHARACTERS }),
    memory: MemoryArgument,
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: tagCharacters }), { maxItems: tags })),
    externalId: Type.Optional(
      Type.String({ minLength: 1, maxLength: externalIdCharacters, description: 'A name of yours for the document.' }),
    ),
    metadata: MetadataArgument,
    deduplicate: DeduplicateArgument,
  }),
  output: AddedSchema,
  // What it replaces under an externalId is gone.
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  async run({ memory: named, deduplicate = false, ...document }, surroundings) {
    const memory = await requireMemory(named, surroundings)
    const input = { path: { id: memory.id }, body: { documents: [document], options: { deduplicate } } }
    return describeAdded(memory, await surroundings.call('addDocuments', input, { signal: surroundings.signal }))
  },
})

/** What a URL names as a new document. */
export const ADD_URL = defineTool({
  name: 'add_url',
  title: 'Add what a URL names',
  description: `Downloads what an http or https URL names and adds it to a memory: web pages, PDF, Office files, text, tables. Pictures by themselves are not taken.
Use it when the user wants a public page or file remembered. Addresses inside private networks are refused. At most 100 MB.
Large files and long scans are read in the background: the answer then has a jobId, and list_documents shows the document as pending or processing until it is ready.`,
  input: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'With http:// or https://.' }),
    memory: MemoryArgument,
    deduplicate: DeduplicateArgument,
  }),
  output: AddedSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  async run({ url, memory: named, deduplicate = false }, surroundings) {
    const memory = await requireMemory(named, surroundings)
    const input = { path: { id: memory.id }, body: { url, options: { deduplicate } } }
    return describeAdded(memory, await surroundings.call('addDocuments', input, { signal: surroundings.signal }))
  },
})
