import type { Span } from '../chunking/split-text.ts'

/** A passage that was retrieved, the best first. */
export type Passage = {
  text: string
  /** Where it begins in its document. */
  startOffset: number
  /** Title of its document and the headings above it; `null` or empty where there are none. */
  title: string | null
  section: string | null
  /**
   * What it is written in (ISO 639-1), where its words may deny by that (`isToldByLanguage`);
   * `null` where it is not known.
   */
  language: string | null
  /** As retrieval scored it: 0 to 1, falls with rank. */
  score: number
  /** Its sentences, as `splitSentences` gives them. */
  sentences: readonly Span[]
  /** Its fenced code, as `findCodeOfPassage` gives it. */
  code: readonly Span[]
  /**
   * An L2-normalised vector a sentence, zeros where nothing is known of it; `null` where there are
   * none.
   */
  vectors: readonly Float32Array[] | null
  /**
   * Cosine of the question and the passage, which stands for its sentences where they have no
   * vectors; `null`: unknown.
   */
  semantic: number | null
}

/** The sentence at a place of a passage; empty where there is none. */
export function sentenceAt({ text, sentences }: Passage, place: number): string {
  const span = sentences[place]
  return span === undefined ? '' : text.slice(span.start, span.end)
}

/** The words of a sentence or another part of one of the passages. */
export function textOf(passages: readonly Passage[], { passage, start, end }: Span & { passage: number }): string {
  return passages[passage]?.text.slice(start, end) ?? ''
}

/** Where a unit of the question stands in a sentence. */
export type Match = { unit: number; term: string; start: number; end: number }

/** Some words, with what of the question stands in them. */
export type ReadText = { matches: readonly Match[]; units: ReadonlySet<number> }

/** Some words in which these matches stand. */
export function toReadText(matches: readonly Match[]): ReadText {
  return { matches, units: new Set(matches.map(({ unit }) => unit)) }
}
