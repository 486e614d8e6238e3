/**
 * Citation marks in answers of language models. The prompt asks for `[1]`. Models also write what
 * they learned elsewhere: `【1】`, `【1†source】`, `[^1]`, `[source 1]`, `(source 1)`, `[[1]]`.
 */
import type { Span } from '../chunking/split-text.ts'
import { findCode } from '../markup.ts'

/** A mark, with its distinct numbers in order. */
export type CitationMark = Span & {
  numbers: number[]
  /** True for `[1]`, `[1, 2]` and `[1-3]`, as the prompt asks for. */
  isPlain: boolean
}

/** "Source" before the number of a mark, in lower case. */
const LABELS = [
  'sources?|src|ref|refs|references?|cite|cited|citations?|passages?|docs?|documents?|excerpts?|chunks?|contexts?',
  'quellen?|beleg|belege|fundstelle|dokument|fuentes?|referencias?|documentos?|citas?|fontes?|fonti?|riferiment[oi]',
  'références?|extraits?|bron|bronnen|źródł[oa]|источники?|джерел[оа]|извори?|zdroje?|forrás|källa|källor|kilder?',
  'lähde|lähteet|allikas|avots|šaltinis|izvor|izvori|vir|viri|sursa|surse|πηγή|πηγές|kaynak|kaynaklar|nguồn|sumber',
  '来源|来源于|出处|资料|参考|文献|来源文档|來源|出處|資料|参照|出典|参考文献|引用|ソース|출처|자료|참고|المصدر|مصدر|المصادر',
  'מקור|स्रोत|উৎস|แหล่งที่มา|แหล่งข้อมูล|منبع',
].join('|')
const NUMBER = String.raw`(?:[#№] ?)?\p{Nd}{1,3}`
const LABEL = String.raw`(?:${LABELS})(?: ?(?:n[or]|n°|nº)\.?)?[.:：]? ?`
const WORD_JOIN = '(?:and|und|et|y|e|i|и|en|og|och|ve|to|bis)'
const JOIN = `(?: ?[,;，；、&+~〜–—-] ?| ${WORD_JOIN} | ?(?:和|と|및|到|至) ?)`
const LIST = `(?:${LABEL})?${NUMBER}(?:${JOIN}(?:${LABEL})?${NUMBER}){0,31}`
/** Page or line after the number: `†source`, `:0†file.pdf`, `, p. 3`, `†L3-L9`. */
const LOCATOR = String.raw`(?::\p{Nd}{1,3})?†[^\]】［\[【\n]{0,80}|[,:] ?(?:pp?|S|L|l|lines?)\.? ?\p{Nd}[\p{Nd}–-]{0,12}`
const INNER = String.raw`\s?\^?(${LIST})(?:${LOCATOR})?\s?`
const LABELED = String.raw`[(（]\s?(${LABEL}${NUMBER}(?:${JOIN}(?:${LABEL})?${NUMBER}){0,31})(?:${LOCATOR})?\s?[)）]`
/** Models escape brackets as in Markdown. */
const MARK = new RegExp(String.raw`\[\[(?:${INNER})\]\]|\\?[\[［【〔⟦](?:${INNER})\\?[\]］】〕⟧]|${LABELED}`, 'giu')
const PLAIN = /^\[ ?\d{1,3}(?: ?[,;–-] ?\d{1,3})* ?\]$/
const RANGE = /^(?: ?[~〜–—-] ?| (?:to|bis) | ?[到至] ?)$/iu
const PARTS = new RegExp(`(${JOIN})?(?:${LABEL})?${NUMBER}`, 'giu')

/** Characters before and after a bracket that decide whether it is code. */
const REACH_CHARACTERS = 48

/**
 * Parses the citations in an answer, in order. Ignores brackets in code, in links, in nested lists,
 * and with anything but small numbers. `isQuoted` is true for words that a source contains
 * verbatim: `rows[1]` from a source is a quote. Linear in the length of the answer.
 */
