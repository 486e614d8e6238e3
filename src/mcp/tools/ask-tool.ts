import { Type } from 'typebox'
import type { AskAnswer } from '../../client/answers.ts'
import { ASK as ASK_LIMITS, QUERY_CHARACTERS } from '../../limits.ts'
import { requireMemory } from '../require-memory.ts'
import { CorrectionMark, MemoryArgument, MemorySchema, OrNull, PLACE, WarningsSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { cutText, describePlace, MOST_CHARACTERS, oneLine, takeFitting, warningLines } from '../write-text.ts'

const { contextChunks } = ASK_LIMITS
const SHOWN_SENTENCES = 5

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
    citations: Type.Array(Type.Object({ ...PLACE, index: Type.Integer(), correction: CorrectionMark })),
    grounding: OrNull(
      Type.Number({ description: 'How far the words of the answer stand in what it cites, 0 to 1; null for quotes.' }),
    ),
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
    const unsupported = answer.grounding?.unsupported ?? []
    if (unsupported.length > 0) warnings.push(describeUnsupported(answer.answer, unsupported))
    const words = cutText(answer.answer, MOST_CHARACTERS)
    const footnotes = citations.map((citation) => `\n[${citation.index}] ${describePlace(citation, citation.chunkId)}`)
    const { answered, model } = answer
    return {
      text: words + (footnotes.length === 0 ? '' : `\n${footnotes.join('')}`) + warningLines(warnings),
      facts: {
        memory,
        answered,
        answer: words,
        model,
        citations,
        grounding: answer.grounding?.score ?? null,
        warnings,
      },
    }
  },
})

function describeUnsupported(answer: string, sentences: readonly { start: number; end: number }[]): string {
  const quoted = sentences.map(({ start, end }) => JSON.stringify(oneLine(answer.slice(start, end))))
  return `The words of these sentences stand in no cited passage: ${quoted.slice(0, SHOWN_SENTENCES).join(', ')}`
}

/** Each place that is cited once, however often the answer does. */
function listCitations({ citations }: AskAnswer) {
  const places = new Map(
    citations.map(({ index, documentId, chunkId, title, page, startOffset, endOffset, correction }) => [
      `${index} ${startOffset} ${endOffset}`,
      { index, documentId, chunkId, title, page, startOffset, endOffset, correction },
    ]),
  )
  const sorted = [...places.values()].toSorted((a, b) => a.index - b.index)
  return takeFitting(sorted, ({ title }) => title.length + 150)
}
