import { normalizeWord } from './fold.ts'
import type { Token, Word } from './split-words.ts'

/** Characters of scripts without spaces between words: Han, Kana, Thai, Khmer, Lao, Burmese. */
export const UNSPACED = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]/v

/** Hangul. Korean has spaces and appends grammatical markers to words. */
export const HANGUL = /\p{scx=Hang}/v

/** A word with its terms in all given languages. Offsets are UTF-16 code units. */
export type AnalyzedWord = {
  text: string
  start: number
  end: number
  terms: readonly string[]
  /** True for a stop word of a language, and for a particle of a script without spaces. */
  isFunction: boolean
  /** True for a word of a script that is indexed by pairs of characters. */
  isLiteral: boolean
}

/** Longer Korean words are indexed by bigrams, because particles vary their endings. */
const HANGUL_WORD_SYLLABLES = 2
/**
 * A syllable with a case particle (subject, object, place …). Every pair of syllables is kept
 * without the particle.
 */
const MARKED_SYLLABLE = /^\p{L}[은는이가을를의에도로와과만]$/u
/**
 * Verbal suffixes: "to do" and "to become". Shorter suffixes are noun endings as well (`유통기한`,
 * `부당해고`).
 */
const VERBS = [
  '[하되](?:다|는|고|여|어|기|기를|기로|지|지만|면|며|면서|려면|려고|도록|십시오|세요|거나|게|던|는데|는지|나요|[였었]다|[였었]습니다)',
  '[합됩]니[다까]',
  '[했됐](?:다|던|는데|는지|습니[다까])',
  '[해돼][서야]',
  '[한된]다',
  '[된될]',
  '이?(?:습?니[다까]|십시오|세요|으면|면서|는데|지만)',
]
/** Excludes one-syllable particles that are also noun endings (`전문가`, `고양이`, `소아과`). */
const PARTICLES = '(?:들[이의과로]?)?(?:에서|에게|한테|으로|에)?(?:부터|까지|처럼|보다)?[은는을를]?'
/** At least two syllables of the word remain. */
const ENDING = new RegExp(`(?<=.{2})(?:${VERBS.join('|')}|${PARTICLES})$`, 'u')

/**
 * Removes particles and verbal suffixes from a Korean query word. Texts are indexed by syllable
 * bigrams, and bigrams that include endings are irrelevant (docs/relevance.md).
 */
export function stripKoreanEnding(word: Word): Word {
  if (word.kind !== 'hangul') return word
  const stem = word.text.replace(ENDING, '')
  return stem === word.text ? word : { ...word, text: stem, end: word.start + stem.length }
}

/** Terms of a Korean word: a short word as a whole, a longer one by bigrams. */
export function hangulTokens(word: Word): Token[] {
  const term = normalizeWord(word.text)
  if ([...term].length > HANGUL_WORD_SYLLABLES) return bigrams(word)
  const whole = { term, start: word.start, end: word.end }
  return MARKED_SYLLABLE.test(term) ? [whole, { ...whole, term: term.slice(0, 1) }] : [whole]
}

const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })
const PARTICLE = '[的了是在和与與及或之有吗嗎呢吧被把對对也都就]'
/** Hiragana writes particles and endings. The listed Chinese words are particles as well. */
const FUNCTION_SEGMENT = new RegExp(`^(?:\\p{scx=Hira}+|${PARTICLE})$`, 'v')
/** Words are written in Hiragana as well, so that only a single character is a particle. */
const PARTICLE_RUN = new RegExp(`^(?:${PARTICLE}+|\\p{scx=Hira})$`, 'v')

/** True for a run of particles only, such as 的了. */
export function isParticleRun({ kind, text }: Word): boolean {
  return kind === 'unspaced' && PARTICLE_RUN.test(text)
}

/**
 * Splits a run of a script without spaces into dictionary words. Some milliseconds for a thousand
 * characters, so only for the sentences that are compared word by word.
 */
export function segmentRun({ text, start }: Word): AnalyzedWord[] {
  return [...SEGMENTER.segment(text)].map(({ segment, index }) => ({
    text: segment,
    start: start + index,
    end: start + index + segment.length,
    terms: [normalizeWord(segment)],
    isFunction: FUNCTION_SEGMENT.test(segment),
    isLiteral: true,
  }))
}

/** Bigrams of characters; a single character is a term. */
export function bigrams(word: Word): Token[] {
  const characters = placeCharacters(word)
  if (characters.length === 0) return []
  if (characters.length === 1) return [{ term: characters[0]?.text ?? '', start: word.start, end: word.end }]
  const tokens: Token[] = []
  for (const [index, second] of characters.entries()) {
    const first = characters[index - 1]
    if (first !== undefined) tokens.push({ term: first.text + second.text, start: first.start, end: second.end })
  }
  return tokens
}

const ONE_HAN = /^\p{Script=Han}$/u

/**
 * True for a term of one Chinese character. It is found in the pairs that begin with it, and where
 * it ends a run ({@link lastCharacter}).
 */
export function isSingleCharacter(term: string): boolean {
  return ONE_HAN.test(term)
}

/** The Chinese character at the end of a run, which begins no pair; `null` for other words. */
export function lastCharacter({ kind, text }: Word): string | null {
  const characters = kind === 'unspaced' ? [...text.slice(-4)] : []
  const last = characters.length > 1 ? normalizeWord(characters.at(-1) ?? '') : ''
  return isSingleCharacter(last) ? last : null
}

/** Every character of a run, with its offsets. */
export function characterTokens(word: Word): Token[] {
  return placeCharacters(word).map(({ text, start, end }) => ({ term: text, start, end }))
}

/**
 * A letter with its marks, including half-width Kana. Normalizing a run equals normalizing its
 * clusters.
 */
const CLUSTERS = /.[\p{M}\uff9e\uff9f]*/gsv

/**
 * Normalized characters with their offsets; the offsets of the whole word if its parts normalize
 * differently.
 */
function placeCharacters({ text, start, end }: Word): Pick<Word, 'text' | 'start' | 'end'>[] {
  const normal = normalizeWord(text)
  if (normal === text) {
    let at = start
    return [...text].map((character) => {
      const from = at
      at += character.length
      return { text: character, start: from, end: at }
    })
  }
  const placed = [...text.matchAll(CLUSTERS)].flatMap(({ 0: cluster, index }) =>
    [...normalizeWord(cluster)].map((character) => ({
      text: character,
      start: start + index,
      end: start + index + cluster.length,
    })),
  )
  if (placed.map((character) => character.text).join('') === normal) return placed
  return [...normal].map((character) => ({ text: character, start, end }))
}
