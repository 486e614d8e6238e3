import { normalizeForMatch } from '../engine/analysis/fold.ts'
import { WRITTEN, wordPattern } from '../engine/phrases.ts'
import type { Passage } from './field.ts'
import type { LabelWord, WordReader } from './label-words.ts'

/** Part of a label that names one of several alike things: `Weight of parcel QX-7708`. */
export type Subject = {
  /** Codes and names, as normalized by `normalizeForMatch`. */
  names: readonly string[]
  /** The words of the label without the subject. */
  asked: readonly LabelWord[]
}

/** A code of letters and digits. Quarters, standards and formulas are shorter. */
const CODE = /(?<![\p{L}\p{N}])\p{Lu}{1,6}-?\d{2,}[\p{L}\p{N}/-]*/gu
/** The name of a person or company at the end of a label, after a preposition. */
const NAME = /(?<=\s(?:of|for|de|du|di|do|da|van|von)\s)\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}.'’-]+)+$/gu

/** Returns the subject of a label; `null` if the label names none. */
export function readSubject(label: string, asked: readonly LabelWord[]): Subject | null {
  const found = [...label.matchAll(CODE), ...label.matchAll(NAME)]
  if (found.length === 0) return null
  const places = found.map(({ index, 0: text }) => ({ start: index, end: index + text.length }))
  const isIn = ({ start, end }: LabelWord) => places.some((place) => start >= place.start && end <= place.end)
  // In `parcel QX-7708` the word before the code is its class, which a record need not repeat.
  const isClass = (index: number) => {
    const [word, next] = [asked[index], asked[index + 1]]
    return word !== undefined && next !== undefined && isIn(next) && next.start - word.end <= 1
  }
  const rest = asked.filter((word, index) => !isIn(word) && !isClass(index))
  if (rest.length === 0) return null
  return { names: found.map(([text]) => normalizeForMatch(text).trim()), asked: rest }
}

type Place = { start: number; end: number }

/**
 * True if the record, paragraph or heading of a value has the names of the subject. The value of
 * another record is the value of a sibling.
 */
export function isAboutSubject({ names }: Subject, passage: Passage, { start, end }: Place): boolean {
  const { text, section, title } = passage
  const first = isJson(text) ? '' : text.split('\n', 1)[0]
  const around = normalizeForMatch(
    [title, section, first, findHeading(text, start), findRecord(text, { start, end })].join('\n'),
  )
  return names.every((name) => around.includes(name))
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}