export function parseCitations(answer: string, isQuoted: (words: string) => boolean = () => false): CitationMark[] {
  const code = findCodeSpans(answer)
  const marks: CitationMark[] = []
  let place = 0
  let textEnd = -1
  for (const match of answer.matchAll(MARK)) {
    const start = match.index
    const end = start + match[0].length
    while ((code[place]?.end ?? Number.POSITIVE_INFINITY) <= start) place += 1
    const isCode = (code[place]?.start ?? Number.POSITIVE_INFINITY) < end
    const isPlain = PLAIN.test(match[0])
    const numbers = readNumbers(match[1] ?? match[2] ?? match[3] ?? '')
    const around = { answer, start, end, numbers, isPlain }
    const followsMark = marks.at(-1)?.end === start
    const followsText = start === textEnd || (start - textEnd <= 2 && /^, ?$/.test(answer.slice(textEnd, start)))
    const isText = followsText || isDefinition(around) || (!followsMark && isCodeText(around, isQuoted))
    if (!isCode && !isText && isCitable(numbers)) marks.push({ start, end, numbers, isPlain })
    else textEnd = end
  }
  return marks
}

/** False for a falling range, and for an interval such as `[0, 1]`. */
function isCitable(numbers: readonly number[]): boolean {
  return numbers.length === 1 || (numbers.length > 0 && !numbers.includes(0))
}

/** Empty for a falling range. */
function readNumbers(list: string): number[] {
  const numbers = new Set<number>()
  let last = Number.POSITIVE_INFINITY
  for (const [part, join = ''] of list.matchAll(PARTS)) {
    const number = Number((/\p{Nd}+/u.exec(part)?.[0] ?? '').replace(/\P{ASCII}/gu, toDigit))
    const isRange = RANGE.test(join)
    if (isRange && (number < last || numbers.size === 0)) return []
    for (let between = isRange ? last + 1 : number; between <= number; between++) numbers.add(between)
    last = isRange ? Number.POSITIVE_INFINITY : number
  }
  return [...numbers]
}

/** Unicode orders the digits of each script from 0 to 9. */
function toDigit(digit: string): string {
  let value = 0
  const point = digit.codePointAt(0) ?? 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1
  return String(value)
}

/** A bracket and what it consists of. */
type Bracket = Span & { answer: string; numbers: readonly number[]; isPlain: boolean }

