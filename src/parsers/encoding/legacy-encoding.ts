import { analyse } from 'chardet'
import iconv from 'iconv-lite'
import { isJohab, JOHAB } from './johab.ts'

/**
 * Detects an encoding from before Unicode; returns `windows-1252` without better evidence.
 *
 * A statistical detector alone takes an English text with a curly apostrophe for Japanese. The
 * script is therefore detected first, by the share of bytes above ASCII in words: low in Western
 * words, high in all other scripts. Within each group the detector's confidence and the shape of
 * the decoded words decide.
 */
export function detectLegacyEncoding(sample: Buffer): string {
  const confidences = getConfidences(sample)
  const words = sample.subarray(0, SHAPE_BYTES)
  if (!isLatinScript(sample)) return isJohab(words) ? JOHAB : pickNonLatin(words, confidences)
  const latin = pickLatin(words, confidences)
  const older = detectPreWindowsEncoding(words, latin)
  if (older !== null) return older
  return findIsoVariant(sample, latin) ?? latin
}

/** Encodings that extend or vary an encoding known to the detector. */
const RELATED_ENCODINGS: readonly (readonly [known: string, kin: string])[] = [
  ['iso-8859-8', 'windows-1255'],
  ['koi8-r', 'koi8-u'],
  ['windows-1257', 'iso-8859-15'],
]

/** Returns the detector's confidence by encoding name in lower case. */
function getConfidences(sample: Buffer): ReadonlyMap<string, number> {
  const found = new Map(analyse(sample).map(({ name, confidence }) => [name.toLowerCase(), confidence]))
  for (const [known, kin] of RELATED_ENCODINGS) found.set(kin, Math.max(found.get(known) ?? 0, found.get(kin) ?? 0))
  return found
}

/** Bytes decoded per candidate: hundreds of words in a few milliseconds. */
const SHAPE_BYTES = 4096

/**
 * Threshold for the share of bytes above ASCII in non-ASCII words. German .2 to .4, Czech .45,
 * Japanese .6 and more, Russian 1.
 */
const NON_LATIN_SHARE = 0.55

function isLatinScript(sample: Buffer): boolean {
  let letters = 0
  let high = 0
  for (const [word] of sample.toString('latin1').matchAll(/[A-Za-z\x80-\xff]{2,}/g)) {
    const highInWord = word.match(/[\x80-\xff]/g)?.length ?? 0
    if (highInWord === 0) continue
    letters += word.length
    high += highInWord
  }
  return high < letters * NON_LATIN_SHARE || letters === 0
}

/** In order of preference among equals. */
const LATIN = [
  ...['windows-1252', 'windows-1250', 'iso-8859-2', 'windows-1254', 'iso-8859-9', 'iso-8859-15', 'windows-1257'],
] as const
const NON_LATIN = [
  ...['windows-1251', 'koi8-r', 'windows-1253', 'iso-8859-7', 'windows-1255', 'windows-1256', 'iso-8859-5', 'cp866'],
  ...['iso-8859-6', 'koi8-u'],
  ...['gb18030', 'shift_jis', 'euc-jp', 'big5', 'euc-kr', 'windows-874'],
] as const
/** Margin by which another Latin encoding must beat windows-1252 in confidence or word shape. */
const CONFIDENCE_MARGIN = 10
const SHAPE_MARGIN = 0.05
/** Margin by which letters of an alphabet must fit better: a letter of a short text. */
const ALPHABET_MARGIN = 0.15

function pickLatin(sample: Buffer, confidences: ReadonlyMap<string, number>): string {
  const western = Math.max(confidences.get('windows-1252') ?? 0, confidences.get('iso-8859-1') ?? 0)
  const shapes = LATIN.map((encoding) => {
    const text = iconv.decode(sample, encoding)
    return { encoding, shape: scoreShape(text), alphabet: scoreAlphabet(text, encoding) }
  })
  const needed = Math.max(...shapes.map(({ shape }) => shape)) - SHAPE_MARGIN
  const wellShaped = shapes.filter(({ shape }) => shape >= needed)
  const byAlphabet = wellShaped.toSorted((one, other) => other.alphabet - one.alphabet)
  const fitting = (byAlphabet[0]?.alphabet ?? 0) - ALPHABET_MARGIN
  const shaped = byAlphabet.filter(({ alphabet }) => alphabet >= fitting).map(({ encoding }) => encoding)
  const rest = shaped.filter((encoding) => encoding !== 'windows-1252')
  const surest = pickSurest(rest, confidences)
  const isWestern =
    shaped.includes('windows-1252') && (confidences.get(surest ?? '') ?? 0) < western + CONFIDENCE_MARGIN
  if (surest !== null && !isWestern) return surest
  return 'windows-1252'
}

