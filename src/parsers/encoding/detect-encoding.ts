import iconv from 'iconv-lite'
import { decodeBytes, JIS } from './decode-file.ts'
import { detectLegacyEncoding } from './legacy-encoding.ts'
import type { ByteSurvey } from './survey-bytes.ts'

/**
 * In which encoding a text is, told in this order: byte order mark, the pattern of NUL bytes, the escapes of Japanese in 7 bits, strict UTF-8,
 * the declared charset, a statistical detector, windows-1252.
 */
/** The name of the encoding as {@link decodeBytes} takes it; `null` when the bytes are no text in any encoding we know. */
export function detectEncoding(survey: ByteSurvey, declaredCharset: string | null): string | null {
  const marked = getMarkedEncoding(survey.head)
  if (marked !== null) return marked
  if (survey.nulBytes > 0) return isNarrow(survey) ? null : getWideEncoding(survey.head)
  if (isJis(survey)) return JIS
  if (survey.isUtf8 || isBrokenUtf8(survey)) return 'utf-8'
  const declared = declaredCharset === null || !OF_WINDOWS.test(declaredCharset) ? declaredCharset : 'windows-1252'
  if (declared !== null && fits(survey.sample, declared)) return declared
  return detectLegacyEncoding(survey.sample)
}

/** The charset parameter of a declared type (`text/plain; charset=koi8-r`), `null` when absent or unknown to us. */
export function getDeclaredCharset(declaredType: string | null): string | null {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(declaredType ?? '')?.[1]?.toLowerCase()
  return charset !== undefined && iconv.encodingExists(charset) ? charset : null
}

/** Whoever says so has the quotation marks and dashes of Windows as well. WHATWG Encoding Standard, 4.2. */
const OF_WINDOWS = /^(?:iso[-_]?8859-1|latin-?1|(?:us-)?ascii)$/

const MARKS: readonly (readonly [mark: string, encoding: string])[] = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe\0\0', 'utf-32le'],
  ['\0\0\xfe\xff', 'utf-32be'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
  ['\x84\x31\x95\x33', 'gb18030'],
]

function getMarkedEncoding(head: Buffer): string | null {
  const start = head.toString('latin1', 0, 4)
  return MARKS.find(([mark]) => start.startsWith(mark))?.[1] ?? null
}

/** What calls the sets of 1978 and 1983, and the Latin one. RFC 1468. */
const JIS_ESCAPES = ['\x1b$@', '\x1b$B', '\x1b(J'] as const

/** True where bytes of ASCII alone go over to a Japanese character set; the colours of logs are other escapes, and mean nothing there. */
function isJis({ head, sample }: ByteSurvey): boolean {
  return JIS_ESCAPES.some((bytes) => head.includes(bytes)) && sample.every((byte) => byte < 0x80) && fits(head, JIS)
}

/**
 * True for bytes that are UTF-8 with NUL strewn in, which two by two would also pass for Chinese: wide text is either a third NUL and
 * more (Latin), or has bytes that are controls (Greek, Cyrillic) or no UTF-8 (the rest).
 */
function isNarrow({ bytes, nulBytes, controlBytes, isUtf8 }: ByteSurvey): boolean {
  return isUtf8 && nulBytes < bytes * 0.25 && controlBytes < bytes * 0.01
}

/** UTF-32 or UTF-16 without a mark, by whether what comes out is text. */
function getWideEncoding(head: Buffer): string | null {
  const wide = head.subarray(0, head.length - (head.length % 4))
  const candidates = ['utf-32le', 'utf-32be', ...orderByNulBytes(head)]
  for (const encoding of candidates) {
    const bytes = encoding.startsWith('utf-32') ? wide : head.subarray(0, head.length - (head.length % 2))
    if (bytes.length >= 4 && isWideText(iconv.decode(bytes, encoding, { stripBOM: false }))) return encoding
  }
  return null
}

/** In UTF-16 the upper half of every Latin letter, space and line end is NUL: the side with more of them is the upper one. */
function orderByNulBytes(head: Buffer): string[] {
  let even = 0
  let odd = 0
  for (let at = 0; at < head.length; at++) {
    if (head[at] !== 0) continue
    if (at % 2 === 0) even += 1
    else odd += 1
  }
  return odd >= even ? ['utf-16le', 'utf-16be'] : ['utf-16be', 'utf-16le']
}

/**
 * UTF-8 with a few broken bytes (a cut line, a stray byte in a large log) reads better as UTF-8 with those replaced than
 * as another encoding throughout. Single-byte texts hardly ever form valid sequences, so one in ten is far from both.
 */
function isBrokenUtf8(survey: ByteSurvey): boolean {
  const text = survey.sample.toString('utf8')
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  const whole = text.match(/[^\0-\x7f\uFFFD]/g)?.length ?? 0
  return whole > 0 && broken * 10 <= whole
}

/** True when the bytes decode with next to nothing replaced. */
function fits(sample: Buffer, encoding: string): boolean {
  const text = decodeBytes(sample, encoding)
  const strange = text.match(/[\uFFFD\x80-\x84\x86-\x9f]/g)?.length ?? 0
  return strange <= 1 + text.length * 0.001
}

/** Characters from which on chance is out of the question: one in six pairs of random bytes is no character at all. */
const CERTAIN_CHARACTERS = 64
/** More than two in five pairs of random bytes are Han, one in six is Hangul: of these it takes so many, or other signs of text beside them. */
const CERTAIN_IDEOGRAPHS = 6

/** True when what was decoded as UTF-16 or UTF-32, without a mark that says so, is text. */
function isWideText(text: string): boolean {
  return isPlausible(text) && (text.length >= CERTAIN_CHARACTERS || looksWritten(text))
}

/** Text has next to no characters that are unassigned, private, control or halves of a pair, and no U+0000. */
function isPlausible(text: string): boolean {
  if (text.includes('\0')) return false
  const strange = text.match(/[\p{Cn}\p{Co}\p{Cs}\uFFFD]|(?![\t\n\v\f\r])\p{Cc}/gu)?.length ?? 0
  return strange <= text.length * 0.02
}

/** Nearly any four bytes are two characters. Those of a text are Latin (letters, digits, spaces, line ends) and of one other script. */
function looksWritten(text: string): boolean {
  const latin = text.match(/[\0-\xff]/g)?.length ?? 0
  if (latin === 0) return false
  const others = text.match(/(?![\0-\xff\p{Script=Latin}\p{P}])./gsu) ?? []
  if (latin > 1 && latin >= others.length) return true
  const byScript = [...Map.groupBy(others, scriptOf)].sort(([, one], [, other]) => other.length - one.length)
  const [script, most] = byScript[0] ?? ['latin', []]
  if (most.length < others.length * 0.8) return false
  return (script !== 'han' && script !== 'hangul') || latin > 1 || most.length >= CERTAIN_IDEOGRAPHS
}

/** Of an alphabet the 256 characters among which it stands. */
function scriptOf(character: string): string | number {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u.test(character)) return 'han'
  if (/\p{Script=Hangul}/u.test(character)) return 'hangul'
  return (character.codePointAt(0) ?? 0) >> 8
}
