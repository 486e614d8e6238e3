import { listWords } from '../languages/language.ts'
import { listEnglishSpellings } from './english-spellings.ts'
import type { Word } from './split-words.ts'

/** Longer queries join no words: their words suffice, and a sentence has many neighbours. */
const MAX_JOINED_WORDS = 5
const MAX_JOINED_CHARACTERS = 40
const LETTERS_AND_DIGITS = /^(?=.*\p{L})(?=.*\p{Nd})[\p{L}\p{M}\p{Nd}]+$/v
const SAME_SORT = /[\p{L}\p{M}]+|\p{Nd}+/gv
const JOINTS = /[_\-.:]/g
const VERSION = /^(?:v(?=\d+\.)|(?=\d+\.\d+\.))(\d+(?:\.\d+)+)$/i
/** A number with optional thousands separators and decimals: `8450`, `8.450`, `18,442.00`. */
const NUMBER = /^(\d{1,3}(?:\.\d{3})+|\d+)(?:[.,](\d{1,2}))?$/
/** Longer abbreviations are not written with full stops. */
const ABBREVIATION = /^\p{Lu}{2,4}$/u
/** Serbian in Latin letters is Croatian to a detector. */
const CYRILLIC = /\p{Script=Cyrillic}/u
/** Smaller numbers with a separator are as often decimals or parts of a date. */
const MIN_GROUPED = 1000

/**
 * Returns spelling variants of a query as words with query offsets. Variants join and split:
 * `COVID19` and `COVID-19`, `400mg` and `400 mg`, `bookbinder` and `book binder`. Numbers and
 * names: `8450` and `8,450.00`, `v2.3.1` and `2.3.1`, `TNFα` and `TNF-alpha`, `UK` and `U.K.`.
 * English: `haemoglobin` and `hemoglobin`, `bacterium` and `bacteria`. German: `Mueller` and
 * `Müller`. Japanese: `りんご` and `リンゴ`. Serbian: `књига` and `knjiga`. Variants are computed for
 * queries only, never indexed.
 */
export function listSpellingVariants(query: string, words: readonly Word[], language: string): Word[] {
  const distinct = new Map(words.map((word) => [`${word.kind} ${word.text}`, word])).values()
  return [...[...distinct].flatMap((word) => formsOfWord(word, language)), ...joinedNeighbours(query, words)]
}

function formsOfWord(word: Word, language: string): Word[] {
  if (word.kind === 'unspaced') return kanaForms(word.text).map((text) => ({ ...word, text }))
  if (word.kind === 'hangul') return []
  const texts = new Set([
    ...partsOf(word.text),
    ...withoutJoints(word),
    ...versionsOf(word.text),
    ...numbersOf(word.text),
    ...listGreekVariants(word.text),
    ...withPoints(word),
    ...(language === 'sr' || (language === 'hr' && CYRILLIC.test(word.text)) ? serbianForms(word.text) : []),
    ...(language === 'de' ? umlautForms(word.text) : []),
    ...(language === 'en' ? [...listEnglishSpellings(word.text), ...listClassicalVariants(word.text)] : []),
  ])
  texts.delete(word.text)
  return [...texts].map((text) => ({ ...word, text, kind: /^[\p{L}\p{M}]+$/v.test(text) ? 'word' : 'whole' }))
}

/**
 * Splits a name of letters and digits (`KX200B` as `KX-200-B`) and a number with its unit. Letters
 * of a name alone would find all its relatives: every IFITM for IFITM3.
 */
function partsOf(text: string): string[] {
  if (!LETTERS_AND_DIGITS.test(text)) return []
  const parts = text.match(SAME_SORT) ?? []
  const isQuantity = parts.length === 2 && /^\p{Nd}/v.test(text)
  return [...(isQuantity ? parts.filter((part) => part.length > 1) : []), parts.join('-')]
}

function withoutJoints({ text, kind }: Word): string[] {
  return kind === 'whole' && /\p{L}/u.test(text) && !/[@/]/.test(text) ? [text.replace(JOINTS, '')] : []
}

/** `UK` as `U.K.`, in its indexed form. */
function withPoints({ text, kind }: Word): string[] {
  return kind === 'word' && ABBREVIATION.test(text) ? [[...text].join('.')] : []
}

/**
 * Converts `Mueller` to `Müller` and back. After another vowel or a q the letters are two sounds:
 * `neue`, `Quelle`.
 */
function umlautForms(text: string): string[] {
  const lower = text.toLowerCase()
  const joined = lower.replace(/(?<![aeiouq])([aou])e/g, '$1\u0308').normalize('NFC')
  const parted = lower.replace(/[äöü]/g, (vowel) => `${vowel.normalize('NFD').slice(0, 1)}e`)
  return [joined, parted].filter((form) => form !== lower)
}

