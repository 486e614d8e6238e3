import { otherSpellings } from './english-spellings.ts'
import type { Word } from './split-words.ts'

/**
 * Of a longer query no words are joined: its words find enough, and a sentence has many neighbours.
 */
const MOST_WORDS_JOINED = 5
const MOST_CHARACTERS_JOINED = 40
const LETTERS_AND_DIGITS = /^(?=.*\p{L})(?=.*\p{Nd})[\p{L}\p{M}\p{Nd}]+$/v
const SAME_SORT = /[\p{L}\p{M}]+|\p{Nd}+/gv
const JOINTS = /[_\-.:]/g
const VERSION = /^(?:v(?=\d+\.)|(?=\d+\.\d+\.))(\d+(?:\.\d+)+)$/i
/**
 * A number with or without marks between its thousands, and with or without decimals: `8450`,
 * `8.450`, `18,442.00`.
 */
const NUMBER = /^(\d{1,3}(?:\.\d{3})+|\d+)(?:[.,](\d{1,2}))?$/
/** Longer ones are written with points by nobody. */
const ABBREVIATION = /^\p{Lu}{2,4}$/u
/** In Croatian, which Serbian in Latin letters is to a detector. */
const CYRILLIC = /\p{Script=Cyrillic}/u
/** Shorter ones are as often decimals or parts of a date. */
const LEAST_GROUPED = 1000

/**
 * Other ways in which a text may write what a query writes, as words with the places in the query
 * that they come from: `COVID19` and `COVID-19`, `400mg` and `400 mg`, `bookbinder` and `book
 * binder`, `8450` and `8,450.00`, `v2.3.1` and `2.3.1`, `TNFα` and `TNF-alpha`, `UK` and `U.K.`, in
 * English `haemoglobin` and `hemoglobin`, `bacterium` and `bacteria`, in German `Mueller` and
 * `Müller`, `りんご` and `リンゴ`, in Serbian `књига` and `knjiga`. For queries alone, so that nothing of
 * it is indexed.
 */
export function otherForms(query: string, words: readonly Word[], language: string): Word[] {
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
    ...greekForms(word.text),
    ...withPoints(word),
    ...(language === 'sr' || (language === 'hr' && CYRILLIC.test(word.text)) ? serbianForms(word.text) : []),
    ...(language === 'de' ? umlautForms(word.text) : []),
    ...(language === 'en' ? [...otherSpellings(word.text), ...classicalForms(word.text)] : []),
  ])
  texts.delete(word.text)
  return [...texts].map((text) => ({ ...word, text, kind: /^[\p{L}\p{M}]+$/v.test(text) ? 'word' : 'whole' }))
}

/**
 * Letters and digits joined as such names are (`KX200B` is `KX-200-B`), and apart where a number
 * stands before its unit. The letters of a name alone found all its relatives: every IFITM for
 * IFITM3.
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

/** `UK` is `U.K.`, as that is indexed. */
function withPoints({ text, kind }: Word): string[] {
  return kind === 'word' && ABBREVIATION.test(text) ? [[...text].join('.')] : []
}

/**
 * `Mueller` is `Müller`, and the other way round. Behind another vowel or a q the two letters are
 * two sounds: `neue`, `Quelle`.
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
 * As they are indexed: marks between thousands are gone where they are commas (`splitWords`), and
 * stand where they are points.
 */
function numbersOf(text: string): string[] {
  const [, whole = '', decimals = ''] = NUMBER.exec(text) ?? []
  if (whole === '') return []
  const digits = whole.replaceAll('.', '')
  const isLarge = Number(digits) >= LEAST_GROUPED
  const grouped = isLarge ? [digits, digits.replace(/\B(?=(?:\d{3})+$)/g, '.')] : [digits]
  const isRound = /^0*$/.test(decimals)
  const ends = isRound ? (isLarge ? ['', '.00', ',00'] : []) : [`.${decimals}`, `,${decimals}`]
  return grouped.flatMap((form) => ends.map((end) => form + end))
}

