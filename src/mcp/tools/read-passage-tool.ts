import { Type } from 'typebox'
import { requireMemory } from '../require-memory.ts'
import { MemoryArgument, MemorySchema, OrNull } from '../schemas.ts'
import { ArgumentError, defineTool } from '../tool.ts'
import { oneLine } from '../write-text.ts'

const CHARACTERS = { default: 4000, max: 20_000 } as const
const MOST_CONTEXT = 10_000

/** A piece of a document's text. */
export const READ_PASSAGE = defineTool({
  name: 'read_passage',
  title: 'Read a passage',
  description: `Reads a piece of the extracted text of a document, by the offsets that find and ask give.
Use it to check a quotation, or to see what stands before and after a passage: give its startOffset and endOffset, and context for the characters around it. Without offsets it reads from the beginning.
At most ${CHARACTERS.max.toLocaleString('en')} characters a call; nextOffset of the answer, given as startOffset, continues. Costs no query of the plan.`,
  input: Type.Object({
    documentId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'doc_…, as find, ask and list_documents give it.',
    }),
    memory: MemoryArgument,
    startOffset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'In UTF-16 code units.' })),
    endOffset: Type.Optional(
      Type.Integer({ minimum: 0, description: `${CHARACTERS.default} characters after startOffset when left out.` }),
    ),
    context: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_CONTEXT,
        default: 0,
        description: 'Characters before and after as well.',
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
    nextOffset: OrNull(Type.Integer({ description: 'null where this is the end of the document.' })),
    text: Type.String(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ documentId, memory: named, startOffset = 0, endOffset, context = 0 }, surroundings) {
    const wantedEnd = endOffset ?? startOffset + CHARACTERS.default
    if (wantedEnd < startOffset) throw new ArgumentError('endOffset must not be smaller than startOffset.')
    const memory = await requireMemory(named, surroundings)
    const { call, signal } = surroundings
    const path = { id: memory.id, documentId }
    const { title, characterCount } = await call('getDocument', { path }, { signal })
    const from = Math.max(0, startOffset - context)
    if (from >= characterCount) throw new ArgumentError(`The document has ${characterCount} characters only.`)
    const to = Math.min(wantedEnd + context, from + CHARACTERS.max)
    const text = await readSlice(await call('getDocumentText', { path }, { signal }), from, to)
    const end = from + text.length
    const nextOffset = end < characterCount && text !== '' ? end : null
    const where = `${oneLine(title)} (${documentId}), characters ${from}-${end} of ${characterCount}`
    const more = nextOffset === null ? '' : `\n\nThe document goes on at startOffset ${nextOffset}.`
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

/**
 * The text of the answer from one offset to another, in UTF-16 code units; shorter where the text ends before. What comes after is
 * not read.
 */
async function readSlice({ body }: Pick<Response, 'body'>, startOffset: number, endOffset: number): Promise<string> {
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
