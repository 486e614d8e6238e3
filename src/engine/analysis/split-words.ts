/** A word before language analysis. Offsets are UTF-16 code units. */
export type Word = {
  /** Characters as written. */
  text: string
  start: number
  end: number
  /**
   * `word`: letters and digits. `whole`: a compound whose parts follow as separate words
   * (`ERR_4012`, `v2.3.1`, `a@b.org`). `unspaced`: a run of a script without spaces. `hangul`:
   * Korean letters.
   */
  kind: 'word' | 'whole' | 'unspaced' | 'hangul'
}

/** A term with its offsets in UTF-16 code units. Parts of a `whole` lie within its span. */
export type Token = { term: string; start: number; end: number }

/** Excludes decimal digits: a year in Thai digits is a number. */
const UNSPACED_SCRIPTS = '[\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Khmr}\\p{scx=Laoo}\\p{scx=Mymr}]'
const UNSPACED = `[[${UNSPACED_SCRIPTS}&&[\\p{L}\\p{M}\\p{Nl}\\p{No}]]--[\\p{scx=Latn}&&\\p{M}]]`
const HANGUL = '[\\p{scx=Hang}&&[\\p{L}\\p{M}]]'
/** Soft hyphen and joiners: invisible and allowed inside words. */
const SILENT = '\\u00ad\\u200d\\u2060'
const OWN = `[\\p{L}\\p{M}\\p{N}${SILENT}]`
/**
 * No-break, thin and narrow space, as in `12 450` of French and Russian. A normal space may
 * separate two numbers.
 */
const GAP = '[\\u00a0\\u2009\\u202f]'
const GAP_JOINT = `${GAP}(?<=(?<![${OWN}_\\-.@'’])\\p{Nd}{1,3}.)(?=\\p{Nd}{3}(?!\\p{Nd}))`

const MAX_RUN = 128

/** Patterns that split a text. */
type Expressions = {
  /** Group 1: words of scripts with spaces. Group 2: runs of scripts without spaces. */
  words: RegExp
  /** Letters and digits only. */
  plain: RegExp
  parts: RegExp
}

const ANY = makeExpressions(OWN, {
  letter: `[${OWN}--${UNSPACED}--${HANGUL}]`,
  joint: GAP_JOINT,
  others: `|(${UNSPACED}[${UNSPACED}\\p{VS}]{0,127})|${HANGUL}{1,127}`,
})
/**
 * The same for ASCII texts, such as most queries. V8 discards compiled patterns after some unused
 * garbage collections. Compiling the patterns of all scripts again blocked the event loop for 30 to
 * 40 ms in the first search after a large add. A retrieved passage with a curly quote still
 * compiles them.
 */
const ASCII = makeExpressions('[A-Za-z0-9]', {})
const IS_ASCII = /^[\0-\x7f]*$/

/**
 * Every repetition is bounded. Otherwise a megabyte without a space would overflow the regular
 * expression stack.
 */
function makeExpressions(
  own: string,
  { letter = own, joint = '(?!)', others = '' }: { letter?: string; joint?: string; others?: string },
): Expressions {
  const run = `${letter}{1,${MAX_RUN}}`
  const joints = `(?:[_\\-.@'’]|(?<=\\p{Nd})[,:\\/](?=\\p{Nd})|${joint})`
  return {
    words: new RegExp(`(${run}(?:${joints}${run}){0,15}(?:\\+\\+|#(?!${letter}))?)${others}`, 'gv'),
    plain: new RegExp(`^${own}+$`, 'v'),
    parts: new RegExp(`${own}+`, 'gv'),
  }
}

/** Matches most words, and is cheaper than the other patterns. */
const SMALL_LETTERS = /^[a-z]+$/
/** Joined by anything but hyphens and apostrophes, or with a digit: indexed as one term as well. */
const WHOLE = /^(?=.*[\p{Nd}_.@+#])(?!.*['’]).+$/sv
const CONTRACTION = /^(?:s|t|d|m|ll|re|ve)$/iv
/**
 * Also after an abbreviation (`HTTPServer`), but not in its plural (`PDFs`) or a name like
 * `RNases`.
 */
const CAMEL_HUMP = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z]{2})/
const CAMEL_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
const GROUPED_NUMBER = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const HAS_GAP = new RegExp(GAP)
/** Includes Swiss `1’000`. */
const PARTED_NUMBER = new RegExp(`^\\d{1,3}(${GAP}|['’])\\d{3}(?:\\1\\d{3})*(?:[.,]\\d+)?$`)

