import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../../src/ids.ts'
import type { Log } from '../../../src/log.ts'
import { createLanceMemoryFile, type LanceOptions } from '../../../src/memory-file/lance-memory-file.ts'
import type { ChunkRow, FoundChunk, MemoryFile } from '../../../src/memory-file/memory-file.ts'

/** Small, so that the tests are quick. */
export const DIMENSIONS = 8

/** A log that keeps nothing. */
export const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** What a test works with. `reopen` makes a second instance on the same folder, closed with the first. */
export type Given = { file: MemoryFile; directory: string; reopen(): Promise<MemoryFile> }

/** Runs `work` with a memory file in a fresh folder that is removed afterwards. */
export async function withMemoryFile(
  work: (given: Given) => Promise<void>,
  options: Partial<LanceOptions> = {},
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'memory-file-'))
  const opened: MemoryFile[] = []
  const open = async () => {
    const file = await createLanceMemoryFile({ directory, log: SILENT, ...options })
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

/** A chunk of a document of its own, with `over` in place of what is usual; its text is its terms. */
export function chunk(over: Partial<ChunkRow>): ChunkRow {
  return {
    documentId: newId('doc'),
    chunkIndex: 0,
    kind: 'document',
    text: over.terms ?? 'word',
    terms: 'word',
    vector: unit(0),
    windows: new Int8Array(0),
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

/** The texts of what was found, in its order: those of `chunk` are their terms. */
export function terms(found: readonly FoundChunk[]): string[] {
  return found.map((chunk) => chunk.text)
}
