import type { Entry } from './entry.ts'
import type { Line } from './split-cells.ts'

const TRUST = { identifier: 0.93, letterhead: 0.9, title: 0.85 } as const

/**
 * `Rechnung Nr. 2026/0388`, `booking reference QX7LMB`: words, a word for number, and something with a digit; `Casino 2026` has none. Every repetition within a word is bounded: a row of
 * ten thousand letters would be gone through from each of them. No value is cut at its bound.
 */
const IDENTIFIER =
  /((?:[\p{L}.-]{1,64}[ ]){0,3})((?:nr|(?<!\p{L})(?:no|number|nummer|numéro|num|ref|reference|id|code|policy))\b\.?|\p{L}{0,64}nummer|n\.?[°º]|[#№°])(?:[ ]?:|[ ]is)?[ ]*((?=[\p{L}\p{N}/.-]{0,199}\d)[\p{L}\p{N}][\p{L}\p{N}/.-]{0,198}[\p{L}\p{N}])(?![/.-]{0,8}[\p{L}\p{N}])/giu

/** ISO 13616: two letters, two digits, up to 30 letters and digits, usually in groups of four. */
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\p{L}\p{N}])/gu
/** Phrases of contracts and letters whose object is the value. */
const PHRASES: readonly { label: string; pattern: RegExp }[] = [
  {
    label: 'governing law',
    // "The laws of England and Wales" is one law.
    pattern:
      /(?<=[Gg]overned by (?:and construed (?:in accordance with|under) )?)[^.;,\n]{3,60}?(?=[.;,\n]| and \P{Lu})/gu,
  },
  {
    label: 'position job title',
    pattern:
      /(?<=(?:post|position|role|job) (?:of|as) (?:an? |the )?)\p{Lu}[\p{L}-]*(?: (?:of |and |for )?\p{Lu}[\p{L}-]*)*/gu,
  },
  { label: 'fonction poste', pattern: /(?<=en qualité (?:de |d['’]))[^.;,\n]{3,60}(?=[.;,\n])/giu },
  {
    label: 'date of birth',
    pattern:
      /(?<=(?<!\p{L})(?:dob|d\.o\.b\.|born(?: on)?|geb\.|geboren am|née? le|nacid[oa] el)[ :]{1,3})[^\n;]{6,30}/giu,
  },
  {
    label: 'birthplace',
    pattern:
      /(?<=(?<!\p{L})(?:[Bb]orn|[Gg]eb\.|[Gg]eboren|[Nn]ée?|[Nn]acid[oa])\s[^\n;]{0,40}\s(?:in|à|en)\s)\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+){0,2}/gu,
  },
]

/** Values that a fixed phrase introduces, or that say themselves what they are. */
export function readFixedPhrases(text: string): Entry[] {
  return [{ label: 'IBAN', pattern: IBAN }, ...PHRASES].flatMap(({ label, pattern }) =>
    [...text.matchAll(pattern)].map((match) => {
      const end = match.index + match[0].length
      return { label, besides: '', start: match.index, end, blockEnd: end, trust: TRUST.identifier }
    }),
  )
}

/** Numbers of things that no colon parts from their name. */
export function readIdentifiers(text: string): Entry[] {
  return [...text.matchAll(IDENTIFIER)].map((match) => {
    const [whole, words = '', mark = '', value = ''] = match
    const end = match.index + whole.length
    const label = `${words}${mark}`
    return { label, besides: '', start: end - value.length, end, blockEnd: end, trust: TRUST.identifier }
  })
}

const DATE_LINE =
  /^(?:(?:fait )?(?:à |in |en )?\p{Lu}[\p{L}\s.-]{1,40},\s*(?:den|le|the|am|a)?\s*)?(?:\p{Lu}?\p{L}{2,9}\.?\s+\d{1,2},?\s+\d{4}|\d{1,2}(?:\.|st|nd|rd|th|er)?\s+(?:de\s)?\p{L}{3,10}\.?\s+\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})\.?$/iu

/** The date that a letter, an invoice or a signature bears on a line of its own, with or without a place. */
export function readDateLines(lines: readonly Line[]): Entry[] {
  return lines.flatMap((line, row) =>
    line.cells.flatMap((cell): Entry[] => {
      const isApart = line.cells.length === 1 ? (lines[row - 1]?.text.trim() ?? '') === '' : false
      const isPlaced = /^[^\d,]+,/u.test(cell.text)
      if (!(isApart || isPlaced) || !DATE_LINE.test(cell.text)) return []
      const isSignature = row > lines.length / 2 && row > 10
      const besides = isSignature ? 'signature' : 'issue letter'
      return [{ label: 'date', besides, start: cell.start, end: cell.end, blockEnd: cell.end, trust: TRUST.letterhead }]
    }),
  )
}

const NAME_LINE =
  /^\s*(?:#\s+)?((?:(?:Dr|Prof|Mr|Mrs|Ms)\.?[ ]+)?\p{Lu}\p{Ll}[\p{L}'’-]*(?:[ ]+\p{Lu}[\p{L}.'’-]*){1,3}|(?!.*(?:VITAE|LEBENSLAUF|PROFILE))\p{Lu}{2,20}(?:[ -]\p{Lu}[\p{Lu}.'’-]{1,20}){1,3})[ ]*\n/u
/** What stands over CVs and does not over contracts, letters and reports. */
const CV_HEADING =
  /^\W*(?:(?:work |professional )?experience|education|skills|employment|profile|summary|ausbildung|berufserfahrung|kenntnisse|expérience|formation|compétences)\b/imu

/** The name over a CV, which is its title. */
export function readTitleName(text: string): Entry[] {
  const match = NAME_LINE.exec(text)
  const name = match?.[1]
  if (match === null || name === undefined || !CV_HEADING.test(text)) return []
  const start = match[0].indexOf(name)
  const end = start + name.length
  return [{ label: 'full name', besides: 'applicant candidate', start, end, blockEnd: end, trust: TRUST.title }]
}
