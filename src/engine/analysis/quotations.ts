/**
 * What stands between quotation marks, as the world sets them: "a", “a”, ”a” (Swedish, Finnish), „a“ and „a” (German, Polish), «a», »a«, ‹a›, 「a」, 『a』,
 * ＂a＂. A mark behind a digit means inches, and opens nothing.
 */
const QUOTATION =
  /(?<!\p{Nd})"([^"]+)"|“([^“”]+)”|(?<!\p{Nd})”([^“”]+)”|„([^„“”"]+)[“”"]|«([^«»]+)»|»([^«»]+)«|‹([^‹›]+)›|「([^「」]+)」|『([^『』]+)』|＂([^＂]+)＂/gv

/** The phrases in quotation marks, without them, in order; a single word in quotation marks is one too. */
export function quotedPhrases(query: string): string[] {
  return [...query.matchAll(QUOTATION)]
    .map((match) => (match.slice(1).find((group) => group !== undefined) ?? '').trim())
    .filter((phrase) => phrase !== '')
}

/** True when a query is one phrase in quotation marks and nothing else. */
export function isOneQuotation(query: string): boolean {
  const bare = query.trim()
  const [first] = bare.matchAll(QUOTATION)
  return first?.[0] === bare
}
