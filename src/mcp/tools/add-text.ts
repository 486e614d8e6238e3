import { Type } from 'typebox'
import { DOCUMENT_FIELDS } from '../../limits.ts'
import { AddedSchema, describeAdded } from '../describe-added.ts'
import { requireMemory } from '../require-memory.ts'
import { DeduplicateArgument, MemoryArgument, MetadataArgument } from '../schemas.ts'
import { defineTool } from '../tool.ts'

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
