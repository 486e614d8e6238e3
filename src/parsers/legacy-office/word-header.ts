/**
 * The head of a Word file (FIB), which says where everything else lies: MS-DOC 2.5 for Word 97 to 2003; Word 6, 95 and 2 keep the same
 * things in the same order at other places, each place found by its number in the list of MS-DOC 2.5.6.
 */
import { passwordProtected, unreadable } from '../parse-event.ts'

/** Where a structure lies, in the table stream. */
export type Region = { at: number; bytes: number }

/** The numbers of the structures that are read. MS-DOC 2.5.6, counted from 0. */
export const REGIONS = { styles: 1, characters: 12, paragraphs: 13, pieces: 33, lists: 73, listOverrides: 74 } as const

/** What the head says. */
export type WordHeader = {
  /** `97`: Word 97 to 2003; `6`: Word 6 and 95; `2`: Word 2. */
  version: 97 | 6 | 2
  /** The stream that holds the tables; `null`: the same that holds the text. */
  tableStream: '0Table' | '1Table' | null
  /** Where text begins and ends that is not in pieces. */
  textAt: number
  textEnd: number
  /** Characters of the stories, which follow each other. */
  stories: Readonly<Record<Story, number>>
  /** Windows language of the file, which tells the code page of Word 95 and before. */
  language: number
  isComplex: boolean
  /** Text of Word 95 for East Asia, two bytes a character. */
  isWide: boolean
  region(number: number): Region
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

/** Offsets by version: lengths of the stories, and the list of regions with the size of one of its members. */
const PLACES = {
  97: { stories: 0x4c, regions: 0x9a, regionBytes: 8 },
  6: { stories: 0x34, regions: 0x58, regionBytes: 8 },
  2: { stories: 0x34, regions: 0x58, regionBytes: 6 },
} as const

/** Reads the head. Throws `unprocessable_document` when the file is encrypted or is none of these versions. */
export function readWordHeader(stream: Buffer): WordHeader {
  const version = stream.length < 0x180 ? undefined : VERSIONS.get(stream.readUInt16LE(0))
  if (version === undefined) throw unreadable('The Word file is damaged, or of a version before Word 2.')
  const flags = stream.readUInt16LE(0x0a)
  if ((flags & 0x100) !== 0) throw passwordProtected()
  const places = PLACES[version]
  const lengths = STORIES.map((story, index) => [story, stream.readUInt32LE(places.stories + index * 4)] as const)
  return {
    version,
    tableStream: version !== 97 ? null : (flags & 0x200) === 0 ? '0Table' : '1Table',
    textAt: stream.readUInt32LE(0x18),
    textEnd: stream.readUInt32LE(0x1c),
    stories: Object.fromEntries(lengths) as Record<Story, number>,
    language: stream.readUInt16LE(0x06),
    isComplex: (flags & 0x04) !== 0,
    isWide: version === 6 && (flags & 0x1000) !== 0,
    region(number) {
      const at = places.regions + number * places.regionBytes
      if (at + 8 > stream.length) return { at: 0, bytes: 0 }
      const bytes = version === 2 ? stream.readUInt16LE(at + 4) : stream.readUInt32LE(at + 4)
      return { at: stream.readUInt32LE(at), bytes }
    },
  }
}
