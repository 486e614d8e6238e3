import type { Entry } from './entry.ts'
import { readCareer } from './read-career.ts'
import { readDefinitions } from './read-definitions.ts'
import { looksLikeJson, readJson } from './read-json.ts'
import { readAuthors, readLetterhead } from './read-letterhead.ts'
import { readPairs } from './read-pairs.ts'
import { readDateLines, readFixedPhrases, readIdentifiers, readTitleName } from './read-phrases.ts'
import { readRanges } from './read-ranges.ts'
import { readStacked } from './read-stacked.ts'
import { readTable, readTables } from './read-tables.ts'
import { type Line, splitCells, splitSeparated } from './split-cells.ts'

/** A passage as its layout is read: `header` is that of a table whose rows the text goes on with. */
export type PassageText = { text: string; header: string | null; section: string | null; isFirst: boolean }

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
