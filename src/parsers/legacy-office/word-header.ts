/**
 * The header of a Word file (FIB) with the offsets of all other structures: MS-DOC 2.5 for Word 97
 * to 2003.
 *
 * Word 6, 95 and 2 store the same fields in the same order at other offsets. A structure is found
 * by its index in the list of MS-DOC 2.5.6.
 */
import { passwordProtected, unreadable } from '../parse-event.ts'

/** Location of a structure in the table stream. */
export type Region = { offset: number; bytes: number }

/** Indexes of the structures read here. MS-DOC 2.5.6, counted from 0. */
export const REGIONS = { styles: 1, characters: 12, paragraphs: 13, pieces: 33, lists: 73, listOverrides: 74 } as const

/** The parsed header. */
export type WordHeader = {
  /** `97`: Word 97 to 2003; `6`: Word 6 and 95; `2`: Word 2. */
  version: 97 | 6 | 2
  /** Name of the table stream; `null` when the text stream holds the tables. */
  tableStream: '0Table' | '1Table' | null
  /** Bounds of text stored without a piece table. */
  textStart: number
  textEnd: number
  /** Length of each story in characters. Stories are consecutive. */
  stories: Readonly<Record<Story, number>>
  /** True for Word 6 for Macintosh, whose text has the character set of the Mac. */
  isMac: boolean
  /** Windows language id; determines the code page of Word 95 and earlier. */
  language: number
  isComplex: boolean
  /** True for East Asian Word 95: two bytes per character. */
  isWide: boolean
  getRegion(number: number): Region
}

export type Story = 'body' | 'footnotes' | 'headers' | 'macros' | 'comments' | 'endnotes' | 'boxes' | 'headerBoxes'

const STORIES: readonly Story[] = [
  'body',
  'footnotes',
  'headers',
  'macros',
  'comments',
  'endnotes',
  'boxes',
  'headerBoxes',
]

const VERSIONS: ReadonlyMap<number, WordHeader['version']> = new Map([
  [0xa5ec, 97],
  [0xa5dc, 6],
  [0xa697, 6],
  [0xa698, 6],
  [0xa699, 6],
  [0xa5db, 2],
])

/** Offsets by version: the lengths of the stories, the region list and the size of its entries. */
const OFFSETS = {
  97: { stories: 0x4c, regions: 0x9a, regionBytes: 8 },
  6: { stories: 0x34, regions: 0x58, regionBytes: 8 },
  2: { stories: 0x34, regions: 0x58, regionBytes: 6 },
} as const

/** Field `chs`, MS-DOC 2.5.2: 0 is Windows, 256 is Macintosh. */
const CHARACTER_SET_AT = 0x14
const MAC_CHARACTER_SET = 256

/**
 * Parses the header. Throws `unprocessable_document` for an encrypted file or an unknown version.
 */
export function readWordHeader(stream: Buffer): WordHeader {
  const version = stream.length < 0x180 ? undefined : VERSIONS.get(stream.readUInt16LE(0))
  if (version === undefined) throw unreadable('The Word file has an unsupported version. Save it as DOCX.')
  const flags = stream.readUInt16LE(0x0a)
  if ((flags & 0x100) !== 0) throw passwordProtected()
  const places = OFFSETS[version]
  const lengths = STORIES.map((story, index) => [story, stream.readUInt32LE(places.stories + index * 4)] as const)
  return {
    version,
    tableStream: version !== 97 ? null : (flags & 0x200) === 0 ? '0Table' : '1Table',
    textStart: stream.readUInt32LE(0x18),
    textEnd: stream.readUInt32LE(0x1c),
    stories: Object.fromEntries(lengths) as Record<Story, number>,
    isMac: version === 6 && stream.readUInt16LE(CHARACTER_SET_AT) === MAC_CHARACTER_SET,
    language: stream.readUInt16LE(0x06),
    isComplex: (flags & 0x04) !== 0,
    isWide: version === 6 && (flags & 0x1000) !== 0,
    getRegion(number) {
      const at = places.regions + number * places.regionBytes
      if (at + 8 > stream.length) return { offset: 0, bytes: 0 }
      const bytes = version === 2 ? stream.readUInt16LE(at + 4) : stream.readUInt32LE(at + 4)
      return { offset: stream.readUInt32LE(at), bytes }
    },
  }
}