function versionsOf(text: string): string[] {
  const [, digits] = VERSION.exec(text) ?? []
  return digits === undefined ? [] : [digits, `v${digits}`]
}

/**
 * Variants in indexed form: commas between thousands are removed (`splitWords`), full stops are
 * kept.
 */
function numbersOf(text: string): string[] {
  const [, whole = '', decimals = ''] = NUMBER.exec(text) ?? []
  if (whole === '') return []
  const digits = whole.replaceAll('.', '')
  const isLarge = Number(digits) >= MIN_GROUPED
  const grouped = isLarge ? [digits, digits.replace(/\B(?=(?:\d{3})+$)/g, '.')] : [digits]
  const isRound = /^0*$/.test(decimals)
  const ends = isRound ? (isLarge ? ['', '.00', ',00'] : []) : [`.${decimals}`, `,${decimals}`]
  return grouped.flatMap((form) => ends.map((end) => form + end))
}

/** Joins adjacent words that only a space or a hyphen separates. */
function joinedNeighbours(query: string, words: readonly Word[]): Word[] {
  const plain = words.filter(({ kind }) => kind === 'word')
  return plain.flatMap((word, index) => {
    const next = plain[index + 1]
    if (next === undefined || word.text.length + next.text.length > MAX_JOINED_CHARACTERS) return []
    const between = query.slice(word.end, next.start)
    const isJoined = between === '-' || (between === ' ' && words.length <= MAX_JOINED_WORDS)
    return isJoined ? [{ text: word.text + next.text, start: word.start, end: next.end, kind: 'word' }] : []
  })
}

/** Longer runs are sentences with particles. */
const ONE_KANA = /^(?:[ぁ-ゖー]{2,10}|[ァ-ヶー]{2,10})$/
const HIRAGANA = /[ぁ-ゖ]/g
const KATAKANA = /[ァ-ヶ]/g
/** Unicode orders both scripts alike. */
const DISTANCE = 0x60

/**
 * Converts a word of hiragana to katakana and back, because names of animals and plants are written
 * in both: `りんご`, `リンゴ`. Returns nothing for other words.
 */
function kanaForms(text: string): string[] {
  const word = text.normalize('NFKC')
  if (!ONE_KANA.test(word)) return []
  const shifted = (letter: string, by: number) => String.fromCharCode(letter.charCodeAt(0) + by)
  const other = word.replace(HIRAGANA, (letter) => shifted(letter, DISTANCE))
  return [other === word ? word.replace(KATAKANA, (letter) => shifted(letter, -DISTANCE)) : other]
}

const SERBIAN_CYRILLIC = [...'абвгдђежзијклљмнњопрстћуфхцчџш']
const SERBIAN_LATIN = 'a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š'.split(' ')
const LATIN_OF: ReadonlyMap<string, string> = new Map(
  SERBIAN_CYRILLIC.map((letter, place) => [letter, SERBIAN_LATIN[place] ?? letter]),
)
const CYRILLIC_OF: ReadonlyMap<string, string> = new Map(
  SERBIAN_LATIN.map((letters, place) => [letters, SERBIAN_CYRILLIC[place] ?? letters]),
)
const SERBIAN_LETTERS = /lj|nj|dž|\p{L}/gu

/**
 * Converts a Serbian word to the other alphabet, in lower case. Returns nothing if a letter belongs
 * to neither.
 */
function serbianForms(word: string): string[] {
  const letters = word.toLowerCase().normalize('NFC').match(SERBIAN_LETTERS) ?? []
  return [LATIN_OF, CYRILLIC_OF].flatMap((other) => {
    const form = letters.map((letter) => other.get(letter))
    return form.length > 0 && form.every((letter) => letter !== undefined) ? [form.join('')] : []
  })
}

const NAMES = listWords(`
  alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu
  nu xi omicron pi rho sigma tau upsilon phi chi psi omega
`)
const GREEK_LETTERS = [...'αβγδεζηθικλμνξοπρστυφχψω']
const NAME_OF: ReadonlyMap<string, string> = new Map(
  GREEK_LETTERS.map((letter, place) => [letter, NAMES[place] ?? letter]),
)
const LETTER_OF: ReadonlyMap<string, string> = new Map(
  GREEK_LETTERS.map((letter, place) => [NAMES[place] ?? letter, letter]),
)
/** Greek letters in a Latin name: `TNFα`, `IL1β`, `αSMA`, `NFκB`. */
const MIXED = /^(?=.*\p{Script=Greek})(?=.*\p{Script=Latin})[\p{Script=Greek}\p{Script=Latin}\p{Nd}-]+$/u
const NUMBERED = /(?<=\p{Script=Latin})(?=\p{Nd})/u
const RUNS = /\p{Script=Greek}|[\p{Script=Latin}\p{Nd}]+/gu

/**
 * Converts a Greek letter to its name and back, and splits mixed names (`TNFα`: `TNF`, `α`,
 * `alpha`; `IL1β`: also `IL-1β` and `IL-1`). Lower case; nothing for most words.
 */