function pickSurest(encodings: readonly string[], confidences: ReadonlyMap<string, number>): string | null {
  const sorted = encodings.toSorted((one, other) => (confidences.get(other) ?? 0) - (confidences.get(one) ?? 0))
  return sorted[0] ?? null
}

function pickNonLatin(sample: Buffer, confidences: ReadonlyMap<string, number>): string {
  let best = { encoding: 'windows-1252', score: Number.NEGATIVE_INFINITY }
  for (const encoding of NON_LATIN) {
    const text = iconv.decode(sample, encoding)
    const shape = scoreShape(text) - scoreOddities(encoding, sample, text)
    const confidence = encoding === 'windows-874' ? getThaiConfidence(text) : (confidences.get(encoding) ?? 0)
    const score = shape * 100 + confidence
    if (score > best.score) best = { encoding, score }
  }
  return best.encoding
}

/** A mark without its consonant, a leading vowel without the next consonant, or a rare sign. */
const STRAY_THAI = new RegExp(
  '(?<![ก-ฮ])[\\u0E31\\u0E34-\\u0E3A]|(?<![ก-ฮ][\\u0E31\\u0E34-\\u0E3A]?)[\\u0E47-\\u0E4E]|[เ-ไ](?![ก-ฮ])|' +
    '[\\uFFFD\\uF8C0-\\uF8FF\\u0E4F\\u0E5A\\u0E5B]',
  'u',
)
const THAI_CONFIDENCE = 60
/** Fewer letters or marks are no proof. A very common letter is the first byte of pairs. */
const MIN_THAI_LETTERS = 16
const MIN_MARKS = 0.12
const MAX_LETTER_SHARE = 0.25

/** The detector does not know Thai, whose order of letters and marks no other bytes have. */
function getThaiConfidence(text: string): number {
  const letters = text.match(/[\u0E01-\u0E4E]/g) ?? []
  if (letters.length < MIN_THAI_LETTERS || STRAY_THAI.test(text)) return 0
  const marks = letters.filter((letter) => /\p{M}/u.test(letter)).length
  const counts = [...Map.groupBy(letters, (letter) => letter).values()].map((same) => same.length)
  return marks >= letters.length * MIN_MARKS && Math.max(...counts) <= letters.length * MAX_LETTER_SHARE
    ? THAI_CONFIDENCE
    : 0
}

/**
 * Returns the share of non-ASCII words with a regular shape: a single script, capitals first or
 * throughout, no symbols inside.
 */