/** Neighbours with nothing between them but a space or a hyphen, as one word. */
function joinedNeighbours(query: string, words: readonly Word[]): Word[] {
  const plain = words.filter(({ kind }) => kind === 'word')
  return plain.flatMap((word, index) => {
    const next = plain[index + 1]
    if (next === undefined || word.text.length + next.text.length > MOST_CHARACTERS_JOINED) return []
    const between = query.slice(word.end, next.start)
    const isJoined = between === '-' || (between === ' ' && words.length <= MOST_WORDS_JOINED)
    return isJoined ? [{ text: word.text + next.text, start: word.start, end: next.end, kind: 'word' }] : []
  })
}

/** Longer ones are sentences, of which endings and marks would become other words. */
const ONE_KANA = /^(?:[ぁ-ゖー]{2,10}|[ァ-ヶー]{2,10})$/
const HIRAGANA = /[ぁ-ゖ]/g
const KATAKANA = /[ァ-ヶ]/g
/** Both stand in Unicode in one order. */
const DISTANCE = 0x60

/**
 * A Japanese word that is all hiragana or all katakana in the other one, as many names of animals
 * and plants are written: `りんご` is `リンゴ`; none for others.
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
 * A word of Serbian, which is written in both alphabets, in the other one, lower case; none where a
 * letter belongs to neither.
 */
function serbianForms(word: string): string[] {
  const letters = word.toLowerCase().normalize('NFC').match(SERBIAN_LETTERS) ?? []
  return [LATIN_OF, CYRILLIC_OF].flatMap((other) => {
    const form = letters.map((letter) => other.get(letter))
    return form.length > 0 && form.every((letter) => letter !== undefined) ? [form.join('')] : []
  })
}

const NAMES =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega'.split(
    ' ',
  )
const GREEK_LETTERS = [...'αβγδεζηθικλμνξοπρστυφχψω']
const NAME_OF: ReadonlyMap<string, string> = new Map(
  GREEK_LETTERS.map((letter, place) => [letter, NAMES[place] ?? letter]),
)
const LETTER_OF: ReadonlyMap<string, string> = new Map(
  GREEK_LETTERS.map((letter, place) => [NAMES[place] ?? letter, letter]),
)
/** `TNFα`, `IL1β`, `αSMA`, `NFκB`: Greek letters in a name of Latin ones. */
const MIXED = /^(?=.*\p{Script=Greek})(?=.*\p{Script=Latin})[\p{Script=Greek}\p{Script=Latin}\p{Nd}-]+$/u
const NUMBERED = /(?<=\p{Script=Latin})(?=\p{Nd})/u
const RUNS = /\p{Script=Greek}|[\p{Script=Latin}\p{Nd}]+/gu

/**
 * A Greek letter by its name, a name by its letter, and a name that has one in its parts (`TNFα`:
 * `TNF`, `α`, `alpha`; `IL1β`: `IL-1β` and `IL-1`, too); lower case, none for most words.
 */
export function greekForms(word: string): string[] {
  const lower = word.toLowerCase()
  const other = NAME_OF.get(lower) ?? LETTER_OF.get(lower)
  if (other !== undefined) return [other]
  if (!MIXED.test(word)) return []
  const parts = lower.match(RUNS) ?? []
  // A letter beside a number says too little alone: every beta came up for IL1β.
  if (NUMBERED.test(lower))
    return [lower, ...parts].flatMap((part) => (NAME_OF.has(part) ? [] : [part, part.replace(NUMBERED, '-')]))
  return parts.flatMap((part) => [part, NAME_OF.get(part) ?? part])
}

/** Ends of Greek and Latin words in English, of one and of several. */
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
/** Shorter words end so by chance. */
const MIN_CLASSICAL_LETTERS = 4
const EITHER_WAY = CLASSICAL_ENDINGS.flatMap(([one, several]) => [
  { from: one, to: several },
  { from: several, to: one },
])

/**
 * A Greek or Latin word of English in its other number, which no stemmer knows: `criteria` of
 * `criterion`, `diagnoses` of `diagnosis`. A form that is no word is in no text, and costs a look
 * into the index.
 */
export function classicalForms(word: string): string[] {
  const lower = word.toLowerCase()
  if (lower.length < MIN_CLASSICAL_LETTERS) return []
  return EITHER_WAY.filter(({ from }) => lower.endsWith(from)).map(({ from, to }) => lower.slice(0, -from.length) + to)
}
