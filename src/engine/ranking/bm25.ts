/** How often each of some terms stands in a text, and how long the text is, in the same unit. */
export type Counts = { counts: Uint32Array; length: number }

/** Robertson's k1 and b for short passages (Anserini's defaults, measured best on them). */
const K1 = 0.9
const B = 0.4

/**
 * BM25 of some texts for terms that all weigh alike but for their rarity among these texts.
 * Not below 0, in the order of the texts; 0 where no term stands.
 */
export function scoreBm25(texts: readonly Counts[], terms: number): Float64Array {
  const scores = new Float64Array(texts.length)
  const meanLength = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length)
  if (meanLength === 0) return scores
  const found = new Uint32Array(terms)
  for (const { counts } of texts)
    for (let term = 0; term < terms; term++) if (counts[term]) found[term] = (found[term] ?? 0) + 1
  const rarity = Float64Array.from(found, (count) => Math.log(1 + (texts.length - count + 0.5) / (count + 0.5)))
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
