/** What a find says of why a hit stands where it stands, and of a document that someone misses; see `explain-hit.ts` and `explain-document.ts`. */

/** A part of a score, in words and numbers. */
export type ExplainedPart = {
  /** `words` and `meaning` are the legs; `model`: what a reranking model changed; `correction` and `place`: those of corrections. */
  name:
    | 'words'
    | 'meaning'
    | 'runs'
    | 'pairs'
    | 'nearlyWords'
    | 'title'
    | 'inText'
    | 'speaker'
    | 'phrase'
    | 'neighbours'
    | 'alike'
    | 'model'
    | 'correction'
    | 'place'
  /** BM25 of words, runs, pairs and titles, cosine of the meaning, phrases that stand in it, what others lend; `null` for what has no unit of its own. */
  raw: number | null
  /** The raw figures that are 0 and 1 on the scale of everything that was found; `null` where there is no such scale. */
  zero: number | null
  one: number | null
  /** On that scale, never below 0: `(raw - zero) / (one - zero)`, and 1 where both ends are the same; `null` where there is none. */
  share: number | null
  weight: number | null
  /** In points of the score; those of all parts add up to it. */
  points: number
  message: string
}

/** A term that was looked up, the words of the query that asked for it, none for another way of writing them, and those of the passage that have it. */
export type ExplainedTerm = { term: string; asked: string[]; words: string[]; count: number }

/** How well the query is answered at all: the score of the best passage, before a model reads it again, of which all others have a share. */
export type ExplainedTop = {
  /** `1 - (1 - words) * (1 - meaning)` of one of the five best. */
  score: number
  /** What the best passage's shares, each times its weight, add up to: a part's points are share * weight * score / total. */
  total: number
  /** The share of the query's runs of four characters that stand in that passage; `null` where words do not count. */
  words: number | null
  /** Its cosine; `null` where meaning does not count. */
  meaning: number | null
  message: string
}

/** Why a passage has its score. */
export type HitExplanation = {
  summary: string
  parts: ExplainedPart[]
  /** The same for every document that was found; `null` for corrections. */
  top: ExplainedTop | null
  /** Those that stand in the passage, other ways of writing them too, and of those that do not, which have `count` 0, the first few; see `explain-hit.ts`. */
  terms: ExplainedTerm[]
  /** The sentences nearest to the query, as a place in the extracted text; `null` where nothing was compared by meaning, and where the title is nearest. */
  window: { startOffset: number; endOffset: number; cosine: number } | null
}

/** Where a document stands, or why it does not. */
export type DocumentExplanation = {
  documentId: string
  title: string | null
  reason:
    | 'hit'
    | 'outranked'
    | 'not_read'
    | 'not_a_candidate'
    | 'filtered_out'
    | 'correction_not_matching'
    | 'expired'
    | 'not_ready'
    | 'not_found'
  message: string
  /** Place of its best passage among all that were ranked, from 1; `null` where it was not ranked. */
  rank: number | null
  score: number | null
  /** What it would have to exceed to be among the hits; `null` where it is, and where there is no such score. */
  neededScore: number | null
  /** How near its best passage came to the candidates of each leg that ran; empty where it is among them. */
  legs: readonly {
    leg: 'lexical' | 'semantic'
    /** BM25 or cosine; `null` where no passage of it was found at all. */
    best: number | null
    /** Of the last candidate; `null` where there was room. */
    needed: number | null
  }[]
  /** Of its best passage, where that was ranked. */
  explanation: HitExplanation | null
}
