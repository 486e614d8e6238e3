import { unreadable } from '../parse-event.ts'
import { chooseCodePage } from './code-page.ts'
import { type Piece, readPieceTable } from './piece-table.ts'
import { CHANGES, type FormattedRun, listFormattedRuns, type PageLayout, readChanges } from './property-changes.ts'
import { REGIONS, type WordHeader } from './word-header.ts'

/** A Word file with its tables read. */
export type WordFile = {
  header: WordHeader
  /** The stream that holds the text. */
  text: Buffer
  tables: Buffer
  pieces: readonly Piece[]
  codePage: string
  styles: readonly (Style | null)[]
  paragraphs: readonly FormattedRun[]
  /** Runs that were deleted while changes were tracked. */
  deleted: readonly FormattedRun[]
}

const PARAGRAPH_PAGES: Record<97 | 6, PageLayout> = {
  97: { numberBytes: 4, entryBytes: 13, length: 'words-97' },
  6: { numberBytes: 2, entryBytes: 7, length: 'words' },
}
const CHARACTER_PAGES: PageLayout = { numberBytes: 4, entryBytes: 1, length: 'bytes' }

/** Reads the tables. Throws `unprocessable_document` when the text cannot be found; damage elsewhere costs structure only. */
export function readWordFile(header: WordHeader, text: Buffer, tables: Buffer): WordFile {
  const { version } = header
  const pieces = readPieceTable(header, text, tables)
  if (pieces.length === 0) throw unreadable('The Word file has no text, or is damaged.')
  const first = pieces.find((piece) => piece.characterBytes === 1)
  const sample = text.subarray(first?.at ?? 0, (first?.at ?? 0) + (first?.characters ?? 0))
  return {
    header,
    text,
    tables,
    pieces,
    // Since Word 97 what is not in the Western code page is in Unicode.
    codePage: version === 97 ? 'windows-1252' : chooseCodePage(header.language, sample),
    styles: readStyleSheet(header, tables),
    paragraphs:
      version === 2
        ? []
        : listFormattedRuns({ text, tables }, header.region(REGIONS.paragraphs), PARAGRAPH_PAGES[version]),
    deleted: version === 97 ? listDeleted(header, text, tables) : [],
  }
}

function listDeleted(header: WordHeader, text: Buffer, tables: Buffer): FormattedRun[] {
  return listFormattedRuns({ text, tables }, header.region(REGIONS.characters), CHARACTER_PAGES).filter(
    ({ properties }) => {
      let isDeleted = false
      readChanges(properties, (code, operand) => {
        if (code === CHANGES.deleted) isDeleted = operand === 1
      })
      return isDeleted
    },
  )
}

/** What a paragraph style says of its paragraphs. */
type Style = {
  /** Level of a heading, from 1; `null` for other text. */
  headingLevel: number | null
  list: number | null
  listLevel: number | null
}

type RawStyle = { kind: number; basedOn: number; own: Style }

/** Numbers of built-in styles, the same in every language. MS-DOC 2.9.260. */
const LAST_HEADING = 9
const TITLE = 62
const NONE = 0xfff
const MAX_STYLES = 4096

/** The styles by their number, with what they take from the ones they are based on; empty when the sheet is damaged. */
function readStyleSheet(header: WordHeader, tables: Buffer): readonly (Style | null)[] {
  const { at, bytes } = header.region(REGIONS.styles)
  const sheet = tables.subarray(at, at + bytes)
  if (header.version === 2 || sheet.length < 6) return []
  const count = Math.min(sheet.readUInt16LE(2), MAX_STYLES)
  const fixedBytes = sheet.readUInt16LE(4)
  const styles: (RawStyle | null)[] = []
  let next = 2 + sheet.readUInt16LE(0)
  while (styles.length < count && next + 2 <= sheet.length) {
    const length = sheet.readUInt16LE(next)
    const style = sheet.subarray(next + 2, next + 2 + length)
    styles.push(style.length < Math.max(6, fixedBytes) ? null : readStyle(style, fixedBytes, header.version === 97))
    // In Word 97 every style begins at an even place.
    next += 2 + length + (header.version === 97 ? length % 2 : 0)
  }
  return styles.map((style) => (style === null || style.kind !== PARAGRAPH_STYLE ? null : resolve(style, styles)))
}

const PARAGRAPH_STYLE = 1

function readStyle(style: Buffer, fixedBytes: number, isNew: boolean): RawStyle {
  const builtIn = style.readUInt16LE(0) & 0xfff
  const base = style.readUInt16LE(2)
  const own: Style = { headingLevel: null, list: null, listLevel: null }
  if (isNew && (base & 0xf) === PARAGRAPH_STYLE) readOwnProperties(style, fixedBytes, own)
  if (builtIn >= 1 && builtIn <= LAST_HEADING) own.headingLevel = builtIn
  else if (builtIn === TITLE) own.headingLevel = 1
  return { kind: base & 0xf, basedOn: base >> 4, own }
}

/** The name (its length, its letters, a zero) stands before the properties. */
function readOwnProperties(style: Buffer, fixedBytes: number, own: Style): void {
  if (fixedBytes + 2 > style.length) return
  let at = fixedBytes + 2 + style.readUInt16LE(fixedBytes) * 2 + 2
  at += at % 2
  if (at + 2 > style.length) return
  const length = style.readUInt16LE(at)
  readChanges(style.subarray(at + 4, at + 2 + length), (code, operand) => {
    if (code === CHANGES.list) own.list = operand
    else if (code === CHANGES.listLevel) own.listLevel = operand
    else if (code === CHANGES.outlineLevel && operand < LAST_HEADING) own.headingLevel = operand + 1
  })
}

const MAX_ANCESTORS = 20

function resolve(style: RawStyle, styles: readonly (RawStyle | null)[]): Style {
  const resolved = { ...style.own }
  let base = styles[style.basedOn]
  for (let steps = 0; steps < MAX_ANCESTORS && base !== null && base !== undefined; steps += 1) {
    resolved.headingLevel ??= base.own.headingLevel
    resolved.list ??= base.own.list
    resolved.listLevel ??= base.own.listLevel
    base = base.basedOn === NONE ? null : styles[base.basedOn]
  }
  return resolved
}