function scoreShape(text: string): number {
  const words = text.match(/[^\s\p{P}\p{Nd}$+<=>^`|~]{2,}/gu)?.filter((word) => /[^\p{ASCII}]/u.test(word)) ?? []
  const shaped = words.filter(
    (word) =>
      /^(?!\p{M})(?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|[\p{Lo}\p{Lm}\p{M}]+)$/u.test(word) &&
      !HEBREW_END_INSIDE.test(word) &&
      !HALF_WIDTH_KANA.test(word) &&
      !(/\p{Script=Latin}/u.test(word) && /[^\p{Script=Latin}\p{M}]/u.test(word)),
  )
  return words.length === 0 ? 1 : shaped.length / words.length
}

/** Encodings whose characters start with bytes from 0xA1 up in all but rare cases. */
const UPPER_RANGE: ReadonlySet<string> = new Set(['gb18030', 'euc-jp', 'euc-kr', 'big5'])

/**
 * Returns the share of characters that are valid but rare in texts of the encoding: GB 18030
 * assigns nearly every pair of bytes.
 */
function scoreOddities(encoding: string, sample: Buffer, text: string): number {
  if (!UPPER_RANGE.has(encoding)) return 0
  const high = sample.toString('latin1').match(/[\x80-\xff]/g) ?? []
  const lower = high.filter((byte) => byte < '\xa1').length / Math.max(1, high.length)
  const kana = encoding === 'gb18030' ? (text.match(/[\u3041-\u30FF]/g)?.length ?? 0) / Math.max(1, text.length) : 0
  return lower + kana
}

/** A final Hebrew letter before another letter: the result of reading Russian as Hebrew. */
const HEBREW_END_INSIDE = /[ךםןףץ]\p{L}/u

/** Hardly used for fifty years, but the result of reading Chinese as Japanese. */
const HALF_WIDTH_KANA = /[\uFF61-\uFF9F]/

/**
 * Variants by bytes that are rare in the encoding of Windows. 0xA4 is the euro in ISO 8859-15; 0xA1
 * and 0xA5 are quotation marks in ISO 8859-13.
 */
const ISO_VARIANTS: Readonly<Record<string, { variant: string; bytes: readonly number[] }>> = {
  'windows-1252': { variant: 'iso-8859-15', bytes: [0xa4] },
  'windows-1257': { variant: 'iso-8859-13', bytes: [0xa1, 0xa5] },
}

/** Encodings of Windows have characters at 0x80 to 0x9F, ISO 8859 has none. */
function findIsoVariant(sample: Buffer, encoding: string): string | null {
  const { variant, bytes } = ISO_VARIANTS[encoding] ?? { variant: null, bytes: [] }
  const isIso = !sample.some((byte) => byte >= 0x80 && byte <= 0x9f)
  return isIso && bytes.some((byte) => sample.includes(byte)) ? variant : null
}

/** Code pages of DOS and classic Mac OS, in order of preference; cp437 has the letters of cp850. */
const PRE_WINDOWS = ['cp850', 'cp852', 'macintosh'] as const
/**
 * Minimum share of well-shaped non-ASCII words in the old code page, and maximum share in the
 * encoding detected otherwise.
 */
const MIN_SHARE = 0.95
const MAX_SHARE = 0.75
/** Fewer words are no proof: symbols and names have any shape. */
const MIN_WORDS = 4

/**
 * Detects a code page from before Windows for Latin text; `null` if `told` is acceptable.
 *
 * Such texts are rare. Their letters are symbols in windows-1252 (`m”chten`, `d‚j…`) and split
 * words. Symbols therefore count as parts of words here, and an old code page must win clearly.
 */
function detectPreWindowsEncoding(sample: Buffer, detected: string): string | null {
  if (scoreWords(iconv.decode(sample, detected)).share > MAX_SHARE) return null
  const scores = PRE_WINDOWS.map((encoding) => ({ encoding, ...scoreWords(iconv.decode(sample, encoding)) }))
  const best = scores.reduce((one, other) => (other.share > one.share ? other : one))
  return best.share >= MIN_SHARE && best.words >= MIN_WORDS ? best.encoding : null
}

/**
 * Characters that no letter of another encoding decodes to: ASCII except letters, white space, box
 * drawings of DOS.
 */
const SEPARATOR = /[\s\u2500-\u259F\0-@[-`{-\x7f]+/u
/**
 * Letters of one case, or with a first capital, with apostrophes or dashes between. Leading
 * punctuation and symbols are allowed, and trailing ones that follow words.
 */
const WORD = new RegExp(
  '^[\\p{P}\\p{S}]*(?:(?:\\p{Lu}?[\\p{Ll}\\p{M}]+|\\p{Lu}+)(?:[’‘–—…\\u00AD](?:\\p{Lu}?[\\p{Ll}\\p{M}]+|' +
    '\\p{Lu}+))*)?(?:(?![‚„•])[\\p{P}\\p{S}\\p{No}])*$',
  'u',
)

/**
 * Returns the number of words with letters beyond ASCII, and the share of non-ASCII words with a
 * regular shape.
 */
function scoreWords(text: string): { words: number; share: number } {
  const parts = text.split(SEPARATOR).filter((part) => part.length > 1 && /[^\p{ASCII}]/u.test(part))
  const words = parts.filter((part) => /(?!\p{ASCII})\p{L}/u.test(part)).length
  return { words, share: parts.length === 0 ? 1 : parts.filter((part) => WORD.test(part)).length / parts.length }
}

/**
 * Letters beyond ASCII of languages, by the encodings that people used for them. `lacks`: ASCII
 * letters that only foreign words have.
 */
type Alphabet = { letters: string; lacks: string }

const WESTERN: readonly Alphabet[] = [
  { letters: 'éèêëïöñçàâüô', lacks: '' },
  { letters: 'äöüßéà', lacks: '' },
  { letters: 'éèêëàâçùûîïôœæÿ', lacks: 'kw' },
  { letters: 'áéíóúüñªº¿¡', lacks: 'kw' },
  { letters: 'ãõáéíóúâêôçàü', lacks: 'kwy' },
  { letters: 'àèéìíîòóùú', lacks: 'jkwxy' },
  { letters: 'àçèéíïòóúü', lacks: 'kw' },
  { letters: 'æøåéèêóòâôü', lacks: '' },
  { letters: 'åäöéüáà', lacks: '' },
  { letters: 'áéíóúýæöþð', lacks: 'cqwz' },
  { letters: 'õäöüšž', lacks: 'cqwxy' },
  { letters: 'áéíóúà', lacks: 'jkqvwxyz' },
]
const CENTRAL: readonly Alphabet[] = [
  { letters: 'ąćęłńóśźż', lacks: 'qvx' },
  { letters: 'áčďéěíňóřšťúůýž', lacks: 'qwx' },
  { letters: 'áäčďéíĺľňóôŕšťúýž', lacks: 'qwx' },
  { letters: 'áéíóöőúüű', lacks: 'qwx' },
  { letters: 'čćđšž', lacks: 'qwxy' },
  { letters: 'ăâîşţ', lacks: 'kqwy' },
]
const TURKISH: readonly Alphabet[] = [{ letters: 'çğıöşüâîû', lacks: 'qwx' }]
/** Languages with a letter that ISO 8859-15 has and ISO 8859-1 lacks. */
const LATIN_9: readonly Alphabet[] = [
  { letters: 'õäöüšž', lacks: 'cqwxy' },
  { letters: 'äöåšžé', lacks: 'cqwxz' },
  { letters: 'éèêëàâçùûîïôœæÿ', lacks: 'kw' },
]
const BALTIC: readonly Alphabet[] = [
  { letters: 'āčēģīķļņšūž', lacks: 'qwxy' },
  { letters: 'ąčęėįšųūž', lacks: 'qwx' },
  { letters: 'õäöüšž', lacks: 'cqwxy' },
]

const ALPHABETS: Readonly<Record<string, readonly Alphabet[]>> = {
  'windows-1252': WESTERN,
  'windows-1250': CENTRAL,
  'iso-8859-2': CENTRAL,
  'windows-1254': TURKISH,
  'iso-8859-9': TURKISH,
  'iso-8859-15': LATIN_9,
  'windows-1257': BALTIC,
}

/** Weight of ASCII letters that the language lacks: names bring some into any text. */
const FOREIGN_WEIGHT = 2

/**
 * Returns the share of characters beyond ASCII in words that a language of the encoding has, for
 * the language that fits best; at most 1.
 */
function scoreAlphabet(text: string, encoding: string): number {
  const words = text.toLowerCase().match(/[^\s\p{P}\p{Nd}$+<=>^`|~]{2,}/gu) ?? []
  const all = words.filter((word) => /[a-z]/.test(word)).join('')
  const high = all.replaceAll(/[\p{ASCII}\p{S}\p{N}\p{P}]/gu, '')
  const scores = (ALPHABETS[encoding] ?? []).map(({ letters, lacks }) => {
    const known = [...high].filter((letter) => letters.includes(letter)).length
    const foreign = [...all].filter((letter) => lacks.includes(letter)).length
    return (high === '' ? 1 : known / high.length) - (FOREIGN_WEIGHT * foreign) / Math.max(1, all.length)
  })
  return Math.max(...scores)
}
