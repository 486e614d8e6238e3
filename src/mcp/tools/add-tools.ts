import { Type } from 'typebox'
import type { AcceptedDocuments, AddedDocuments } from '../../client/answers.ts'
import { DOCUMENT_FIELDS } from '../../limits.ts'
import { describeMembers } from '../../text/describe-members.ts'
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
import { formatWarnings, oneLine } from '../write-text.ts'

/** The result of both tools. */
const AddedSchema = Type.Object({
  memory: MemorySchema,
  status: Type.String({ description: 'completed, or pending if a background job processes the document.' }),
  documentIds: Type.Array(Type.String()),
  duplicateOf: OrNull(
    Type.String({ description: 'Id of the existing document, if the new one is a duplicate and was skipped.' }),
  ),
  chunksCreated: OrNull(Type.Integer()),
  jobId: OrNull(Type.String()),
  warnings: WarningsSchema,
})

/** Describes the result of an add for a model, with the reasons for members not added. */
function describeAdded(memory: NamedMemory, answer: AddedDocuments | AcceptedDocuments): ToolAnswer {
  const { status, documentIds } = answer
  const left = describeMembers(answer.members)
  const warnings = answer.warnings.filter(({ code }) => code !== 'members_not_added').map(({ message }) => message)
  if (left !== null) warnings.push(oneLine(left))
  const where = `the memory ${JSON.stringify(oneLine(memory.name))}`
  if (answer.status === 'pending') {
    const { jobId } = answer
    const text =
      `Background job ${jobId} adds ${documentIds.join(', ')} to ${where}. ` +
      'Call list_documents to check whether the document is ready.'
    const facts = { memory, status, documentIds, duplicateOf: null, chunksCreated: null, jobId, warnings }
    return { text: text + formatWarnings(warnings), facts }
  }
  const text = answer.documents.map(({ id, title, chunkCount, duplicateOf, ...document }) => {
    if (document.status === 'duplicate') return `Skipped: ${oneLine(title)} is already in ${where}, as ${duplicateOf}.`
    const passages = `${oneLine(title)} (${id}, ${pluralize(chunkCount, 'passage')}) to ${where}`
    return document.status === 'partial'
      ? `Partly added: ${passages}. Some of its content could not be read.`
      : `Added: ${passages}.`
  })
  const duplicateOf = answer.documents.find((document) => document.duplicateOf !== null)?.duplicateOf ?? null
  const facts = { memory, status, documentIds, duplicateOf, chunksCreated: answer.chunksCreated, jobId: null, warnings }
  return { text: text.join('\n') + formatWarnings(warnings), facts }
}

const { titleCharacters, tags, tagCharacters, externalIdCharacters } = DOCUMENT_FIELDS
/** The longest text in one call. Larger texts are uploaded as files. Our choice. */
const MAX_TEXT_CHARACTERS = 500_000

/** Adds a text as a document. */
export const ADD_TEXT = defineTool({
  name: 'add_text',
  title: 'Add a text',
  description: [
    'Adds a text to a memory as a new document. find and ask can use it immediately.',
    'Use it to store notes, minutes or results for the user, with a descriptive title.',
    'To fix a single wrong fact in a document, use correct instead.',
    'Sending the same externalId again replaces the document.',
    `Plain text or Markdown, up to ${MAX_TEXT_CHARACTERS.toLocaleString('en')} characters per call.`,
  ].join('\n'),
  input: Type.Object({
    title: Type.String({ minLength: 1, maxLength: titleCharacters }),
    text: Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS }),
    memory: MemoryArgument,
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: tagCharacters }), { maxItems: tags })),
    externalId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: externalIdCharacters,
        description: 'Your own identifier for the document.',
      }),
    ),
    metadata: MetadataArgument,
    deduplicate: DeduplicateArgument,
  }),
  output: AddedSchema,
  // An add with a known externalId deletes the previous document.
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  async run({ memory: named, deduplicate = false, ...document }, context) {
    const memory = await requireMemory(named, context)
    const input = { path: { id: memory.id }, body: { documents: [document], options: { deduplicate } } }
    return describeAdded(memory, await context.call('addDocuments', input, { signal: context.signal }))
  },
})

/** Downloads a URL and adds the content as a document. */
export const ADD_URL = defineTool({
  name: 'add_url',
  title: 'Add a URL',
  description: [
    'Downloads a web page, PDF, Office file, book, text or table from a URL and adds it to a memory.',
    'Use it when the user wants to store a public page or file. Images are not supported.',
    'Each file in a ZIP archive becomes a document. URLs in private networks are rejected. Maximum size: 100 MB.',
    'Large files and long scans are processed in the background, and the result then has a jobId.',
    'list_documents shows such a document as pending or processing until it is ready.',
  ].join('\n'),
  input: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'URL that starts with http:// or https://.' }),
    memory: MemoryArgument,
    deduplicate: DeduplicateArgument,
  }),
  output: AddedSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  async run({ url, memory: named, deduplicate = false }, context) {
    const memory = await requireMemory(named, context)
    const input = { path: { id: memory.id }, body: { url, options: { deduplicate } } }
    return describeAdded(memory, await context.call('addDocuments', input, { signal: context.signal }))
  },
})