/**
 * Splits text into words by start; a whole precedes its parts. Linear in the length of the text.
 * `camelCase`, `HTTPServer` and `snake_case` produce the whole and the parts, `1,000` the number
 * only. A number with no-break spaces or apostrophes produces number and parts; endings of
 * contractions produce nothing. Words whose first ASCII letter is not wanted may be left out.
 */
export function splitWords(text: string, isWanted: (code: number) => boolean = () => true): Word[] {
  const words: Word[] = []
  const expressions = IS_ASCII.test(text) ? ASCII : ANY
  const pattern = expressions.words
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (isAscii(code) && !isLetterOrDigit(code)) {
      at += 1
      continue
    }
    const end = isAscii(code) ? endOfPlainWord(text, at) : null
    if (end !== null) {
      if (isWanted(code)) words.push({ text: text.slice(at, end), start: at, end, kind: 'word' })
      at = end
      continue
    }
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) break
    pushMatch(words, match, expressions)
    at = match.index + match[0].length
  }
  return words
}

const isAscii = (code: number): boolean => code < 0x80
const isCapital = (code: number): boolean => code >= 65 && code <= 90
const isLetterOrDigit = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || isCapital(code)

/** Characters that may join two parts of a word. */
const JOINTS: ReadonlySet<number> = new Set([..."_-.@',:/+"].map((joint) => joint.charCodeAt(0)))
const [HASH, PLUS] = [35, 43]

/**
 * Most words consist of ASCII letters and digits alone. Without the pattern, texts are split in
 * half the time. Returns the end of such a word; `null` if the pattern may find another end, or
 * parts.
 */
function endOfPlainWord(text: string, start: number): number | null {
  let end = start + 1
  for (let code = text.charCodeAt(end); isLetterOrDigit(code); code = text.charCodeAt(++end))
    if (isCapital(code)) return null
  if (end === text.length) return end - start > MAX_RUN ? null : end
  const [next, after] = [text.charCodeAt(end), text.charCodeAt(end + 1)]
  if (end - start > MAX_RUN || !isAscii(next) || next === HASH) return null
  if (!JOINTS.has(next) || end + 1 === text.length) return end
  return isLetterOrDigit(after) || !isAscii(after) || after === PLUS ? null : end
}

function pushMatch(words: Word[], match: RegExpExecArray, expressions: Expressions): void {
  const { 0: found, index: start } = match
  if (match[1] !== undefined) pushSpaced(words, { found, start }, expressions)
  else
    pushRun(words, {
      text: found,
      start,
      end: start + found.length,
      kind: match[2] === undefined ? 'hangul' : 'unspaced',
    })
}

/**
 * A run cut for its length overlaps by one character, so that the pair across the cut is indexed.
 */
function pushRun(words: Word[], run: Word): void {
  const before = words.at(-1)
  const last = before?.kind === run.kind && before.end === run.start ? ([...before.text].at(-1) ?? '') : ''
  words.push({ ...run, text: last + run.text, start: run.start - last.length })
}

function pushSpaced(
  words: Word[],
  { found, start }: { found: string; start: number },
  { plain, parts }: Expressions,
): void {
  const end = start + found.length
  if (SMALL_LETTERS.test(found)) {
    words.push({ text: found, start, end, kind: 'word' })
    return
  }
  if (plain.test(found)) {
    pushPlain(words, found, start)
    return
  }
  if (GROUPED_NUMBER.test(found)) {
    words.push({ text: found.replaceAll(',', ''), start, end, kind: 'word' })
    return
  }
  const [, mark] = PARTED_NUMBER.exec(found) ?? []
  if (mark !== undefined) words.push({ text: found.replaceAll(mark, ''), start, end, kind: 'whole' })
  else if (WHOLE.test(found) && !HAS_GAP.test(found)) words.push({ text: found, start, end, kind: 'whole' })
  for (const part of found.matchAll(parts)) {
    const joint = found[part.index - 1]
    const isTail = (joint === "'" || joint === '’') && CONTRACTION.test(part[0])
    if (!isTail) pushPlain(words, part[0], start + part.index)
  }
}

function pushPlain(words: Word[], text: string, start: number): void {
  const end = start + text.length
  if (!CAMEL_HUMP.test(text)) {
    words.push({ text, start, end, kind: 'word' })
    return
  }
  words.push({ text, start, end, kind: 'whole' })
  for (const part of text.matchAll(CAMEL_PART)) {
    if (part[0].length < 2) continue
    words.push({ text: part[0], start: start + part.index, end: start + part.index + part[0].length, kind: 'word' })
  }
}
