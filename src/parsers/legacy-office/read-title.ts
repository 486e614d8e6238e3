import iconv from 'iconv-lite'
import type { CompoundFile } from './compound-file.ts'

/** The stream of the properties that all programs know. MS-OLEPS 2.24. */
const SUMMARY = '\u0005SummaryInformation'
/** Thumbnails stand in it too. */
const MAX_SUMMARY_BYTES = 16 * 1024 * 1024
/** Numbers of properties: MS-OLEPS 2.18 and 2.25.1. */
const CODE_PAGE = 1
const TITLE = 2
/** Types of values: MS-OLEPS 2.15. */
const SHORT_NUMBER = 0x02
const NARROW_STRING = 0x1e
const WIDE_STRING = 0x1f
/** Where the head says that the first set of properties begins. */
const FIRST_SET_AT = 44
const MAX_PROPERTIES = 1000
const UTF16_CODE_PAGE = 1200

/** What the properties of a file say it is called, as it is written there; `null` when nothing that can be read. */
export async function readTitle(container: CompoundFile): Promise<string | null> {
  const stream = container.getStream(SUMMARY)
  if (stream === null || stream.parent !== 0 || stream.bytes > MAX_SUMMARY_BYTES) return null
  try {
    return titleIn(await container.read(stream, MAX_SUMMARY_BYTES))
  } catch (error) {
    // What is cut off or makes no sense here costs nothing of the text.
    if (error instanceof RangeError) return null
    throw error
  }
}

function titleIn(bytes: Buffer): string | null {
  const set = bytes.subarray(bytes.readUInt32LE(FIRST_SET_AT))
  const count = Math.min(set.readUInt32LE(4), MAX_PROPERTIES)
  const values = new Map<number, Buffer>()
  for (let index = 0; index < count; index++) {
    const entry = 8 + index * 8
    values.set(set.readUInt32LE(entry), set.subarray(set.readUInt32LE(entry + 4)))
  }
  const value = values.get(TITLE)
  if (value === undefined) return null
  const kind = value.readUInt16LE(0)
  const length = value.readUInt32LE(4)
  if (kind === WIDE_STRING) return withoutEnd(value.toString('utf16le', 8, 8 + length * 2))
  if (kind !== NARROW_STRING) return null
  return withoutEnd(iconv.decode(value.subarray(8, 8 + length), encodingOf(values.get(CODE_PAGE))))
}

function encodingOf(value: Buffer | undefined): string {
  const codePage = value?.readUInt16LE(0) === SHORT_NUMBER ? value.readUInt16LE(4) : 0
  if (codePage === UTF16_CODE_PAGE) return 'utf16-le'
  if (codePage === 65_001) return 'utf-8'
  return iconv.encodingExists(`cp${codePage}`) ? `cp${codePage}` : 'windows-1252'
}

function withoutEnd(text: string): string {
  return text.replace(/\0.*$/s, '')
}
