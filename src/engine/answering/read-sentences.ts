import type { Analyzer } from '../analysis/analyzer.ts'
import type { Span } from '../chunking/split-text.ts'
import type { QuestionUnit } from './question-units.ts'

/** A passage that was retrieved, the best first. */
export type Passage = {
  text: string
  /** Title of its document and the headings above it; `null` or empty where there are none. */
  title: string | null
  section: string | null
  /** As retrieval scored it: 0 to 1, falls with rank. */
  score: number
  /** Its sentences, as `splitSentences` gives them. */
  sentences: readonly Span[]
  /** An L2-normalised vector a sentence, zeros where nothing is known of it; `null` where there are none. */
  vectors: readonly Float32Array[] | null
  /** Cosine of the question and the passage, which stands for its sentences where they have no vectors; `null`: unknown. */
  semantic: number | null
}

/** Where a unit of the question stands in a sentence. */
export type Match = { unit: number; start: number; end: number }

/** A sentence with what of the question stands in it, and around it. */
export type ReadSentence = Span & {
  passage: number
  /** Its place within the passage. */
  place: number
  matches: readonly Match[]
  units: ReadonlySet<number>
}

/** What of the question stands in a passage as a whole, and in its title and headings. */
export type ReadPassage = {
  units: ReadonlySet<number>
  context: ReadonlySet<number>
  sentences: readonly ReadSentence[]
}

/** Finds the units of a question in passages and their sentences. Takes time linear in the length of the texts. */
export function readSentences(
  analyzer: Analyzer,
  { units, languages }: { units: readonly QuestionUnit[]; languages: readonly string[] },
  passages: readonly Passage[],
): ReadPassage[] {
  const unitOf = new Map(units.flatMap(({ terms }, index) => terms.map((term) => [term, index] as const)))
  const terms = [...unitOf.keys()]
  const find = (text: string): Match[] =>
    analyzer.findTerms(text, terms, languages).flatMap(({ term, start, end }) => {
      const unit = unitOf.get(term)
      return unit === undefined ? [] : [{ unit, start, end }]
    })
  return passages.map(({ text, title, section, sentences }, passage) => {
    const matches = find(text)
    const heading = [title, section].filter((part) => part !== null && part !== '').join('\n')
    const context = new Set(heading === '' ? [] : find(heading).map(({ unit }) => unit))
    let first = 0
    const read = sentences.map((span, place) => {
      while ((matches[first]?.start ?? Number.POSITIVE_INFINITY) < span.start) first += 1
      let last = first
      while ((matches[last]?.start ?? Number.POSITIVE_INFINITY) < span.end) last += 1
      const own = matches.slice(first, last)
      return { ...span, passage, place, matches: own, units: new Set(own.map(({ unit }) => unit)) }
    })
    return { units: new Set(matches.map(({ unit }) => unit)), context, sentences: read }
  })
}
