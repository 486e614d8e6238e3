import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../../src/ids.ts'
import {
  createLanceMemoryFile,
  type LanceMemoryFile,
  type LanceOptions,
} from '../../../src/memory-file/lance-memory-file.ts'
import type { ChunkRow, FoundChunk, MemoryFile, StoredChunk } from '../../../src/memory-file/memory-file.ts'
import type { Log } from '../../../src/observability/log.ts'

/** Few dimensions keep the tests fast. */
export const DIMENSIONS = 8

/** A log that discards everything. */
export const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A found chunk with its content. */
type ReadChunk = StoredChunk & Pick<FoundChunk, 'score'>

/** A memory file whose searches also read the content of hits. */
type ReadingMemoryFile = Omit<LanceMemoryFile, 'searchLexical' | 'searchVector'> & {
  searchLexical(...search: Parameters<MemoryFile['searchLexical']>): Promise<ReadChunk[]>
  searchVector(...search: Parameters<MemoryFile['searchVector']>): Promise<ReadChunk[]>
  /** The same without reading. */
  found: Pick<MemoryFile, 'searchLexical' | 'searchVector'>
}

/**
 * The objects of a test. `reopen` opens a second instance on the same or another folder, closed
 * with the first.
 */
export type Given = {
  file: ReadingMemoryFile
  directory: string
  reopen(folder?: string): Promise<ReadingMemoryFile>
}

/** Runs `work` with a memory file in a temporary folder. */
export async function withMemoryFile(
  work: (given: Given) => Promise<void>,
  options: Partial<LanceOptions> = {},
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'memory-file-'))
  const opened: ReadingMemoryFile[] = []
  const open = async (folder = directory) => {
    const file = withReads(
      await createLanceMemoryFile({ directory: folder, log: SILENT, ...options }),
      options.indexBytes !== undefined,
    )
    opened.push(file)
    return file
  }
  try {
    await work({ file: await open(), directory, reopen: open })
  } finally {
    for (const file of opened) await file.close()
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Same, with in-memory indexes: each search waits for the index. */
const withIndexedMemoryFile: typeof withMemoryFile = (work, options = {}) =>
  withMemoryFile(work, { indexBytes: INDEX_BYTES, ...options })

/** Budget of the tests for in-memory indexes. */
export const INDEX_BYTES = 1024 ** 3

/** Both ways to search, for tests of what they have in common. */
export const SEARCHES = [
  { by: 'Lance', withMemoryFile },
  { by: 'in-memory indexes', withMemoryFile: withIndexedMemoryFile },
] as const

/** The same searches, after the index that a first one starts to build. */
function afterIndexing(file: LanceMemoryFile): Pick<MemoryFile, 'searchLexical' | 'searchVector'> {
  return {
    async searchLexical(...search) {
      await file.searchLexical(...search)
      await file.indexesBuilt()
      return file.searchLexical(...search)
    },
    async searchVector(...search) {
      await file.searchVector(...search)
      await file.indexesBuilt()
      return file.searchVector(...search)
    },
  }
}

function withReads(file: LanceMemoryFile, isIndexed: boolean): ReadingMemoryFile {
  const found = isIndexed ? { ...file, ...afterIndexing(file) } : file
  const read = async (memoryId: string, found: readonly FoundChunk[]) => {
    const chunks = await file.readRows(memoryId, found)
    return found.flatMap(({ score }, i) => {
      const chunk = chunks[i]
      return chunk ? [{ ...chunk, score }] : []
    })
  }
  return {
    ...file,
    found,
    searchLexical: async (memoryId, ...search) => read(memoryId, await found.searchLexical(memoryId, ...search)),
    searchVector: async (memoryId, ...search) => read(memoryId, await found.searchVector(memoryId, ...search)),
  }
}

/** A chunk of a separate document with fields replaced by `over`; its text is its terms. */
export function chunk(over: Partial<ChunkRow>): ChunkRow {
  return {
    documentId: newId('doc'),
    chunkIndex: 0,
    kind: 'document',
    text: over.terms ?? 'word',
    terms: 'word',
    vector: unit(0),
    windows: Buffer.alloc(0),
    startOffset: 0,
    endOffset: 6,
    page: null,
    pageEnd: null,
    section: null,
    header: null,
    labels: [],
    ...over,
  }
}

/** The vector of length 1 along an axis. */
export function unit(axis: number): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  vector[axis] = 1
  return vector
}

/** The texts of the found chunks in order; texts from `chunk` are their terms. */
export function terms(found: readonly StoredChunk[]): string[] {
  return found.map((chunk) => chunk.text)
}
