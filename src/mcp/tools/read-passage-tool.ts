import { Type } from 'typebox'
import { requireMemory } from '../require-memory.ts'
import { MemoryArgument, MemorySchema, OrNull } from '../schemas.ts'
import { ArgumentError, defineTool } from '../tool.ts'
import { oneLine } from '../write-text.ts'

const CHARACTERS = { default: 4000, max: 20_000 } as const
const MAX_CONTEXT_CHARACTERS = 10_000

/** Reads part of the text of a document. */
export const READ_PASSAGE = defineTool({
  name: 'read_passage',
  title: 'Read a passage',
  description: [
    'Reads part of the extracted text of a document, by the offsets from find and ask.',
    'Use it to check a quotation, or to read the text around a passage.',
    'Pass the startOffset and endOffset of the passage, and context for extra characters on both sides.',
    'Without offsets, reading starts at the beginning of the document.',
    `Returns up to ${CHARACTERS.max.toLocaleString('en')} characters per call.`,
    'To continue, pass nextOffset as startOffset.',
    'Does not count as a query.',
  ].join('\n'),
  input: Type.Object({
    documentId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Document id (doc_…) from find, ask or list_documents.',
    }),
    memory: MemoryArgument,
    startOffset: Type.Optional(
      Type.Integer({ minimum: 0, default: 0, description: 'Start offset, in UTF-16 code units.' }),
    ),
    endOffset: Type.Optional(
      Type.Integer({ minimum: 0, description: `End offset. Defaults to startOffset + ${CHARACTERS.default}.` }),
    ),
    context: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_CONTEXT_CHARACTERS,
        default: 0,
        description: 'Extra characters before and after the passage.',
      }),
    ),
  }),
  output: Type.Object({
    memory: MemorySchema,
    documentId: Type.String(),
    title: Type.String(),
    startOffset: Type.Integer(),
    endOffset: Type.Integer(),
    totalCharacters: Type.Integer(),
    nextOffset: OrNull(Type.Integer({ description: 'Offset of the next part. Null at the end of the document.' })),
    text: Type.String(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ documentId, memory: named, startOffset = 0, endOffset, context: margin = 0 }, context) {
    const wantedEnd = endOffset ?? startOffset + CHARACTERS.default
    if (wantedEnd < startOffset) throw new ArgumentError('endOffset must be greater than or equal to startOffset.')
    const memory = await requireMemory(named, context)
    const { call, signal } = context
    const path = { id: memory.id, documentId }
    const { title, characterCount } = await call('getDocument', { path }, { signal })
    const from = Math.max(0, startOffset - margin)
    if (from >= characterCount)
      throw new ArgumentError(`startOffset is past the end: the document has ${characterCount} characters.`)
    const to = Math.min(wantedEnd + margin, from + CHARACTERS.max)
    const text = await readSlice(await call('getDocumentText', { path }, { signal }), from, to)
    const end = from + text.length
    const nextOffset = end < characterCount && text !== '' ? end : null
    const where = `${oneLine(title)} (${documentId}), characters ${from}-${end} of ${characterCount}`
    const more = nextOffset === null ? '' : `\n\nTo continue, call again with startOffset ${nextOffset}.`
    return {
      text: `${where}:\n\n${text}${more}`,
      facts: {
        memory,
        documentId,
        title,
        startOffset: from,
        endOffset: end,
        totalCharacters: characterCount,
        nextOffset,
        text,
      },
    }
  },
})

/** Reads the body between two offsets in UTF-16 code units, and cancels the rest of the stream. */
export async function readSlice(
  { body }: Pick<Response, 'body'>,
  startOffset: number,
  endOffset: number,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = body?.getReader()
  let passed = 0
  let slice = ''
  while (reader !== undefined && passed < endOffset) {
    const { value, done } = await reader.read()
    if (done) return slice
    const piece = decoder.decode(value, { stream: true })
    slice += piece.slice(Math.max(0, startOffset - passed), endOffset - passed)
    passed += piece.length
  }
  await reader?.cancel()
  return slice
}
