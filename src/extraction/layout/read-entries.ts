import { findIdentifiers, findLabelledIdentifiers } from '../values/identifiers.ts'
import type { Entry } from './entry.ts'
import { readCareer } from './read-career.ts'
import { readDefinitions } from './read-definitions.ts'
import { readAuthors, readLetterhead, readSignatures } from './read-letterhead.ts'
import { readPairs, readStacked } from './read-pairs.ts'
import { readInlinePairs, readQualifiedAmounts } from './read-qualified.ts'
import { readDateRanges } from './read-ranges.ts'
import { readTable, readTables } from './read-tables.ts'
import { type Line, splitCells, splitSeparated } from './split-cells.ts'

/** A passage to read. `header` is the header of a table that continues in this passage. */
type PassageText = { text: string; header: string | null; section: string | null; isFirst: boolean }

/** Returns all label-value pairs that the layout shows. Several readers may match the same text. */
export function readEntries(passage: PassageText): Entry[] {
  const entries = listEntries(passage)
  return [...readQualifiedAmounts(passage.text, entries), ...readDateRanges(passage.text, entries)]
}

function listEntries({ text, header, section, isFirst }: PassageText): Entry[] {
  if (looksLikeJson(text)) return readJson(text)
  const rows = splitSeparated(text, header)
  if (rows !== null) return readSeparated(rows, header)
  const lines = splitCells(text)
  const above = header === null ? null : (splitCells(header).at(-1) ?? null)
  return [
    ...readPairs(text, lines),
    ...readTables(lines, above),
    ...readStacked(text, lines),
    ...readInlinePairs(text, lines),
    ...readDefinitions(text),
    ...readIdentifiers(text),
    ...readStandardIdentifiers(text),
    ...readFixedPhrases(text),
    ...readDateLines(lines),
    ...readCareer(text, lines, section),
    ...readAuthors(text),
    ...readSignatures(lines),
    ...(isFirst ? [...readTitleName(text), ...readLetterhead(lines)] : []),
  ]
}

/** Two columns are name and value; more columns have a header. */
function readSeparated(rows: readonly Line[], header: string | null): Entry[] {
  const above = header === null ? null : (splitSeparated(`${header}\n${rows[0]?.text ?? ''}`, null)?.[0] ?? null)
  if ((rows[0]?.cells.length ?? 0) > 2) return readTable(rows, above)
  return rows.flatMap(({ cells: [label, value] }) => {
    if (label === undefined || value === undefined || value.text === '') return []
    return [{ label: label.text, contextLabel: '', start: value.start, end: value.end, blockEnd: value.end, trust: 1 }]
  })
}

const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|[[\]{}]|(?<![\w"])(?:-?\d[\d.eE+-]*|true|false|null)(?![\w"])/g
const JSON_TRUST = 1

type OpenContainer = { key: string; mark: string; start: number; isPlain: boolean }

