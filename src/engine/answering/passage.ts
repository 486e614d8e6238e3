import type { Span } from '../chunking/split-text.ts'

/** A retrieved passage. */
export type Passage = {
  kind: 'document' | 'correction'
  text: string
  /** Start of the passage in its document. */
  startOffset: number
  /** Document title and headings; `null` or empty if there are none. */
  title: string | null
  section: string | null
  /** Language (ISO 639-1) if negation depends on it (`isNegationAmbiguous`); `null` if unknown. */
  language: string | null
  /** Retrieval score, 0 to 1, descending by rank. */
  score: number
  /** Sentences, from `splitSentences`. */
  sentences: readonly Span[]
  /** Fenced code, from `findCodeOfPassage`. */
  code: readonly Span[]
  /**
   * One L2-normalized vector per sentence, zeros if the embedder knows no word; `null` without
   * vectors.
   */
  vectors: readonly Float32Array[] | null
  /** Cosine of question and passage, which replaces missing sentence vectors; `null` if unknown. */
  semantic: number | null
}

/** Returns a sentence of a passage by index; empty if out of range. */
export function sentenceAt({ text, sentences }: Passage, place: number): string {
  const span = sentences[place]
  return span === undefined ? '' : text.slice(span.start, span.end)
}

/** Returns a slice of one of the passages. */
export function textOf(passages: readonly Passage[], { passage, start, end }: Span & { passage: number }): string {
  return passages[passage]?.text.slice(start, end) ?? ''
}

/** Occurrence of a question unit in a text. */
export type Match = { unit: number; term: string; start: number; end: number }

/** A text with its matches. */
export type MatchedText = { matches: readonly Match[]; units: ReadonlySet<number> }

/** Builds the units of some matches. */
export function toMatchedText(matches: readonly Match[]): MatchedText {
  return { matches, units: new Set(matches.map(({ unit }) => unit)) }
}
