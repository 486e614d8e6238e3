/**
 * What stands between quotation marks, as the world sets them: "a", “a”, ”a” (Swedish, Finnish), „a“ and „a” (German, Polish), «a», »a«, ‹a›, 「a」, 『a』,
 * ＂a＂. A mark behind a digit means inches, and opens nothing.
 */
const QUOTATION =
  /(?<!\p{Nd})"([^"]+)"|“([^“”]+)”|(?<!\p{Nd})”([^“”]+)”|„([^„“”"]+)[“”"]|«([^«»]+)»|»([^«»]+)«|‹([^‹›]+)›|「([^「」]+)」|『([^『』]+)』|＂([^＂]+)＂/gv

/** Every passage is looked through for each of them: no question has more. */
const MOST_PHRASES = 64

/** The first phrases in quotation marks, without them, each once, in order; a single word in quotation marks is one too. */
export function quotedPhrases(query: string): string[] {
  const phrases = [...query.matchAll(QUOTATION)]
    .map((match) => (match.slice(1).find((group) => group !== undefined) ?? '').trim())
    .filter((phrase) => phrase !== '')
  return [...new Set(phrases)].slice(0, MOST_PHRASES)
}

/** True when a query is one phrase in quotation marks and nothing else. */
export function isOneQuotation(query: string): boolean {
  const bare = query.trim()
  const [first] = bare.matchAll(QUOTATION)
  return first?.[0] === bare
}
