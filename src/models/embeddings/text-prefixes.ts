/** What stands before a text. */
export type TextPrefixes = { query: string; passage: string }

const RETRIEVE = 'Represent this sentence for searching relevant passages: '
/** Families that were trained with such words, by their names; from their model cards. */
const KNOWN: readonly (readonly [RegExp, TextPrefixes])[] = [
  [/nomic-embed/, { query: 'search_query: ', passage: 'search_document: ' }],
  [/(^|[/_-])(multilingual-)?e5-(small|base|large)/, { query: 'query: ', passage: 'passage: ' }],
  [/bge-(small|base|large)-en|mxbai-embed|snowflake-arctic-embed/, { query: RETRIEVE, passage: '' }],
]

/** The prefixes that an embedding model was trained with, by its name; none where nothing is known. */
export function prefixesOf(model: string): TextPrefixes {
  return KNOWN.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? { query: '', passage: '' }
}
