import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeWordForMatch } from '../analysis/fold.ts'
import { hasNegation } from '../answering/negation.ts'
import { splitSentences } from '../answering/split-sentences.ts'
import { wordsOfAll } from '../languages/languages.ts'

/** Adverbs of negation, which are no content of a sentence. */
const ADVERBS: ReadonlySet<string> = new Set(
  wordsOfAll(({ statements }) => statements?.negations).map(normalizeWordForMatch),
)
/**
 * Negated comparisons, which state a bound: "no more than 4 percent", "not before March", "nicht
 * mehr als", "不超过".
 */
const BOUND_PHRASES = [
  'not? (?:more|less|fewer|later|earlier|sooner|longer|before|until|after|only|over|under)',
  'never (?:more|less|before|after)',
  '(?:(?:may|must|can|will|shall|does|do) )?not exceed[a-z]*',
  '(?:nicht|nie) (?:mehr|weniger|später|früher|länger|vor|über|unter|nur|bevor|höher)',
  'pas (?:plus|moins|avant|après|seulement)',
  'sans dépasser',
  'no (?:más|menos|antes|después|sólo|solo|superior)',
  'sin superar',
  'non (?:più|meno|oltre|prima|dopo|solo)',
  'não (?:mais|menos|antes|só)',
  'niet (?:meer|minder|later|eerder|langer|voor|alleen)',
  'не (?:более|менее|ранее|позднее|позже|раньше|больше|меньше|только)',
  'nie (?:więcej|mniej|później|wcześniej|dłużej|tylko)',
].join('|')
const BOUNDS = new RegExp(
  [
    String.raw`(?<!\p{L})(?:${BOUND_PHRASES})(?!\p{L})`,
    '不(?:得|能|可)?(?:超过|超過|少于|低于|高于|早于|晚于|多于)|不仅|不只',
  ].join('|'),
  'giu',
)
/** "No, the deposit is GBP 1,670": an answer to the question, not a negated sentence. */
const PARTICLE = /^\s*\p{L}{1,5}\s?[,，、.。]\s*(?=\S)/u
const CLAUSE_END = /(?<=[,;:，；：–—(（])\s*|(?<=[)）])\s*/u
/** Negations of languages whose words `hasNegation` does not know: Japanese, Korean, Turkish. */
const OTHER_NEGATION =
  /(?:ない|ません|ぬ|ず)(?![\p{Script=Hiragana}]*か)|않|없|못|(?<!\p{L})(?:değil|yok)(?!\p{L})|不是|并非|並非|不需|无需|没/u

/** True for an adverb such as "not". */
export function isNegationAdverb(word: string): boolean {
  return ADVERBS.has(normalizeWordForMatch(word))
}

/** True for a negated sentence; a bound such as "no more than" is no negation. */
export function isNegated(sentence: string, language: string | null): boolean {
  const text = sentence.replace(PARTICLE, '').replace(BOUNDS, ' ')
  return hasNegation(text, language) || OTHER_NEGATION.test(text)
}

/** Share of a clause that a sentence of the source must repeat to be comparable. */
const MIN_SHARED = 0.8
const MIN_TERMS = 2

/** A claim, and the texts that it cites. */
type Comparison = { claim: string; texts: readonly string[]; languages: readonly string[] }

/**
 * True if a source says in the same words the opposite of a clause of the claim, and no source says
 * the same. Negations behind the shared words belong to something else: "Pets are allowed but not
 * in the kitchen".
 */
export function isContradicted(analyzer: Analyzer, { claim, texts, languages }: Comparison): boolean {
  const language = languages[0] ?? null
  const sentences = texts.flatMap((text) => splitSentences(text).map(({ start, end }) => text.slice(start, end)))
  return claim
    .replace(PARTICLE, '')
    .split(CLAUSE_END)
    .some((clause) => {
      const terms = contentTerms(analyzer, clause, languages)
      if (terms.length < MIN_TERMS) return false
      const polarity = isNegated(clause, language)
      const alike = sentences.flatMap((sentence) =>
        sentence.split(CLAUSE_END).flatMap((part) => {
          const found = analyzer.findTerms(part, terms, languages)
          const share = new Set(found.map(({ term }) => term)).size / terms.length
          if (share < MIN_SHARED) return []
          const last = Math.max(0, ...found.map(({ end }) => end))
          const isEnd = part.slice(last).trim().split(/\s+/u).length <= 1
          return [isNegated(isEnd ? part : part.slice(0, last), language)]
        }),
      )
      return alike.length > 0 && alike.every((other) => other !== polarity)
    })
}

/** Terms of a text without adverbs of negation. */
export function contentTerms(analyzer: Analyzer, text: string, languages: readonly string[]): string[] {
  const adverbs = new Set(
    languages.flatMap((language) =>
      analyzer
        .tokens(text, language)
        .filter(({ start, end }) => isNegationAdverb(text.slice(start, end)))
        .map(({ term }) => term),
    ),
  )
  const { terms } = analyzer.queryTerms(text, languages)
  const content = terms.filter((term) => !adverbs.has(term))
  return content.length > 0 ? content : terms
}
