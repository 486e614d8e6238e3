import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { decodeBytes, findEncoding, JIS } from './decode-file.ts'
import { detectLegacyEncoding } from './legacy-encoding.ts'
import { mixWithUtf8, splitLines } from './mixed-encoding.ts'
import { isHz, isIso2022Kr, SEVEN_BIT } from './seven-bit.ts'
import { type ByteSurvey, countOpenBytes } from './survey-bytes.ts'

/**
 * Detects the encoding of a text. Order: byte order mark, NUL byte pattern, marks of seven-bit
 * encodings, strict UTF-8, declared charset, statistical detector, windows-1252.
 *
 * Returns the encoding as {@link decodeBytes} takes it; `null` if the bytes are not text in a known
 * encoding.
 */
export function detectEncoding(survey: ByteSurvey, declaredCharset: string | null): string | null {
  const marked = getMarkedEncoding(survey.head)
  if (marked !== null) return marked
  if (survey.nulBytes > 0) return isUtf8WithNuls(survey) ? null : detectWideEncoding(survey.head)
  const sevenBit = detectSevenBit(survey, declaredCharset)
  if (sevenBit !== null) return sevenBit
  if (survey.isUtf8 || isBrokenUtf8(survey)) return 'utf-8'
  const declared =
    declaredCharset === null || !WINDOWS_1252_ALIASES.test(declaredCharset) ? declaredCharset : 'windows-1252'
  if (declared !== null && fits(survey.sample, declared)) return declared
  return detectLegacyEncoding(survey.sample)
}

/**
 * Detects the encoding of a log, as {@link detectEncoding} does. NUL bytes are ignored, because
 * programs write them after a crash or a rotation. Programs of one log may write different
 * encodings, so a log can be UTF-8 by line, see {@link mixWithUtf8}.
 */
export function detectLogEncoding(survey: ByteSurvey, declaredCharset: string | null): string | null {
  const found = detectEncoding(survey, declaredCharset)
  if (found === null && survey.nulBytes > 0) return detectLogEncoding(dropNuls(survey), declaredCharset)
  if (survey.isUtf8 || survey.nulBytes > 0 || getMarkedEncoding(survey.head) !== null || found === null) return found
  const lines = splitLines(survey.sample).filter((line) => line.some((byte) => byte > 0x7f))
  const legacy = lines.filter((line) => !isUtf8(line.subarray(0, line.length - countOpenBytes(line))))
  if (legacy.length === lines.length) return found
  return mixWithUtf8(legacy.length === 0 ? 'windows-1252' : detectLegacyEncoding(Buffer.concat(legacy)))
}

/** Returns a survey of the bytes that are not NUL. */
export function dropNuls(survey: ByteSurvey): ByteSurvey {
  const [head, sample] = [survey.head, survey.sample].map((bytes) => bytes.filter((byte) => byte !== 0))
  return {
    ...survey,
    head: Buffer.from(head ?? []),
    sample: Buffer.from(sample ?? []),
    bytes: survey.bytes - survey.nulBytes,
    nulBytes: 0,
  }
}

/**
 * Returns the charset parameter of a declared type (`text/plain; charset=koi8-r`); `null` if absent
 * or unknown.
 */
export function getDeclaredCharset(declaredType: string | null): string | null {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(declaredType ?? '')?.[1]?.toLowerCase()
  return charset === undefined ? null : findEncoding(charset)
}

/**
 * Browsers look no further. HTML Living Standard, 13.2.3.2 "Determining the character encoding".
 */
const MAX_CHARSET_BYTES = 1024 * 4

/**
 * Returns the charset of an HTML `meta` element or an XML declaration, as {@link decodeBytes} takes
 * it; `null` if absent or unknown. UTF-16 is ignored: a declaration readable as ASCII contradicts
 * it.
 */
export function getMarkupCharset(head: Buffer): string | null {
  const text = head.toString('latin1', 0, MAX_CHARSET_BYTES).replaceAll(/<!--.*?-->/gs, '')
  const declared =
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(text)?.[1] ??
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1]
  const charset = declared?.toLowerCase()
  if (charset === undefined || /^(?:utf-?16|utf-?32|ucs-)/.test(charset)) return null
  return findEncoding(charset)
}

/**
 * In practice these mean windows-1252, with its quotation marks and dashes. WHATWG Encoding
 * Standard, 4.2.
 */
const WINDOWS_1252_ALIASES = /^(?:iso[-_]?8859-1|latin-?1|(?:us-)?ascii)$/

const BYTE_ORDER_MARKS: readonly (readonly [mark: string, encoding: string])[] = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe\0\0', 'utf-32le'],
  ['\0\0\xfe\xff', 'utf-32be'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
  ['\x84\x31\x95\x33', 'gb18030'],
]

function getMarkedEncoding(head: Buffer): string | null {
  const start = head.toString('latin1', 0, 4)
  return BYTE_ORDER_MARKS.find(([mark]) => start.startsWith(mark))?.[1] ?? null
}