/** The nearest heading above. */
function findHeading(text: string, at: number): string {
  return (
    text
      .slice(0, at)
      .match(/^#{1,6} .*$/gmu)
      ?.at(-1) ?? ''
  )
}

/** The object, row or paragraph around a value. */
function findRecord(text: string, { start, end }: Place): string {
  if (isJson(text)) return text.slice(text.lastIndexOf('{', start), text.indexOf('}', end) + 1 || text.length)
  const [from, to] = [text.lastIndexOf('\n', start - 1) + 1, text.indexOf('\n', end)]
  const line = text.slice(from, to < 0 ? text.length : to)
  if (/[|{\t]|,\S*,/.test(line)) return line
  const [above, below] = [text.lastIndexOf('\n\n', start) + 1, text.indexOf('\n\n', end)]
  return text.slice(above, below < 0 ? text.length : below)
}

/** A kind of thing with a number, letter or size: `zone 4`. */
type Designation = { kind: string; signs: readonly string[]; start: number; end: number }

/** A numbered or lettered thing that a label names. */
type Designated = {
  /** The words of the label without the designation. */
  asked: readonly LabelWord[]
  /**
   * Returns the values of the asked thing in a passage. `found` are values for the whole label,
   * returned as given if the passages name no sibling. `named` are values for the other words.
   */
  select<T extends ValuePlace>(passage: number, values: { found: readonly T[]; named: readonly T[] }): T[]
}

/** Range of a value, and the labels of the cell or pair. */
type ValuePlace = { start: number; end: number; labels?: string }

/** Longer numbers are identifiers or amounts. */
const SIGN = String.raw`(?:\d{1,4}(?:\.\d{1,3}){0,3}\p{Ll}?|\p{Lu}\d{1,3}|X{0,3}[SML]|[IVX]{1,4}|\p{Lu})`
/** In `Zone 1,2.10` the comma separates cells. */
const SIGN_END = String.raw`(?![\p{Script=Latin}\p{Script=Cyrillic}\p{N}]|[.:/]\d|,\d{1,3}(?![.,]?\d)|[^\S\n]?[%€$£])`
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々`
/** A space, quotes of a JSON key, a bar or a sign for "number"; nothing in text without spaces. */
const GAP =
  String.raw`(?:[^\S\n]{1,2}|[^\S\n]?(?:["']?[:=]|[#№|])[^\S\n]?["']?|(?<=[${UNSPACED}]))` +
  String.raw`(?:(?:n[°ºr]|no|nr|#|№)\.?[^\S\n]?)?`
const AND = wordPattern(({ answers }) => answers?.and, WRITTEN)
const RANGE = String.raw`\s?[-–~]\s?|\s(?:to|bis|à|au|tot|al?|do|до)\s`
const LINK = String.raw`[^\S\n]?[,/&+、・][^\S\n]?|[^\S\n](?:${AND})[^\S\n]`
const BEHIND_KIND = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(\p{L}[\p{L}\p{M}'’ー]{0,39})${GAP}(${SIGN})${SIGN_END}`,
  'gu',
)
const NEXT_SIGN = new RegExp(`(${RANGE}|${LINK})(${SIGN})${SIGN_END}`, 'uy')
/** Longer steps do not happen in a list: in `zone 1 and 45 litres` the 45 is a value. */
const MAX_STEP = 9
const MAX_RANGE = 100
/** `2nd floor`, `3. Stock`, `2号線`. */
const BEFORE_KIND = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,])(?:(\d{1,3})(?:st|nd|rd|th|er|re|ère|e|è|ème|de|ste|º|ª|°|\.|:[ae])[^\S\n]` +
    String.raw`(\p{L}[\p{L}\p{M}'’-]{1,39})|(\d{1,3})([\p{Script=Han}\p{Script=Katakana}ー]{1,12}))`,
  'gu',
)
const YEAR = /^(?:19|20)\d\d$/
const RANGE_ONLY = new RegExp(`^(?:${RANGE})$`, 'u')

/** Returns all designations of a text, in order. */
function findDesignations(text: string): Designation[] {
  const behind = [...text.matchAll(BEHIND_KIND)].map(({ index, 0: whole, 1: kind = '', 2: sign = '' }) => {
    return { kind, start: index, ...readSigns(text, sign, index + whole.length) }
  })
  const before = [...text.matchAll(BEFORE_KIND)].map(({ index, 0: whole, 1: one, 2: kind, 3: other, 4: unspaced }) => {
    return { kind: kind ?? unspaced ?? '', signs: [one ?? other ?? ''], start: index, end: index + whole.length }
  })
  return [...behind, ...before].filter(({ signs }) => signs.length > 0).sort((a, b) => a.start - b.start)
}

/** The signs of `1, 2 and 3`, `A/B` and of the range `1-3`, from the first sign on. */
function readSigns(text: string, first: string, from: number): { signs: string[]; end: number } {
  const signs = YEAR.test(first) ? [] : [first]
  let end = from
  for (let last = first; signs.length > 0; ) {
    NEXT_SIGN.lastIndex = end
    const [whole = '', link = '', sign = ''] = NEXT_SIGN.exec(text) ?? []
    const step = Number(sign) - Number(last)
    const isRange = RANGE_ONLY.test(link) && step < MAX_RANGE
    const isNumber = /^\d+$/.test(last)
    if (whole === '' || (isNumber ? !(step > 0 && (isRange || step <= MAX_STEP)) : /^\d/.test(sign))) break
    if (isRange && isNumber) for (let one = Number(last) + 1; one < Number(sign); one += 1) signs.push(String(one))
    signs.push(sign)
    last = sign
    end += whole.length
  }
  return { signs, end }
}

/** Returns the designation of a label; `null` for none, or if the passages name no such thing. */
export function readDesignated(
  label: string,
  asked: readonly LabelWord[],
  { passages, words }: { passages: readonly Passage[]; words: WordReader },
): Designated | null {
  const wanted = findDesignations(label).find(({ kind, signs }) => signs.length === 1 && words.read(kind).length > 0)
  const sign = wanted?.signs[0]
  if (wanted === undefined || sign === undefined) return null
  const isKind = createKindTest(wanted.kind, words)
  const read = (text: string) => findDesignations(text).filter(({ kind }) => isKind(kind))
  const said = passages.map(({ text }) => read(text))
  const above = passages.map(({ title, section, header }) => read([title, section, header].join('\n')))
  const all = [...said, ...above].flat()
  if (all.length === 0) return null
  const isWanted = ({ signs }: Designation) => signs.includes(sign)
  const hasSiblings = !all.every(isWanted)
  return {
    asked: asked.filter(({ start, end }) => end <= wanted.start || start >= wanted.end),
    select: (passage, { found, named }) => {
      const places = [...found, ...named]
      const findOwners = createOwnerFinder(passages[passage]?.text ?? '', { designations: said[passage] ?? [], places })
      const isSign = ({ start, end }: ValuePlace) => said[passage]?.some((one) => start >= one.start && end <= one.end)
      const isOwn = (place: ValuePlace): 'own' | 'continued' | null => {
        const labelled = read(place.labels ?? '')
        const { owners, isInside } = labelled.length > 0 ? { owners: labelled, isInside: true } : findOwners(place)
        const named = owners.length > 0 ? owners : (above[passage] ?? [])
        return isSign(place) === true || !named.some(isWanted) ? null : isInside ? 'own' : 'continued'
      }
      const kinds = new Map<ValuePlace, ReturnType<typeof isOwn>>(places.map((place) => [place, isOwn(place)]))
      // "Level 2 costs £40. A certificate costs £15." continues with another thing.
      const hasOwn = [...kinds.values()].includes('own')
      const isChosen = (place: ValuePlace) => kinds.get(place) === (hasOwn ? 'own' : 'continued')
      return [...(hasSiblings ? found.filter(isChosen) : found), ...named.filter(isChosen)]
    },
  }
}

/** Compares kinds by meaning; in text without spaces a longer word ends with the kind. */
function createKindTest(wanted: string, words: WordReader): (kind: string) => boolean {
  const name = normalizeForMatch(wanted).trim()
  const keys = new Set(words.read(wanted).flatMap((word) => word.keys))
  const isUnspaced = new RegExp(`[${UNSPACED}]`, 'u').test(wanted)
  const known = new Map<string, boolean>()
  const compare = (kind: string): boolean => {
    const other = normalizeForMatch(kind).trim()
    if (other === name) return true
    if (isUnspaced) return other.length > 0 && (other.endsWith(name) || name.endsWith(other))
    return words.read(kind).some((word) => word.keys.some((key) => keys.has(key)))
  }
  return (kind) => {
    const isKind = known.get(kind) ?? compare(kind)
    known.set(kind, isKind)
    return isKind
  }
}

/** Full stops behind digits belong to dates and ordinals as well, and end no sentence here. */
const SENTENCE_END = /(?<!\d)[.!?]["”)]?\s+(?=["“(]?[\p{Lu}\d])|[。；;]|\n\s*\n|\n(?=[^\S\n]*[-*•|])/gu

/**
 * Creates a finder of the subject of a value: the designation before, or behind if the values of
 * the sentence come first: `300 litres in tank A and 450 in tank B`. A sentence without designation
 * continues the last subject.
 */
function createOwnerFinder(
  text: string,
  { designations, places }: { designations: readonly Designation[]; places: readonly ValuePlace[] },
): (value: ValuePlace) => { owners: readonly Designation[]; isInside: boolean } {
  const borders = [...text.matchAll(SENTENCE_END)].map((border) => border.index + border[0].length)
  return ({ start, end }) => {
    const from = borders.findLast((at) => at <= start) ?? 0
    const to = borders.find((at) => at >= end) ?? text.length
    const isInside = (one: { start: number; end: number }) => one.start >= from && one.end <= to
    const inside = designations.filter(isInside)
    const [first, last] = [inside[0], inside.at(-1)]
    if (first === undefined || last === undefined)
      return { owners: designations.filter((one) => one.end <= start).slice(-1), isInside: false }
    const values = places.filter(isInside)
    const isFirst = values.some((one) => one.end <= first.start) && !values.some((one) => one.start >= last.end)
    const next = inside.find((one) => one.start >= end)
    const owner = (isFirst ? next : inside.findLast((one) => one.end <= start)) ?? next ?? last
    return { owners: [owner], isInside: true }
  }
}
