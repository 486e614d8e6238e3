import type { Entry } from './entry.ts'
import { readCareer } from './read-career.ts'
import { readDefinitions } from './read-definitions.ts'
import { readAuthors, readLetterhead } from './read-letterhead.ts'
import { readPairs, readStacked } from './read-pairs.ts'
import { readDateLines, readFixedPhrases, readIdentifiers, readTitleName } from './read-phrases.ts'
import { readRanges } from './read-ranges.ts'
import { readTable, readTables } from './read-tables.ts'
import { type Line, splitCells, splitSeparated } from './split-cells.ts'

/** A passage as its layout is read: `header` is that of a table whose rows the text goes on with. */
type PassageText = { text: string; header: string | null; section: string | null; isFirst: boolean }

/** Every place of a passage that says by its layout what stands in it; a text may be read in several ways. */
export function readEntries(passage: PassageText): Entry[] {
  const entries = listEntries(passage)
  return [...entries, ...readRanges(passage.text, entries)]
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
    ...readDefinitions(text),
    ...readIdentifiers(text),
    ...readFixedPhrases(text),
    ...readDateLines(lines),
    ...readCareer(text, lines, section),
    ...readAuthors(text),
    ...(isFirst ? [...readTitleName(text), ...readLetterhead(lines)] : []),
  ]
}

/** Values in two columns are names and values; in more they stand below a header. */
function readSeparated(rows: readonly Line[], header: string | null): Entry[] {
  const above = header === null ? null : (splitSeparated(`${header}\n${rows[0]?.text ?? ''}`, null)?.[0] ?? null)
  if ((rows[0]?.cells.length ?? 0) > 2) return readTable(rows, above)
  return rows.flatMap(({ cells: [label, value] }) => {
    if (label === undefined || value === undefined || value.text === '') return []
    return [{ label: label.text, besides: '', start: value.start, end: value.end, blockEnd: value.end, trust: 1 }]
  })
}

const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|[[\]{}]|(?<![\w"])(?:-?\d[\d.eE+-]*|true|false|null)(?![\w"])/g
const JSON_TRUST = 1

type Open = { key: string; mark: string; start: number; isPlain: boolean }

/** True for a text that is made of JSON, or of a part of one. */
function looksLikeJson(text: string): boolean {
  return /^\s*[[{"]/.test(text) && /"[^"\n]+"\s*:/.test(text)
}

/**
 * The properties of a JSON text, also of a part that was cut out of one: keys are labels, the keys around them stand
 * beside. A value of `null` is no entry; an array of plain values is one.
 */
function readJson(text: string): Entry[] {
  const entries: Entry[] = []
  const open: Open[] = []
  let key = ''

  function add(label: string, start: number, end: number): void {
    const besides = open.map((around) => around.key).join(' ')
    if (label !== '' && end > start) entries.push({ label, besides, start, end, blockEnd: end, trust: JSON_TRUST })
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
