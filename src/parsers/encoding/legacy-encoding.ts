import { analyse } from 'chardet'
import iconv from 'iconv-lite'

/**
 * In which encoding from before Unicode a text is: always an answer, `windows-1252` where nothing speaks for another.
 *
 * A statistical detector alone takes an English text with one curly apostrophe for Japanese. So the script is told first, by
 * how the bytes above ASCII lie: in Western words they are few among letters, in all other scripts words are made of them. Within
 * each group the detector's confidence and the shape of the words that come out decide.
 */
export function detectLegacyEncoding(sample: Buffer): string {
  const confidences = getConfidences(sample)
  const words = sample.subarray(0, SHAPE_BYTES)
  if (!isLatinScript(sample)) return pickForeign(words, confidences)
  const latin = pickLatin(words, confidences)
  const older = detectPreWindowsEncoding(words, latin)
  if (older !== null) return older
  return latin === 'windows-1252' && hasLatin9Euro(sample) ? 'iso-8859-15' : latin
}

/** Encodings that have the letters of one that the detector knows, and more or in other places. */
const KIN: readonly (readonly [known: string, kin: string])[] = [
  ['iso-8859-8', 'windows-1255'],
  ['koi8-r', 'koi8-u'],
]

/** How sure the detector is of each encoding, by its name in lower case. */
function getConfidences(sample: Buffer): ReadonlyMap<string, number> {
  const found = new Map(analyse(sample).map(({ name, confidence }) => [name.toLowerCase(), confidence]))
  for (const [known, kin] of KIN) found.set(kin, Math.max(found.get(known) ?? 0, found.get(kin) ?? 0))
  return found
}

/** Bytes that are decoded in every candidate to look at the words: hundreds of words, in a few milliseconds. */
const SHAPE_BYTES = 4096

/** Share of bytes above ASCII in the words that have some: German .2 to .4, Czech .45, Japanese .6 and more, Russian 1. */
const FOREIGN_SHARE = 0.55

function isLatinScript(sample: Buffer): boolean {
  let letters = 0
  let high = 0
  for (const [word] of sample.toString('latin1').matchAll(/[A-Za-z\x80-\xff]{2,}/g)) {
    const highInWord = word.match(/[\x80-\xff]/g)?.length ?? 0
    if (highInWord === 0) continue
    letters += word.length
    high += highInWord
  }
  return high < letters * FOREIGN_SHARE || letters === 0
}

/** In the order in which they are taken when nothing tells them apart. */
const LATIN = ['windows-1252', 'windows-1250', 'iso-8859-2', 'windows-1254', 'iso-8859-9', 'windows-1257'] as const
const FOREIGN = [
  ...['windows-1251', 'koi8-r', 'windows-1253', 'iso-8859-7', 'windows-1255', 'windows-1256', 'iso-8859-5', 'cp866'],
  ...['iso-8859-6', 'koi8-u'],
  ...['gb18030', 'shift_jis', 'euc-jp', 'big5', 'euc-kr', 'windows-874'],
] as const
/** By how much another Latin encoding must be surer, or its words better shaped, than windows-1252. */
const CONFIDENCE_MARGIN = 10
const SHAPE_MARGIN = 0.05

