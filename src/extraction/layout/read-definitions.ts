import { type Entry, trimSpan } from './entry.ts'

const TRUST = 0.97
/**
 * `Morwenna Ltd, of 3 Castle Parade (the "Landlord")`, `Herrn Huber, nachstehend Mieter genannt`,
 * `Frau Kopp (Mieterin)`.
 */
const DEFINITION_PATTERNS = [
  new RegExp(
    String.raw`\(\s{0,100}(?:each,?\s+)?(?:(?:herein(?:after)?|hereafter)(?: called| referred to as)?(?: the)?|the|` +
      String.raw`der|die|das|le|la|l['’])?\s{0,100}["“„«]([^"”“»\n]{2,40})["”“»]\s*\)`,
    'giu',
  ),
  new RegExp(
    String.raw`[(,]\s{0,100}en (?:adelante|lo sucesivo),?\s{1,100}(?:denominad[oa] )?["“«']?(?:(?:el|la|los|` +
      String.raw`las)\s{1,9})?["“«']?(\p{L}{2,40})["”»']?\)?`,
    'giu',
  ),
  new RegExp(
    String.raw`,?\s{0,100}\(?(?:im folgenden|nachstehend|nachfolgend|ci-après(?: (?:dénommé|désigné|appelé)e?s?)?|` +
      String.raw`herein(?:after)? (?:called|referred to as)(?: the)?)\s+["„“«]?\s?(?:(?:der|die|das|le|la|les)\s|` +
      String.raw`l['’])?(\p{L}+)["”“»]?(?:\s+genannt)?`,
    'giu',
  ),
  new RegExp(
    String.raw`\s{0,9}\(((?:ver)?mieter(?:in)?|(?:ver)?käufer(?:in)?|auftrag(?:geber|nehmer)(?:in)?|arbeit(?:geber|` +
      'nehmer)(?:in)?|landlord|tenant|seller|buyer|employer|employee|bailleur|locataire|vendeur|acheteur|' +
      String.raw`arrendador|arrendatario)\)`,
    'giu',
  ),
]
/** Text before a party's name: the previous party, or a number in brackets. */
const PARTY_PREFIX = new RegExp(
  String.raw`(?:\bby and between|\bbetween|\bzwischen|\bentre|\band|\bund|\bet|\by|\bder|\bD\.ª?|\bD(?:oñ|on)a?|` +
    String.raw`\bbetween:|[;:]|["”“»]\s*\)|^|\n\s*\n|\(\d\)|\bparte,|\bnamed?|genannt,?)\s+`,
  'giu',
)
const NAME_END = new RegExp(
  String.raw`,?\s+(?:of|a|an|whose|with|having|registered|incorporated|born|geboren|né|née|dont|ein|eine|` +
    String.raw`vertreten)\s|,\s(?!(?:Inc|LLC|L\.L\.C|Ltd|LLP|Corp|GmbH|S\.A|SA|plc|PLC|Co)\b)|\s\(`,
  'u',
)
const TITLE = /^(?:the|die|der|das|la (?:société|sociedad|empresa)|la|le)\s+(?=\p{L})/iu
const MAX_CLAUSE_CHARACTERS = 300

/** Text before a list of names that form a single party: "between", or the previous party. */
const JOINT_PARTY_PREFIX = new RegExp(
  String.raw`(?:^(?=[\s,)]*(?:and|und|et|y)\s)|\b(?:between|zwischen|entre)|[:;]|["”“»]\s*\)|»|\bgenannt\b|` +
    String.raw`\n\s*\n)[\s,)]*(?:(?:and|und|et|y)\s+)?`,
  'giu',
)
const HONORIFIC = String.raw`(?:(?:Mr|Mrs|Ms|Dr|Herrn?|Frau|Monsieur|Madame|M|Mme|Don|Doña)\b\.?\s+)*`
const WORDS = String.raw`\p{Lu}[\p{L}.'’-]*(?:\s+(?:(?:de|da|von|van|la|du|der|den)\s+)*\p{Lu}[\p{L}.'’-]*)`
const NAME = new RegExp(`^${HONORIFIC}${WORDS}{0,4}$`, 'u')
const FULL_NAME = new RegExp(`^${HONORIFIC}${WORDS}{1,4}$`, 'u')
/**
 * Separates the last name of `Ann Lee, Bob Hill and Carl Voss`. Names are matched singly: titles
 * match as names too, so a pattern for the whole list would backtrack exponentially.
 */
const LAST_NAME_SEPARATOR = /,?\s+(?:and|und|et|y|e|&)\s+/gu
const NAME_SEPARATOR = /,\s+/u

/**
 * Reads defined parties and terms: the defined word is the label, the name before the definition is
 * the value.
 */
export function readDefinitions(text: string): Entry[] {
  return DEFINITION_PATTERNS.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match, index, all): Entry[] => {
      const from = Math.max(0, match.index - MAX_CLAUSE_CHARACTERS)
      const clause = text.slice(from, match.index)
      const before = all[index - 1]
      const behind = Math.max(0, (before?.index ?? 0) + (before?.[0].length ?? 0) - from)
      const joint = findJointParty(clause.slice(behind), all[index + 1] !== undefined)
      const span = joint ?? findParty(clause)
      if (span === null) return []
      const at = from + (joint === null ? 0 : behind)
      const [start, end, blockEnd] = [at + span.start, at + span.end, at + span.blockEnd]
      return [{ label: match[1] ?? '', contextLabel: '', start, end, blockEnd, trust: TRUST }]
    }),
  )
}

type Party = Pick<Entry, 'start' | 'end' | 'blockEnd'>

/** Returns the last name of a clause; `blockEnd` covers the rest of the clause. */
function findParty(clause: string): Party | null {
  const starts = [...clause.matchAll(PARTY_PREFIX)].map((found) => found.index + found[0].length)
  const start = starts.findLast((at) =>
    /^[\s*_"“]*(?:(?:the|la|der|die|don|doña|la (?:empresa|sociedad|société)) )?\p{Lu}/u.test(clause.slice(at)),
  )
  if (start === undefined) return null
  const name = clause.slice(start)
  const length = NAME_END.exec(name)?.index ?? name.length
  const skipped = TITLE.exec(name)?.[0].length ?? 0
  const span = trimSpan(clause, start + skipped, start + length)
  return span === null ? null : { start: span.start, end: span.end, blockEnd: clause.length }
}

/**
 * Returns several names that form a single party. In "between Ann Lee and Bob Hill" only the second
 * name is defined, unless another party follows.
 */
function findJointParty(clause: string, isFollowed: boolean): Party | null {
  const last = [...clause.matchAll(JOINT_PARTY_PREFIX)].at(-1)
  if (last === undefined || (!isFollowed && /^[bze]/i.test(last[0]))) return null
  const span = trimSpan(clause, last.index + last[0].length, clause.length)
  if (span === null || !isJointParty(span.text.replace(/,$/, ''))) return null
  const end = span.end - (span.text.endsWith(',') ? 1 : 0)
  return { start: span.start, end, blockEnd: end }
}

/** `Ann Lee, Bob Hill and Carl Voss`, the last with a surname. */
function isJointParty(names: string): boolean {
  const border = [...names.matchAll(LAST_NAME_SEPARATOR)].at(-1)
  if (border === undefined) return false
  const others = names.slice(0, border.index).split(NAME_SEPARATOR)
  return FULL_NAME.test(names.slice(border.index + border[0].length)) && others.every((name) => NAME.test(name))
}
