import { Type } from 'typebox'
import type { AskAnswer } from '../../client/answers.ts'
import { ASK as ASK_LIMITS, QUERY_CHARACTERS } from '../../limits.ts'
import { requireMemory } from '../require-memory.ts'
import { MemoryArgument, MemorySchema, PLACE, WarningsSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { cutText, describePlace, MOST_CHARACTERS, takeFitting, warningLines } from '../write-text.ts'

const { contextChunks } = ASK_LIMITS

/** An answer with citations. */
export const ASK = defineTool({
  name: 'ask',
  title: 'Ask a question',
  description: `Answers a question from a memory in a few sentences, each with a citation [n] of title, page, offsets and chunk id.
Use it for a short, cited answer; use find where you want the passages themselves to reason over. Where nothing relevant is found, answered is false: then do not answer from it.
Without a language model behind the service the answer is made of quoted sentences (model "extractive"). Counts as one query of the plan.`,
  input: Type.Object({
    question: Type.String({ minLength: 1, maxLength: QUERY_CHARACTERS }),
    memory: MemoryArgument,
    maxContextChunks: Type.Optional(
      Type.Integer({
        minimum: contextChunks.min,
        maximum: contextChunks.max,
        default: contextChunks.default,
        description: 'Passages that the answer is made of, at most.',
      }),
    ),
  }),
  output: Type.Object({
    memory: MemorySchema,
    answered: Type.Boolean(),
    answer: Type.String(),
    model: Type.String(),
    citations: Type.Array(Type.Object({ ...PLACE, index: Type.Integer() })),
    warnings: WarningsSchema,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ question, memory: named, maxContextChunks = contextChunks.default }, surroundings) {
    const memory = await requireMemory(named, surroundings)
    const input = { path: { id: memory.id }, body: { question, options: { maxContextChunks } } }
    const answer = await surroundings.call('ask', input, { signal: surroundings.signal })
    const citations = listCitations(answer)
    const warnings = answer.warnings.map(({ message }) => message)
    if (answer.answer.length > MOST_CHARACTERS) warnings.push('The answer was cut to keep this short.')
    const words = cutText(answer.answer, MOST_CHARACTERS)
    const footnotes = citations.map((citation) => `\n[${citation.index}] ${describePlace(citation, citation.chunkId)}`)
    const { answered, model } = answer
    return {
      text: words + (footnotes.length === 0 ? '' : `\n${footnotes.join('')}`) + warningLines(warnings),
      facts: { memory, answered, answer: words, model, citations, warnings },
    }
  },
})

/** Each place that is cited once, however often the answer does. */
function listCitations({ citations }: AskAnswer) {
  const places = new Map(
    citations.map(({ index, documentId, chunkId, title, page, startOffset, endOffset }) => [
      `${index} ${startOffset} ${endOffset}`,
      { index, documentId, chunkId, title, page, startOffset, endOffset },
    ]),
  )
  const sorted = [...places.values()].toSorted((a, b) => a.index - b.index)
  return takeFitting(sorted, ({ title }) => title.length + 150)
}