function pickLatin(sample: Buffer, confidences: ReadonlyMap<string, number>): string {
  const western = Math.max(confidences.get('windows-1252') ?? 0, confidences.get('iso-8859-1') ?? 0)
  const shapes = LATIN.map((encoding) => ({ encoding, shape: scoreShape(iconv.decode(sample, encoding)) }))
  const needed = Math.max(...shapes.map(({ shape }) => shape)) - SHAPE_MARGIN
  const shaped = shapes.filter(({ shape }) => shape >= needed).map(({ encoding }) => encoding)
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

function pickForeign(sample: Buffer, confidences: ReadonlyMap<string, number>): string {
  let best = { encoding: 'windows-1252', score: Number.NEGATIVE_INFINITY }
  for (const encoding of FOREIGN) {
    const text = iconv.decode(sample, encoding)
    const shape = scoreShape(text) - scoreOddities(encoding, sample, text)
    const score = shape * 100 + (confidences.get(encoding) ?? 0)
    if (score > best.score) best = { encoding, score }
  }
  return best.encoding
}

/** The share of words with letters beyond ASCII that are shaped as words are: one script, capitals first or throughout, no signs inside. */
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

/** Encodings whose characters begin with bytes from 0xA1 on in all but rare cases. */
const UPPER_RANGE: ReadonlySet<string> = new Set(['gb18030', 'euc-jp', 'euc-kr', 'big5'])

/** What an encoding could stand for but its texts hardly hold, as a share: GB 18030 gives a character to nearly every pair of bytes. */
function scoreOddities(encoding: string, sample: Buffer, text: string): number {
  if (!UPPER_RANGE.has(encoding)) return 0
  const high = sample.toString('latin1').match(/[\x80-\xff]/g) ?? []
  const lower = high.filter((byte) => byte < '\xa1').length / Math.max(1, high.length)
  const kana = encoding === 'gb18030' ? (text.match(/[\u3041-\u30FF]/g)?.length ?? 0) / Math.max(1, text.length) : 0
  return lower + kana
}

/** Letters that end a Hebrew word, before another letter: what Russian read as Hebrew comes out as. */
const HEBREW_END_INSIDE = /[ךםןףץ]\p{L}/u

/** Hardly written for fifty years, but what Chinese read as Japanese comes out as. */
const HALF_WIDTH_KANA = /[\uFF61-\uFF9F]/

/** 0xA4 is the euro in ISO 8859-15 and the hardly used ¤ in windows-1252, whose own signs stand at 0x80 to 0x9F. */
function hasLatin9Euro(sample: Buffer): boolean {
  return sample.includes(0xa4) && !sample.some((byte) => byte >= 0x80 && byte <= 0x9f)
}

/** The code pages of DOS and of the old Mac OS, in the order in which they are taken when nothing tells them apart; cp437 has the letters of cp850. */
const CANDIDATES = ['cp850', 'cp852', 'macintosh'] as const
/** Of the words with bytes above ASCII: as many must read well in an old code page, and no more in the encoding told otherwise. */
const MIN_SHARE = 0.95
const MAX_SHARE = 0.75
/** Fewer are no proof: signs and names are shaped as they like. */
const MIN_WORDS = 4

/**
 * The code page from before Windows that a text in Latin letters is in, `null` where `told` may do. Such texts are rare, and their letters are
 * signs in windows-1252 (`m”chten`, `d‚j…`), which part words: here they count as parts of them, and an old code page has to win clearly.
 */
function detectPreWindowsEncoding(sample: Buffer, told: string): string | null {
  if (scoreWords(iconv.decode(sample, told)).share > MAX_SHARE) return null
  const scores = CANDIDATES.map((encoding) => ({ encoding, ...scoreWords(iconv.decode(sample, encoding)) }))
  const best = scores.reduce((one, other) => (other.share > one.share ? other : one))
  return best.share >= MIN_SHARE && best.words >= MIN_WORDS ? best.encoding : null
}

/** All that no letter of another encoding comes out as: ASCII but for letters, white space, the lines and blocks of DOS. */
const SEPARATOR = /[\s\u2500-\u259F\0-@[-`{-\x7f]+/u
/** Letters of one case, capitals first or throughout, with an apostrophe or a dash between; marks and signs before it, and those that can stand behind. */
const WORD = new RegExp(
  '^[\\p{P}\\p{S}]*(?:(?:\\p{Lu}?[\\p{Ll}\\p{M}]+|\\p{Lu}+)(?:[’‘–—…\\u00AD](?:\\p{Lu}?[\\p{Ll}\\p{M}]+|' +
    '\\p{Lu}+))*)?(?:(?![‚„•])[\\p{P}\\p{S}\\p{No}])*$',
  'u',
)

/** How many words have letters beyond ASCII, and which share of those with anything beyond it is shaped as words are. */
function scoreWords(text: string): { words: number; share: number } {
  const parts = text.split(SEPARATOR).filter((part) => part.length > 1 && /[^\p{ASCII}]/u.test(part))
  const words = parts.filter((part) => /(?!\p{ASCII})\p{L}/u.test(part)).length
  return { words, share: parts.length === 0 ? 1 : parts.filter((part) => WORD.test(part)).length / parts.length }
}
