import { rankingKernels } from './kernels.ts'

/** Ends of a scale: `zero` maps to 0, `one` to 1. */
export type Scale = { zero: number; one: number }

/** Scales scores to 0..1; a missing score is 0. `others` extend the scale and are not returned. */
export function scaleScores(scores: readonly (number | null)[], others: readonly (number | null)[] = []): number[] {
  const scale = readScale(scores, others)
  if (scale === null) return scores.map(() => 0)
  const range = scale.one - scale.zero
  return scores.map((score) => (score === null ? 0 : range > 0 ? (score - scale.zero) / range : 1))
}

/**
 * Returns the scale of the scores. The scale begins at 0 or below if a score is missing. `null`
 * without scores.
 */
export function readScale(scores: readonly (number | null)[], others: readonly (number | null)[] = []): Scale | null {
  let [zero, one] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let isMissing = false
  for (const list of [scores, others])
    for (const score of list) {
      if (score === null) isMissing = true
      else {
        zero = Math.min(zero, score)
        one = Math.max(one, score)
      }
    }
  if (one === Number.NEGATIVE_INFINITY) return null
  return { zero: isMissing ? Math.min(0, zero) : zero, one }
}

/** Returns scores relative to the maximum; 0 for negative scores. */
export function toSharesOfMax(scores: readonly number[]): number[] {
  const most = Math.max(0, ...scores)
  return scores.map((score) => (most > 0 ? Math.max(0, score) / most : 0))
}

/**
 * Returns the cosines, -1 to 1, of a query and packed windows with its length. Empty without
 * windows.
 */
export function windowCosines(query: Float32Array, windows: Uint8Array): number[] {
  return [...rankingKernels.rowDots(query, windows)].map((dot) => Math.min(1, Math.max(-1, dot / 127)))
}

/** Returns the maximum of {@link windowCosines}; `null` without windows. */
export function maxWindowCosine(query: Float32Array, windows: Uint8Array): number | null {
  let most: number | null = null
  for (const dot of rankingKernels.rowDots(query, windows)) if (most === null || dot > most) most = dot
  return most === null ? null : Math.min(1, Math.max(-1, most / 127))
}

/** Term frequencies of a text, and its length in the same unit. */
export type Counts = { counts: Uint32Array; length: number }

/** Robertson's k1 and b for short passages (Anserini's defaults, measured best). */
const K1 = 0.9
const B = 0.4

/**
 * Statistics of further texts that get no score. `found` is the document frequency of each term.
 */
type FurtherTexts = { texts: number; length: number; found: readonly number[] }

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
