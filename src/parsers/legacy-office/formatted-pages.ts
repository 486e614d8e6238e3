import type { Region } from './word-header.ts'

/** Properties of a run of the file, as Word packs them. */
export type FormattedRun = { at: number; end: number; properties: Buffer }

const PAGE_BYTES = 512
const MAX_RUNS = 2_000_000

/** How the pages of one kind and version are laid out. */
export type PageLayout = {
  /** Bytes of a page number in the list of pages. */
  numberBytes: 2 | 4
  /** Bytes for each run after the list of their places, the first of which is half the offset of its properties. */
  entryBytes: number
  /** How the properties say their length. */
  length: 'bytes' | 'words' | 'words-97'
}

/**
 * The runs of characters or paragraphs that have properties of their own: a list of pages of 512 bytes (MS-DOC 2.8.5 and 2.8.6), each
 * with its runs (2.9.33 and 2.9.54). Damaged pages are left out. Sorted by place.
 */
export function listFormattedRuns(text: Buffer, tables: Buffer, region: Region, layout: PageLayout): FormattedRun[] {
  const list = tables.subarray(region.at, region.at + region.bytes)
  const count = Math.floor((list.length - 4) / (4 + layout.numberBytes))
  const seen = new Set<number>()
  const runs: FormattedRun[] = []
  for (let index = 0; index < count && runs.length < MAX_RUNS; index += 1) {
    const at = (count + 1) * 4 + index * layout.numberBytes
    const page = (layout.numberBytes === 2 ? list.readUInt16LE(at) : list.readUInt32LE(at)) & 0x3fffff
    if (seen.has(page)) continue
    seen.add(page)
    const bytes = text.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
    if (bytes.length === PAGE_BYTES) runs.push(...readPage(bytes, layout))
  }
  return runs.sort((a, b) => a.at - b.at)
}

function readPage(page: Buffer, layout: PageLayout): FormattedRun[] {
  const count = page[PAGE_BYTES - 1] ?? 0
  if ((count + 1) * 4 + count * layout.entryBytes >= PAGE_BYTES) return []
  const runs: FormattedRun[] = []
  for (let index = 0; index < count; index += 1) {
    const offset = (page[(count + 1) * 4 + index * layout.entryBytes] ?? 0) * 2
    runs.push({
      at: page.readUInt32LE(index * 4),
      end: page.readUInt32LE((index + 1) * 4),
      properties: offset === 0 ? Buffer.alloc(0) : readProperties(page, offset, layout.length),
    })
  }
  return runs
}

function readProperties(page: Buffer, offset: number, length: PageLayout['length']): Buffer {
  const first = page[offset] ?? 0
  if (length === 'bytes') return page.subarray(offset + 1, offset + 1 + first)
  if (length === 'words') return page.subarray(offset + 1, offset + 1 + first * 2)
  // Since Word 97 an odd number of bytes, or, after a 0, an even one.
  if (first > 0) return page.subarray(offset + 1, offset + first * 2)
  return page.subarray(offset + 2, offset + 2 + (page[offset + 1] ?? 0) * 2)
}

/** The run that holds the place; `null` when none does. */
export function findRun(runs: readonly FormattedRun[], place: number): FormattedRun | null {
  let low = 0
  let high = runs.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const run = runs[middle]
    if (run === undefined) return null
    if (place < run.at) high = middle - 1
    else if (place >= run.end) low = middle + 1
    else return run
  }
  return null
}