const LINK_AFTER = /^\((?:https?:|mailto:|[#./])/i
/** `[1]: https://example.org` and `[^1]: Lease` define a note. */
const LINE_START = /(?:^|\n)[ \t]{0,3}$/

function isDefinition({ answer, start, end }: Bracket): boolean {
  const after = answer.slice(end, end + REACH_CHARACTERS)
  if (LINK_AFTER.test(after)) return true
  return /^:\s/.test(after) && LINE_START.test(answer.slice(Math.max(0, start - REACH_CHARACTERS), start))
}

/** `= [1, 2]`, `{[1]`, `$[1]`, `f([1`, `rows["a"][1]`. */
const LIST_BEFORE = /[=[{@#$]\s?$|[A-Za-z_$][\w$]*\($|["']\]$/
/** A name of code directly before the bracket. Words of other scripts and numbers are none. */
const NAME = /(?<![\p{L}\p{N}_'’])[$@&]?[A-Za-z_$][\w$]*$/u
/** `first_row`, `$rows`, `rowOf`, `x`, `x1`; not `kWh`, `GmbH`, `iPhone`, `A4`. */
const CODE_NAME = /_|^[$@&]|^[a-z]{2,}[A-Z][a-z]|^[a-z]\d*$/
const QUANTITY_BEFORE = /\p{Nd}\s?$/u
/** `x = rows[1]`, `return rows[1]`, `this.rows[1]`, `print(rows[1]`, `${rows[1]}`. */
const CODE_BEFORE = /(?:[^=<>!]=\s?|\$\{|\breturn |\b(?:this|self)\.|[A-Za-z_$][\w$]*\([^()\n]*)$/
/** `rows[1].name`, `rows[1] = 4`, `rows[1] + 1`, `rows[1](x)`, `rows[1]++`. */
const CODE_AFTER = /^(?:\.[a-z_]|\(|\+\+|--|->|\s?(?:[-+*/%|&]?=|=[=>])\s?|\s[+*/]\s)/
/** `f()[1]`, `get(x, 2)[1]`; not `section(s)[1]`, `(see above)[1]`. */
const CALL_BEFORE = /(?<![\p{L}\p{N}])([A-Za-z_$][\w$]*)\(([^()\n]*)\)$/u
const PLURAL_LETTERS = 5
const MIN_NOUN_LETTERS = 4

/** Only a plain mark can be code. A label in parentheses may be the source's own. */
function isCodeText(bracket: Bracket, isQuoted: (words: string) => boolean): boolean {
  const { answer, start, end, numbers, isPlain } = bracket
  if (!isPlain) return /^[(（]/u.test(answer.slice(start, end)) && isQuoted(answer.slice(start, end))
  const before = answer.slice(Math.max(0, start - REACH_CHARACTERS), start)
  const after = answer.slice(end, end + REACH_CHARACTERS)
  if (LIST_BEFORE.test(before)) return true
  const [, call = '', given = ''] = CALL_BEFORE.exec(before) ?? []
  if (call !== '')
    return !(call.length >= MIN_NOUN_LETTERS && given.length <= PLURAL_LETTERS && /^\p{Ll}+$/u.test(given))
  const [name] = NAME.exec(before) ?? []
  if (name === undefined) return /\)$/.test(before) && /^\.[a-z_]/.test(after)
  const rest = before.slice(0, before.length - name.length)
  if (QUANTITY_BEFORE.test(rest)) return false
  if (numbers.includes(0) || CODE_NAME.test(name) || CODE_BEFORE.test(rest) || CODE_AFTER.test(after)) return true
  return isQuoted(`${name}${answer.slice(start, end)}`)
}

/**
 * Start of an inline code span that the last characters of a text leave open; `null` if none is
 * open.
 */
export function findOpenCode(text: string): number | null {
  const spans = findInline(text)
  const open = [...text.matchAll(BACKTICKS)].find(
    ({ index }) => !spans.some(({ start, end }) => start <= index && index < end),
  )
  return open?.index ?? null
}

const BACKTICKS = /`+/g
const CODE_TAG = /<(code|pre)\b[^>\n]{0,100}>/gi

/**
 * Returns code spans of a Markdown text, in order: fenced blocks, text between equal runs of
 * backticks, and HTML code. Linear in the length of the text.
 */
function findCodeSpans(text: string): Span[] {
  const spans: Span[] = []
  let from = 0
  for (const fence of [...findCode(text), { start: text.length, end: text.length }]) {
    const prose = text.slice(from, fence.start)
    for (const { start, end } of mergeSpans([...findInline(prose), ...findTagged(prose)]))
      spans.push({ start: from + start, end: from + end })
    if (fence.end > fence.start) spans.push(fence)
    from = fence.end
  }
  return spans
}

/** Code without a closing tag extends to the end, as in a stream. */
function findTagged(text: string): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of text.matchAll(CODE_TAG)) {
    if (match.index < end) continue
    const close = text.toLowerCase().indexOf(`</${match[1]?.toLowerCase()}`, match.index)
    end = close === -1 ? text.length : close
    spans.push({ start: match.index, end })
  }
  return spans
}

function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  return merged
}

function findInline(text: string): Span[] {
  const runs = [...text.matchAll(BACKTICKS)].map((match) => ({ start: match.index, length: match[0].length }))
  // Precomputed, so that an unclosed run does not scan the whole text.
  const lastOf = new Map(runs.map(({ length }, index) => [length, index]))
  const spans: Span[] = []
  for (let index = 0; index < runs.length; index++) {
    const open = runs[index]
    if (open === undefined || (lastOf.get(open.length) ?? 0) <= index) continue
    let close = index + 1
    while (runs[close]?.length !== open.length) close += 1
    const end = (runs[close]?.start ?? 0) + open.length
    spans.push({ start: open.start, end })
    index = close
  }
  return spans
}
