/** Term frequencies of a text, and its length in the same unit. */
export type Counts = { counts: Uint32Array; length: number }

/** Robertson's k1 and b for short passages (Anserini's defaults, measured best). */
const K1 = 0.9
const B = 0.4

/**
 * Statistics of further texts that get no score. `found` is the document frequency of each term.
 */
export type FurtherTexts = { texts: number; length: number; found: readonly number[] }

const NO_TEXTS: FurtherTexts = { texts: 0, length: 0, found: [] }

/**
 * Scores texts by BM25 over `terms` equally weighted terms. Document frequencies include further
 * texts. Not negative, in the order of the texts; 0 without a match.
 */
export function scoreBm25(texts: readonly Counts[], terms: number, further: FurtherTexts = NO_TEXTS): Float64Array {
  const scores = new Float64Array(texts.length)
  const all = texts.length + further.texts
  const meanLength = texts.reduce((sum, text) => sum + text.length, further.length) / Math.max(1, all)
  if (meanLength === 0) return scores
  const found = Uint32Array.from({ length: terms }, (_, term) => further.found[term] ?? 0)
  for (const { counts } of texts)
    for (let term = 0; term < terms; term++) if (counts[term]) found[term] = (found[term] ?? 0) + 1
  const rarity = Float64Array.from(found, (count) => Math.log(1 + (all - count + 0.5) / (count + 0.5)))
  texts.forEach(({ counts, length }, index) => {
    const norm = K1 * (1 - B + (B * length) / meanLength)
    let score = 0
    for (let term = 0; term < terms; term++) {
      const count = counts[term] ?? 0
      if (count > 0) score += ((rarity[term] ?? 0) * count * (K1 + 1)) / (count + norm)
    }
    scores[index] = score
  })
  return scores
}