/** True for JSON, or a fragment of JSON. */
function looksLikeJson(text: string): boolean {
  return /^\s*[[{"]/.test(text) && /"[^"\n]+"\s*:/.test(text)
}

/**
 * Returns the properties of a JSON text or fragment. Keys are labels, enclosing keys go to
 * `contextLabel`. `null` gives no entry; an array of scalars gives an entry.
 */
function readJson(text: string): Entry[] {
  const entries: Entry[] = []
  const open: OpenContainer[] = []
  let key = ''

  function add(label: string, start: number, end: number): void {
    const contextLabel = open.map((around) => around.key).join(' ')
    if (label !== '' && end > start) entries.push({ label, contextLabel, start, end, blockEnd: end, trust: JSON_TRUST })
  }

  function close(end: number): void {
    const closed = open.pop()
    if (closed?.mark === '[' && closed.isPlain) add(closed.key, closed.start, end)
  }

  for (const { index, 0: token, 1: string, 2: colon } of text.matchAll(TOKEN)) {
    const end = index + token.length
    if (colon !== undefined) {
      key = string ?? ''
      continue
    }
    if (token === '{' || token === '[') {
      for (const around of open.slice(-1)) around.isPlain = false
      open.push({ key, mark: token, start: index, isPlain: true })
    } else if (token === '}' || token === ']') close(end)
    else if (string !== undefined) add(key, index + 1, end - 1)
    else if (token !== 'null') add(key, index, end)
    key = ''
  }
  return entries
}

const TRUST = { identifier: 0.93, letterhead: 0.9, title: 0.85 } as const

/**
 * Matches `Rechnung Nr. 2026/0388`, `booking reference QX7LMB`: words, a word for number, and a
 * token with a digit. Does not match `Casino 2026`.
 *
 * Every repetition within a word is bounded: a row of ten thousand letters would take quadratic
 * time. Values are never truncated at the bound.
 */
const IDENTIFIER = new RegExp(
  String.raw`((?:[\p{L}.-]{1,64}[ ]){0,3})((?:nr|(?<!\p{L})(?:no|number|nummer|numéro|num|núm|numero|número|` +
    String.raw`numer|номер|ref|reference|id|code|policy))\b\.?|\p{L}{0,64}nummer|n\.?[°º]|` +
    String.raw`(?<!\p{L})n\.(?=\s?\d)|[#№°])(?:[ ]?:|` +
    String.raw`[ ]is)?[ ]*((?=[\p{L}\p{N}/.-]{0,199}\d)[\p{L}\p{N}][\p{L}\p{N}/.-]{0,198}[\p{L}\p{N}])` +
    String.raw`(?![/.-]{0,8}[\p{L}\p{N}])`,
  'giu',
)

/** Phrases of contracts and letters that introduce a value. */
const PHRASES: readonly { label: string; pattern: RegExp }[] = [
  {
    label: 'governing law',
    // "The laws of England and Wales" is a single law.
    pattern:
      /(?<=[Gg]overned by (?:and construed (?:in accordance with|under) )?)[^.;,\n]{3,60}?(?=[.;,\n]| and \P{Lu})/gu,
  },
  {
    label: 'position job title',
    pattern: new RegExp(
      String.raw`(?<=(?:post|position|role|job) (?:of|as) (?:an? |the )?)\p{Lu}[\p{L}-]*(?: (?:of |and |` +
        String.raw`for )?\p{Lu}[\p{L}-]*)*`,
      'gu',
    ),
  },
  { label: 'fonction poste', pattern: /(?<=en qualité (?:de |d['’]))[^.;,\n]{3,60}(?=[.;,\n])/giu },
  {
    label: 'date of birth',
    pattern:
      /(?<=(?<!\p{L})(?:dob|d\.o\.b\.|born(?: on)?|geb\.|geboren am|née? le|nacid[oa] el)[ :]{1,3})[^\n;]{6,30}/giu,
  },
  {
    label: 'birthplace',
    pattern: new RegExp(
      String.raw`(?<=(?<!\p{L})(?:[Bb]orn|[Gg]eb\.|[Gg]eboren|[Nn]ée?|[Nn]acid[oa])\s[^\n;]{0,40}\s(?:in|à|` +
        String.raw`en)\s)\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+){0,2}`,
      'gu',
    ),
  },
]

/** Values after a fixed phrase, and values with a recognizable format. */
function readFixedPhrases(text: string): Entry[] {
  return PHRASES.flatMap(({ label, pattern }) =>
    [...text.matchAll(pattern)].map((match) => {
      const end = match.index + match[0].length
      return { label, contextLabel: '', start: match.index, end, blockEnd: end, trust: TRUST.identifier }
    }),
  )
}

/** Text before a label on the same line, without other values: `Supplier VAT ID`. */
const BEFORE_IDENTIFIER = /(?:[\p{L}’'-]{2,40}[ ]){0,3}$/u
const MAX_BEFORE_CHARACTERS = 100

/**
 * Identifiers with a standard form: those behind their label, and account numbers whose check
 * digits prove them.
 */
function readStandardIdentifiers(text: string): Entry[] {
  const accounts = findIdentifiers(text, 'iban').filter(({ isValid }) => isValid)
  const named = findLabelledIdentifiers(text).map(({ labelStart, start, end }) => {
    const before = text.slice(Math.max(0, labelStart - MAX_BEFORE_CHARACTERS), labelStart)
    const owner = BEFORE_IDENTIFIER.exec(before)?.[0] ?? ''
    return { label: `${owner}${text.slice(labelStart, start)}`.trim(), start, end }
  })
  return [...accounts.map(({ start, end }) => ({ label: 'IBAN', start, end })), ...named].map((entry) => ({
    ...entry,
    contextLabel: '',
    blockEnd: entry.end,
    trust: TRUST.identifier,
  }))
}

/** Identifiers that follow their name without a colon. */
function readIdentifiers(text: string): Entry[] {
  return [...text.matchAll(IDENTIFIER)].map((match) => {
    const [whole, words = '', mark = '', value = ''] = match
    const end = match.index + whole.length
    const label = `${words}${mark}`
    return { label, contextLabel: '', start: end - value.length, end, blockEnd: end, trust: TRUST.identifier }
  })
}

const DATE_LINE = new RegExp(
  String.raw`^(?:(?:fait )?(?:à |in |en )?\p{Lu}[\p{L}\s.-]{1,40},\s*(?:den|le|the|am|` +
    String.raw`a)?\s*)?(?:\p{Lu}?\p{L}{2,9}\.?\s+\d{1,2},?\s+\d{4}|\d{1,2}(?:\.|st|nd|rd|th|` +
    String.raw`er)?\s+(?:de\s)?\p{L}{3,10}\.?\s+\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})\.?$`,
  'iu',
)

/** The date on a separate line of a letter, invoice or signature, with or without a place. */
function readDateLines(lines: readonly Line[]): Entry[] {
  return lines.flatMap((line, row) =>
    line.cells.flatMap((cell): Entry[] => {
      const isApart = line.cells.length === 1 ? (lines[row - 1]?.text.trim() ?? '') === '' : false
      const isPlaced = /^[^\d,]+,/u.test(cell.text)
      if (!(isApart || isPlaced) || !DATE_LINE.test(cell.text)) return []
      const isSignature = row > lines.length / 2 && row > 10
      const contextLabel = isSignature ? 'signature' : 'issue letter'
      return [
        { label: 'date', contextLabel, start: cell.start, end: cell.end, blockEnd: cell.end, trust: TRUST.letterhead },
      ]
    }),
  )
}

const NAME_LINE = new RegExp(
  String.raw`^\s*(?:#\s+)?((?:(?:Dr|Prof|Mr|Mrs|Ms)\.?[ ]+)?\p{Lu}\p{Ll}[\p{L}'’-]*(?:[ ]+\p{Lu}[\p{L}.'’-]*)` +
    String.raw`{1,3}|(?!.*(?:VITAE|LEBENSLAUF|PROFILE))\p{Lu}{2,20}(?:[ -]\p{Lu}[\p{Lu}.'’-]{1,20}){1,3})[ ]*\n`,
  'u',
)
/** Headings of CVs that contracts, letters and reports do not have. */
const CV_HEADING = new RegExp(
  String.raw`^\W*(?:(?:work |professional )?experience|education|skills|employment|profile|summary|ausbildung|` +
    String.raw`berufserfahrung|kenntnisse|expérience|formation|compétences)\b`,
  'imu',
)

/** The name at the top of a CV. */
function readTitleName(text: string): Entry[] {
  const match = NAME_LINE.exec(text)
  const name = match?.[1]
  if (match === null || name === undefined || !CV_HEADING.test(text)) return []
  const start = match[0].indexOf(name)
  const end = start + name.length
  return [{ label: 'full name', contextLabel: 'applicant candidate', start, end, blockEnd: end, trust: TRUST.title }]
}
