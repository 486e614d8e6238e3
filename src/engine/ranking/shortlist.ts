import type { Chunk } from '../chunking/chunk.ts'
import { scaleScores } from './scores.ts'

/** A retrieved chunk before its text is read. */
export type Match = {
  /** BM25 of the lexical retriever; `null` if not retrieved there. */
  lexical: number | null
  /** Cosine of the whole chunk; `null` if the semantic retriever did not return the chunk. */
  semantic: number | null
}

/**
 * Returns the indexes of the matches by descending score of both retrievers. `semanticWeight` is
 * the weight of the fusion, 0 to 1.
 */
export function shortlist(matches: readonly Match[], semanticWeight: number): number[] {
  const lexical = scaleScores(matches.map((match) => match.lexical))
  const semantic = matches.map((match) => match.semantic)
  const floor = minCosine(matches)
  const nearness = scaleScores(semantic.map((cosine) => cosine ?? floor))
  const promises = matches.map(
    (_, place) => (1 - semanticWeight) * (lexical[place] ?? 0) + semanticWeight * (nearness[place] ?? 0),
  )
  return [...promises.keys()].sort((a, b) => (promises[b] ?? 0) - (promises[a] ?? 0) || a - b)
}

/** Returns the lowest cosine retrieved, a bound for other chunks; `null` without matches. */
export function minCosine(...lists: readonly (readonly Match[])[]): number | null {
  let least: number | null = null
  for (const matches of lists)
    for (const { semantic } of matches) if (semantic !== null && (least === null || semantic < least)) least = semantic
  return least
}

/**
 * Reorders the top of a ranking by the scores of a reranking model; `scores[i]` belongs to position
 * i, higher is better. Positions without a score follow in order. Scores stay within 0 and 1 and
 * descend by rank; logits are converted by the logistic function.
 */
export function applyReranking<Place extends { score: number; scores: { rerank: number | null } }>(
  ranked: readonly Place[],
  scores: readonly number[],
): Place[] {
  const areShares = scores.every((score) => score >= 0 && score <= 1)
  const read = scores
    .flatMap((score, at) => {
      const place = ranked[at]
      return place === undefined ? [] : [{ place, at, score: areShares ? score : 1 / (1 + Math.exp(-score)) }]
    })
    .sort((a, b) => b.score - a.score || a.at - b.at)
  const least = read.at(-1)?.score ?? 1
  const rest = ranked.slice(read.length)
  const most = rest[0]?.score || 1
  return [
    ...read.map(({ place, score }) => ({ ...place, score, scores: { ...place.scores, rerank: score } })),
    ...rest.map((place) => ({
      ...place,
      score: least * (place.score / most),
      scores: { ...place.scores, rerank: null },
    })),
  ]
}

const ASCII = /^[\0-\x7f]*$/
/**
 * Characters without meaning for a copy: white space, punctuation and marks of Markdown. Symbols,
 * question marks, and separators and signs before a digit are kept: 1.5 is not 15, $5 not 5 %.
 */
const MEANINGLESS_ASCII = /(?:[^a-z0-9$%+<=>?.,:/-]|[.,:/-](?!\d))+/g
const MEANINGLESS = /(?:[[\s\p{P}\p{C}`\|~^]--[%‰?.,:\/\-–]]|[.,:\/\-–](?!\p{N}))+/gv

/**
 * Key of a text that is equal for copies only: two texts that differ in case, white space or
 * punctuation. Texts that differ in a word, number, sign or unit have different keys.
 */
export function toCopyKey(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(MEANINGLESS_ASCII, ' ').trim()
  return text.normalize('NFKC').toLowerCase().replace(MEANINGLESS, ' ').trim()
}

/** Key of a passage below its headings; equal for copies only. */
export function copyKeyOf({ text, section, header }: Pick<Chunk, 'text' | 'section' | 'header'>): string {
  return [section ?? '', header ?? '', text].map(toCopyKey).join('\n')
}

type KeyedChunk = Pick<Chunk, 'text' | 'section' | 'header'>

/**
 * Creates a function that returns a key for each chunk, equal for copies only. Most chunks differ
 * in their first and last letters, so that few whole texts are compared.
 */
export function createCopyKeys(): (chunk: KeyedChunk) => string {
  const firsts = new Map<string, { chunk: KeyedChunk; key: string | null }>()
  return (chunk) => {
    // The key of a text has the same letters: it lacks only other characters.
    const ends = readEnds(ASCII.test(chunk.text) ? chunk.text : chunk.text.normalize('NFKC').toLowerCase())
    const first = firsts.get(ends)
    if (first === undefined) {
      firsts.set(ends, { chunk, key: null })
      return ends
    }
    first.key ??= copyKeyOf(first.chunk)
    const key = copyKeyOf(chunk)
    return key === first.key ? ends : key
  }
}

const END_LETTERS = 16
const SPACE = 32

/** The first and last ASCII letters and digits of a text, in small letters. */
function readEnds(text: string): string {
  const letters: number[] = []
  for (let at = 0; at < text.length && letters.length < END_LETTERS; at++) addLetter(letters, text.charCodeAt(at))
  letters.push(SPACE)
  const most = letters.length + END_LETTERS
  for (let at = text.length - 1; at >= 0 && letters.length < most; at--) addLetter(letters, text.charCodeAt(at))
  return String.fromCharCode(...letters)
}

function addLetter(letters: number[], code: number): void {
  const small = code >= 65 && code <= 90 ? code + 32 : code
  if ((small >= 97 && small <= 122) || (small >= 48 && small <= 57)) letters.push(small)
}
