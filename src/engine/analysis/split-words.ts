/**
 * A run of characters that belongs together, before any language is known. Offsets are UTF-16 code
 * units.
 */
export type Word = {
  /** The characters as they stand in the text. */
  text: string
  start: number
  end: number
  /**
   * `word`: letters and digits. `whole`: a string whose parts also follow as words of their own
   * (`ERR_4012`, `v2.3.1`, `a@b.org`). `unspaced`: a run of a script that is written without
   * spaces. `hangul`: Korean letters.
   */
  kind: 'word' | 'whole' | 'unspaced' | 'hangul'
}

/**
 * A term and the place it comes from, in UTF-16 code units of the text. The parts of a whole lie
 * inside its span.
 */
export type Token = { term: string; start: number; end: number }

/** Without decimal digits: a year in Thai digits is a number like any other. */
const UNSPACED =
  '[[[\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Khmr}\\p{scx=Laoo}\\p{scx=Mymr}]&&[\\p{L}\\p{M}\\p{Nl}\\p{No}]]--[\\p{scx=Latn}&&\\p{M}]]'
const HANGUL = '[\\p{scx=Hang}&&[\\p{L}\\p{M}]]'
/** Soft hyphen and joiners: not seen, and inside of words. */
const SILENT = '\\u00ad\\u200d\\u2060'
const OWN = `[\\p{L}\\p{M}\\p{N}${SILENT}]`
/**
 * No-break, thin and narrow space: in `12 450` of French and Russian. The usual space may stand
 * between two numbers.
 */
const GAP = '[\\u00a0\\u2009\\u202f]'
const GAP_JOINT = `${GAP}(?<=(?<![${OWN}_\\-.@'’])\\p{Nd}{1,3}.)(?=\\p{Nd}{3}(?!\\p{Nd}))`

/** The expressions by which a text is split. */
type Expressions = {
  /** Spaced words in the first group, runs of a script without spaces in the second. */
  words: RegExp
  /** A word of nothing but letters and digits. */
  plain: RegExp
  parts: RegExp
}

const ANY = makeExpressions(OWN, {
  letter: `[${OWN}--${UNSPACED}--${HANGUL}]`,
  joint: GAP_JOINT,
  others: `|(${UNSPACED}[${UNSPACED}\\p{VS}]{0,127})|${HANGUL}{1,127}`,
})
/**
 * The same of a text that is ASCII alone, as most queries are. V8 forgets what it compiled of an
 * expression that some collections of memory have seen unused, and to compile those of all scripts
 * anew held everybody up 30 to 40 ms, in the first search after a large add. Passages that are
 * found are split as well: one with a curly quote in it compiles them all the same.
 */
const ASCII = makeExpressions('[A-Za-z0-9]', {})
const IS_ASCII = /^[\0-\x7f]*$/

/**
 * Every repetition has an upper bound, or a megabyte without a space would overflow the stack of
 * the expression.
 */
function makeExpressions(
  own: string,
  { letter = own, joint = '(?!)', others = '' }: { letter?: string; joint?: string; others?: string },
): Expressions {
  const run = `${letter}{1,128}`
  const joints = `(?:[_\\-.@'’]|(?<=\\p{Nd})[,:\\/](?=\\p{Nd})|${joint})`
  return {
    words: new RegExp(`(${run}(?:${joints}${run}){0,15}(?:\\+\\+|#(?!${letter}))?)${others}`, 'gv'),
    plain: new RegExp(`^${own}+$`, 'v'),
    parts: new RegExp(`${own}+`, 'gv'),
  }
}

/** Most words: looked at first, because the other expressions take their time. */
const SMALL_LETTERS = /^[a-z]+$/
/** Joined by anything but hyphens and apostrophes, or with a digit in it: worth finding as one. */
const WHOLE = /^(?=.*[\p{Nd}_.@+#])(?!.*['’]).+$/sv
const CONTRACTION = /^(?:s|t|d|m|ll|re|ve)$/iv
/**
 * Also behind an abbreviation (`HTTPServer`); the plural of one (`PDFs`) and a name like `RNases`
 * have none.
 */
const CAMEL_HUMP = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z]{2})/
const CAMEL_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
const GROUPED_NUMBER = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const HAS_GAP = new RegExp(GAP)
/** Also of Switzerland, `1’000`. */
const PARTED_NUMBER = new RegExp(`^\\d{1,3}(${GAP}|['’])\\d{3}(?:\\1\\d{3})*(?:[.,]\\d+)?$`)

/**
 * Splits text into words in order of their start; a whole stands before its parts. Linear in the
 * length of the text. `camelCase`, `HTTPServer` and `snake_case` give the whole and the parts,
 * `1,000` the number alone, one that is grouped by spaces without a break or by apostrophes the
 * number and the parts, the ends of contractions nothing.
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  const expressions = IS_ASCII.test(text) ? ASCII : ANY
  for (const match of text.matchAll(expressions.words)) {
    const found = match[0]
    const start = match.index
    if (match[1] !== undefined) pushSpaced(words, { found, start }, expressions)
    else
      pushRun(words, {
        text: found,
        start,
        end: start + found.length,
        kind: match[2] === undefined ? 'hangul' : 'unspaced',
      })
  }
  return words
}

/**
 * A run that was cut for its length goes on with its last character: the pair across the cut is a
 * word like any other.
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
