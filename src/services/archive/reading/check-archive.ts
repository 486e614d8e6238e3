import { createTextHash } from '../../../engine/similarity/text-hash.ts'
import type { Head, Manifest } from '../archive-schemas.ts'
import { invalidArchive } from '../invalid-archive.ts'
import { type ArchiveOrder, createArchiveOrder } from './archive-order.ts'
import { drain } from './drain.ts'
import { readArchive } from './read-archive.ts'

/** What a sound archive says of itself, and what has to be known before it is written. */
export type CheckedArchive = {
  head: Head
  manifest: Manifest
  /** Numbers of documents that do not count. */
  dropped: ReadonlySet<number>
  /** Of those that count: numbers of documents of which something was missing or wrong where the archive was made. */
  incomplete: ReadonlySet<number>
  /** How many chunks those documents have of which some are missing. */
  chunkCounts: ReadonlyMap<number, number>
  /** What the documents that count take of a plan. */
  storageBytes: number
  /** Of everything, unpacked. */
  totalBytes: number
}

/**
 * Reads an archive to its end and writes nothing: every hash, every form, and that all belongs together. Rejects with
 * `invalid_archive` that says what is wrong, and with the signal's reason.
 */
export async function checkArchive(path: string, signal: AbortSignal): Promise<CheckedArchive> {
  const order = createArchiveOrder()
  let head: Head | null = null
  let manifest: Manifest | null = null
  for await (const event of readArchive(path)) {
    signal.throwIfAborted()
    if (event.kind === 'head') head = event.head
    else if (event.kind === 'manifest') manifest = event.manifest
    else if (event.kind === 'documents') order.addDocuments(event.part, event.documents)
    else if (event.kind === 'chunks') order.addChunks(event.part, event)
    else {
      const text = event.kind === 'texts' ? await readText(event.content) : null
      if (text === null) await drain(event.content)
      order.addObject({ ...event, text, sha256: event.sha256() })
    }
  }
  if (head === null || manifest === null) throw invalidArchive('The archive has no manifest.')
  return compare(head, manifest, order)
}

function compare(head: Head, manifest: Manifest, order: ArchiveOrder): CheckedArchive {
  const dropped = new Set(manifest.dropped)
  const incomplete = new Set(manifest.incomplete.filter((number) => !dropped.has(number)))
  const summary = order.finish({ dropped, incomplete })
  const { documents, corrections, chunks } = manifest.counts
  const { counts } = summary
  if (counts.documents !== documents || counts.corrections !== corrections || counts.chunks !== chunks) {
    throw invalidArchive('The archive has another number of documents or chunks than its manifest says.')
  }
  if (head.embedder?.model !== manifest.embedder?.model) throw invalidArchive('The archive names two embedding models.')
  if (chunks > 0 && (manifest.embedder === null || manifest.embedder.dimensions !== summary.dimensions)) {
    throw invalidArchive('The vectors of the archive have another length than its manifest says.')
  }
  const totalBytes = manifest.entries.reduce((total, { bytes }) => total + bytes, 0)
  const { chunkCounts, storageBytes } = summary
  return { head, manifest, dropped, incomplete, chunkCounts, storageBytes, totalBytes }
}

/** Reads a text, which has to be UTF-8 without NUL; how many UTF-16 code units it has, and its hash. */
async function readText(content: AsyncIterable<Buffer>): Promise<{ characters: number; hash: string }> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const hash = createTextHash()
  let characters = 0
  const add = (piece: string) => {
    characters += piece.length
    hash.add(piece)
  }
  try {
    for await (const piece of content) {
      if (piece.includes(0)) throw invalidArchive('A text of the archive has a NUL character.')
      add(decoder.decode(piece, { stream: true }))
    }
    add(decoder.decode())
    return { characters, hash: hash.digest() }
  } catch (error) {
    if (error instanceof TypeError) throw invalidArchive('A text of the archive is not UTF-8.')
    throw error
  }
}