export function listGreekVariants(word: string): string[] {
  const lower = word.toLowerCase()
  const other = NAME_OF.get(lower) ?? LETTER_OF.get(lower)
  if (other !== undefined) return [other]
  if (!MIXED.test(word)) return []
  const parts = lower.match(RUNS) ?? []
  // A Greek letter after a number is too frequent alone: IL1β found every beta.
  if (NUMBERED.test(lower))
    return [lower, ...parts].flatMap((part) => (NAME_OF.has(part) ? [] : [part, part.replace(NUMBERED, '-')]))
  return parts.flatMap((part) => [part, NAME_OF.get(part) ?? part])
}

/** Singular and plural endings of Greek and Latin words in English. */
const CLASSICAL_ENDINGS: readonly (readonly [one: string, several: string])[] = [
  ['sis', 'ses'],
  ['um', 'a'],
  ['us', 'i'],
  ['ex', 'ices'],
  ['ix', 'ices'],
  ['ma', 'mata'],
  ['men', 'mina'],
  ['erion', 'eria'],
  ['omenon', 'omena'],
  ['chondrion', 'chondria'],
  ['ganglion', 'ganglia'],
  ['hedron', 'hedra'],
  ['taxon', 'taxa'],
]
/** Shorter words have such endings by chance. */
const MIN_CLASSICAL_LETTERS = 4
const EITHER_WAY = CLASSICAL_ENDINGS.flatMap(([one, several]) => [
  { from: one, to: several },
  { from: several, to: one },
])

/**
 * Converts a Greek or Latin word between singular and plural, which stemmers do not: `criteria` and
 * `criterion`, `diagnoses` and `diagnosis`. A non-word costs one index lookup.
 */
export function listClassicalVariants(word: string): string[] {
  const lower = word.toLowerCase()
  if (lower.length < MIN_CLASSICAL_LETTERS) return []
  return EITHER_WAY.filter(({ from }) => lower.endsWith(from)).map(({ from, to }) => lower.slice(0, -from.length) + to)
}

/** Latin letters of Cyrillic ones, also of Ukrainian and Serbian, by their sounds. */
const CYRILLIC_SOUNDS = toMap(
  'абвгґдеєёжзиіїйјклљмнњопрстћуўфхцчџшщыэюя',
  'a b v g g d e e o j z i i i i i k l l m n n o p r s t ch u u f h ts ch j sh sh i e u ia',
)
const GREEK_SOUNDS = toMap('αβγδεζηθικλμνξοπρσςτυφχψω', 'a v g d e z i t i k l m n ks o p r s s t i f h ps o')
const SOUND_OF: ReadonlyMap<string, string> = new Map([...CYRILLIC_SOUNDS, ...GREEK_SOUNDS])
const OTHER_LETTERS = /[\p{sc=Cyrl}\p{sc=Grek}]/gu
const HAS_OTHER = /[\p{sc=Cyrl}\p{sc=Grek}]/u
/** Accents of Latin and Greek letters. `й` and `ё` are separate letters. */
const LETTER_ACCENTS = /(?<=[\p{sc=Latn}\p{sc=Grek}])\p{Mn}+/gu

const ASCII = /^[\0-\x7f]*$/

/** Latin spellings of one sound, which other alphabets do not distinguish. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['ph', 'f'],
  ['th', 't'],
  ['ck', 'k'],
  ['ce', 'tse'],
  ['ci', 'tsi'],
  ['cy', 'tsi'],
  ['c', 'k'],
  ['q', 'k'],
  ['w', 'v'],
  ['y', 'i'],
  ['x', 'ks'],
])
const SPELLING = /ph|th|c[keiyh]|[cqwyx]/g
const DOUBLE_LETTER = /([a-z])\1/g

/**
 * Writes the words of a text in Latin letters by their sounds, in lower case: `Ньютон` becomes
 * `nuton`, `Newton` `nevton`. Close enough for four-grams, not for terms. Other scripts, digits
 * and punctuation stay.
 */
export function toSounds(text: string): string {
  const lower = text.toLowerCase()
  return toLatin(lower)
    .replace(SPELLING, (letters) => SPELLINGS.get(letters) ?? letters)
    .replace(DOUBLE_LETTER, '$1')
}

function toLatin(text: string): string {
  if (ASCII.test(text)) return text
  const plain = text.normalize('NFD').replace(LETTER_ACCENTS, '').normalize('NFC')
  return HAS_OTHER.test(plain) ? plain.replace(OTHER_LETTERS, (letter) => SOUND_OF.get(letter) ?? '') : plain
}

function toMap(letters: string, sounds: string): Map<string, string> {
  const written = sounds.split(' ')
  return new Map([...letters].map((letter, place) => [letter, written[place] ?? '']))
}
