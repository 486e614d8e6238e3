import { Type } from 'typebox'
import type { AskAnswer } from '../../client/answers.ts'
import { ASK as ASK_LIMITS, QUERY_CHARACTERS } from '../../limits.ts'
import { requireMemory } from '../require-memory.ts'
import {
  CorrectionMark,
  FILTER_ARGUMENTS,
  MemoryArgument,
  MemorySchema,
  OrNull,
  PLACE,
  toFilter,
  WarningsSchema,
} from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { cutText, formatPlace, formatWarnings, MAX_ANSWER_CHARACTERS, oneLine, takeFitting } from '../write-text.ts'

const { contextChunks } = ASK_LIMITS
const MAX_UNSUPPORTED_SENTENCES = 5

/** Answers a question with citations. */
export const ASK = defineTool({
  name: 'ask',
  title: 'Ask a question',
  description: [
    'Answers a question from a memory in a few sentences, each with a citation [n].',
    'A citation has title, page, offsets and chunk id.',
    'Use it for a short answer with sources. Use find to get the passages themselves.',
    'If nothing relevant is found, answered is false: do not use the answer then.',
    'draft is a text that the sources do not support: never report it as a fact.',
    'Without a language model, the answer consists of quoted sentences (model "extractive").',
    'Counts as one query of the plan.',
  ].join('\n'),
  input: Type.Object({
    question: Type.String({ minLength: 1, maxLength: QUERY_CHARACTERS }),
    memory: MemoryArgument,
    minConfidence: Type.Optional(
      Type.Number({
        ...{ minimum: 0, maximum: 1 },
        description: 'Minimum confidence of an answer of quotes, about 0.5 by default. An answer below it is declined.',
      }),
    ),
    maxContextChunks: Type.Optional(
      Type.Integer({
        minimum: contextChunks.min,
        maximum: contextChunks.max,
        default: contextChunks.default,
        description: 'Maximum number of passages to answer from.',
      }),
    ),
    ...FILTER_ARGUMENTS,
  }),
  output: Type.Object({
    memory: MemorySchema,
    answered: Type.Boolean(),
    answer: Type.String(),
    confidence: OrNull(
      Type.Number({ description: 'Probability that the quotes answer the question, 0 to 1. Null with a model.' }),
    ),
    draft: Type.Optional(
      Type.String({ description: 'Text of the model that its sources do not support. Do not report it as a fact.' }),
    ),
    model: Type.String(),
    citations: Type.Array(Type.Object({ ...PLACE, index: Type.Integer(), correction: CorrectionMark })),
    grounding: OrNull(
      Type.Number({ description: 'Share of the answer that its citations support, 0 to 1. Null for quotes.' }),
    ),
    warnings: WarningsSchema,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ question, memory: named, minConfidence, ...asked }, context) {
    const { maxContextChunks = contextChunks.default, ...filter } = asked
    const memory = await requireMemory(named, context)
    const least = minConfidence === undefined ? {} : { minConfidence }
    const options = { maxContextChunks, ...least, filter: toFilter(filter) }
    const input = { path: { id: memory.id }, body: { question, options } }
    const answer = await context.call('ask', input, { signal: context.signal })
    const citations = listCitations(answer)
    const warnings = answer.warnings.map(({ message }) => message)
    if ((answer.draft ?? answer.answer).length > MAX_ANSWER_CHARACTERS) warnings.push('The answer was truncated.')
    const unsupported = answer.grounding?.unsupported ?? []
    if (unsupported.length > 0) warnings.push(describeUnsupported(answer.draft ?? answer.answer, unsupported))
    const words = cutText(answer.answer, MAX_ANSWER_CHARACTERS)
    const draft = answer.draft === undefined ? null : cutText(answer.draft, MAX_ANSWER_CHARACTERS)
    const footnotes = citations.map((citation) => `\n[${citation.index}] ${formatPlace(citation, citation.chunkId)}`)
    const { answered, model } = answer
    return {
      text:
        words +
        (draft === null ? '' : `\n\nDraft, not supported by the sources:\n${draft}`) +
        (footnotes.length === 0 ? '' : `\n${footnotes.join('')}`) +
        formatWarnings(warnings),
      facts: {
        memory,
        answered,
        answer: words,
        confidence: answer.confidence,
        ...(draft === null ? {} : { draft }),
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
  return `No cited passage supports these sentences: ${quoted.slice(0, MAX_UNSUPPORTED_SENTENCES).join(', ')}`
}

/** Lists each cited place once, in the order of the numbers. */
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