/** Detects ASCII bytes with marks that switch between character sets; `null` for none. */
function detectSevenBit(survey: ByteSurvey, declared: string | null): string | null {
  if (survey.sample.some((byte) => byte > 0x7f)) return null
  if (isJis(survey)) return JIS
  if (isIso2022Kr(survey.head)) return 'iso-2022-kr'
  if (declared !== null && SEVEN_BIT.has(declared)) return declared
  return isHz(survey.head) ? 'hz-gb-2312' : null
}

/** Escapes that select the sets of 1978 and 1983, and the Latin set. RFC 1468. */
const JIS_ESCAPES = ['\x1b$@', '\x1b$B', '\x1b(J'] as const

/**
 * True for ASCII bytes that switch to a Japanese character set. Colour codes of logs are different
 * escapes.
 */
function isJis({ head }: ByteSurvey): boolean {
  return JIS_ESCAPES.some((bytes) => head.includes(bytes)) && fits(head, JIS)
}

/**
 * True for UTF-8 with scattered NUL bytes, which could also pass for Chinese UTF-16. Real UTF-16
 * has a third NUL bytes or more (Latin), control bytes (Greek, Cyrillic), or invalid UTF-8 (the
 * rest).
 */
function isUtf8WithNuls({ bytes, nulBytes, controlBytes, isUtf8 }: ByteSurvey): boolean {
  return isUtf8 && nulBytes < bytes * 0.25 && controlBytes < bytes * 0.01
}

/** Detects UTF-32 or UTF-16 without a mark by decoding and checking the result. */
function detectWideEncoding(head: Buffer): string | null {
  const wide = head.subarray(0, head.length - (head.length % 4))
  const candidates = ['utf-32le', 'utf-32be', ...orderByNulBytes(head)]
  for (const encoding of candidates) {
    const bytes = encoding.startsWith('utf-32') ? wide : head.subarray(0, head.length - (head.length % 2))
    if (bytes.length >= 4 && isWideText(iconv.decode(bytes, encoding, { stripBOM: false }))) return encoding
  }
  return null
}

/**
 * In UTF-16 the upper byte of Latin letters, spaces and line ends is NUL. The side with more NUL
 * bytes is the upper byte.
 */
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
 * UTF-8 with a few invalid bytes (a cut line, a stray byte in a large log) reads better with
 * replacements than in any other encoding.
 *
 * Single-byte texts hardly ever form valid sequences, so a threshold of one in ten is far from
 * both.
 */
function isBrokenUtf8(survey: ByteSurvey): boolean {
  const text = survey.sample.toString('utf8')
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  const whole = text.match(/[^\0-\x7f\uFFFD]/g)?.length ?? 0
  return whole > 0 && broken * 10 <= whole
}

/** True if decoding replaces almost nothing. */
function fits(sample: Buffer, encoding: string): boolean {
  const text = decodeBytes(sample, encoding)
  const strange = text.match(/[\uFFFD\x80-\x84\x86-\x9f]/g)?.length ?? 0
  return strange <= 1 + text.length * 0.001
}

/** Length from which chance is excluded: one in six pairs of random bytes is unassigned. */
const MIN_CERTAIN_CHARACTERS = 64
/**
 * Minimum number of ideographs without other evidence: two in five pairs of random bytes are Han,
 * one in six is Hangul.
 */
const MIN_CERTAIN_IDEOGRAPHS = 6

/** True if text decoded as UTF-16 or UTF-32 without a mark is plausible. */
function isWideText(text: string): boolean {
  return isPlausible(text) && (text.length >= MIN_CERTAIN_CHARACTERS || hasTextScripts(text))
}

/**
 * True for text with almost no unassigned, private, control or surrogate characters, and no U+0000.
 */
function isPlausible(text: string): boolean {
  if (text.includes('\0')) return false
  const strange = text.match(/[\p{Cn}\p{Co}\p{Cs}\uFFFD]|(?![\t\n\v\f\r])\p{Cc}/gu)?.length ?? 0
  return strange <= text.length * 0.02
}

/**
 * Nearly any four bytes decode to two characters. Real text has Latin characters (letters, digits,
 * spaces, line ends) and one further script.
 */
function hasTextScripts(text: string): boolean {
  const latin = text.match(/[\0-\xff]/g)?.length ?? 0
  if (latin === 0) return false
  const others = text.match(/(?![\0-\xff\p{Script=Latin}\p{P}])./gsu) ?? []
  if (latin > 1 && latin >= others.length) return true
  const byScript = [...Map.groupBy(others, scriptOf)].sort(([, one], [, other]) => other.length - one.length)
  const [script, most] = byScript[0] ?? ['latin', []]
  if (most.length < others.length * 0.8) return false
  return (script !== 'han' && script !== 'hangul') || latin > 1 || most.length >= MIN_CERTAIN_IDEOGRAPHS
}

/** Returns the script, or for an alphabet its block of 256 characters. */
function scriptOf(character: string): string | number {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u.test(character)) return 'han'
  if (/\p{Script=Hangul}/u.test(character)) return 'hangul'
  return (character.codePointAt(0) ?? 0) >> 8
}
