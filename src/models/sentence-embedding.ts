/** Scales a vector to length 1; all zeros stay zeros. */
export function toUnitVector(numbers: ArrayLike<number>): Float32Array {
  let squares = 0
  for (let at = 0; at < numbers.length; at += 1) squares += (numbers[at] ?? 0) ** 2
  const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0
  const vector = new Float32Array(numbers.length)
  for (let at = 0; at < numbers.length; at += 1) vector[at] = (numbers[at] ?? 0) * factor
  return vector
}

/**
 * Weight of the semantic score of a multilingual model for a question in a language without
 * documents. The best of .5, .8 and 1, with multilingual-e5-small (docs/relevance.md).
 */
export const CROSS_LANGUAGE_WEIGHT = 0.8

/** Prefixes of texts. */
type TextPrefixes = { query: string; passage: string }

const RETRIEVE = 'Represent this sentence for searching relevant passages: '
/** Model families trained with such prefixes, from their model cards. */
const KNOWN: readonly (readonly [RegExp, TextPrefixes])[] = [
  [/nomic-embed/, { query: 'search_query: ', passage: 'search_document: ' }],
  [/(^|[/_-])(multilingual-)?e5-(small|base|large)/, { query: 'query: ', passage: 'passage: ' }],
  [/bge-(small|base|large)-en|mxbai-embed|snowflake-arctic-embed/, { query: RETRIEVE, passage: '' }],
]

/** Prefixes that an embedding model was trained with; empty if unknown. */
export function prefixesOf(model: string): TextPrefixes {
  return KNOWN.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? { query: '', passage: '' }
}
