import { createHash } from 'node:crypto'
import { createTextHash, hashText } from '../../engine/similarity/text-hash.ts'
import { invalidArchive, MEND_FIRST } from './archive-format.ts'
import type { ArchivedChunk, ArchivedDocument, Head, Manifest } from './archive-schemas.ts'
import { readArchive } from './read-archive.ts'

/** What a sound archive says of itself, and what has to be known before it is written. */
export type CheckedArchive = {
  head: Head
  manifest: Manifest
  /** Numbers of documents that do not count. */
  dropped: ReadonlySet<number>
  /**
   * Of those that count: numbers of documents of which something was missing or wrong where the
   * archive was made.
   */
  incomplete: ReadonlySet<number>
  /** How many chunks those documents have of which some are missing. */
  chunkCounts: ReadonlyMap<number, number>
  /** What the documents that count take of a plan. */
  storageBytes: number
  /** Of everything, unpacked. */
  totalBytes: number
}

/**
 * Reads an archive to its end and writes nothing: every hash, every form, and that all belongs
 * together. Rejects with `invalid_archive` that says what is wrong, and with the signal's reason.
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

/**
 * Reads a text, which has to be UTF-8 without NUL; how many UTF-16 code units it has, and its hash.
 */
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

/** Reads what nobody wants to its end, so that what stands behind it can be read. */
export async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}

/**
 * Rejects with `invalid_archive` where a file does not begin as an archive that is known here; what
 * comes after is not looked at.
 */
export async function requireArchive(path: string): Promise<void> {
  for await (const { kind } of readArchive(path)) if (kind === 'head') return
}

/** Holds the parts of an archive to their order, and to what its documents say they have. */
type ArchiveOrder = {
  addDocuments(part: number, documents: readonly ArchivedDocument[]): void
  /** A text or an original that was read to its end. */
  addObject(object: ReadObject): void
  addChunks(part: number, given: { chunks: readonly ArchivedChunk[]; dimensions: number }): void
  /** What came together. Throws where a document that counts lacks something. */
  finish(manifest: { dropped: ReadonlySet<number>; incomplete: ReadonlySet<number> }): Summary
}

/** What was read: `text` is `null` of an original. */
type ReadObject = {
  kind: 'texts' | 'originals'
  document: number
  bytes: number
  text: ReadText | null
  sha256: string
}

/** The UTF-16 code units of a text, and the hash of its normal form. */
type ReadText = { characters: number; hash: string }

type Summary = {
  counts: { documents: number; corrections: number; chunks: number }
  chunkCounts: Map<number, number>
  storageBytes: number
  dimensions: number
}

type Known = {
  isCorrection: boolean
  /** In place of the name itself, which may be long: a hash of it. */
  externalIdHash: string | null
  storageBytes: number
  chunks: number
  /** One behind the last chunk. */
  nextIndex: number
  wantedChunks: number
  wantsText: boolean
  text: { characters: number; hash: string | null }
  original: { bytes: number; hash: string | null }
  wantedOriginalBytes: number | null
  /**
   * What is there and is not what was added; refused where the archive does not say itself that
   * something is wrong with the document.
   */
  damage: string | null
}

/** An order of nothing yet. All methods throw `invalid_archive`. */
function createArchiveOrder(): ArchiveOrder {
  const known = new Map<number, Known>()
  let open: ReadonlySet<number> = new Set()
  const parts = { documents: 0, chunks: 0 }
  let dimensions = 0

  /** A document of the part that is being read. */
  function requireOpen(number: number): Known {
    const document = open.has(number) ? known.get(number) : undefined
    if (document === undefined) throw invalidArchive(`Something is not in the part of its document ${number}.`)
    return document
  }

  return {
    addDocuments(part, documents) {
      parts.documents += 1
      if (part !== parts.documents) throw invalidArchive('The parts of the archive are not in order.')
      for (const document of documents) {
        if (document.number !== known.size + 1) throw invalidArchive('The documents of the archive are not in order.')
        known.set(document.number, toKnown(document))
      }
      open = new Set(documents.map(({ number }) => number))
    },
    addObject({ kind, document: number, bytes, text, sha256 }) {
      const document = requireOpen(number)
      const isWanted = kind === 'texts' ? document.wantsText : document.wantedOriginalBytes === bytes
      if (!isWanted) throw invalidArchive(`Document ${number} says nothing of one of its entries in ${kind}.`)
      document.damage ??= text === null ? compareOriginal(document, sha256) : compareText(document, text)
      if (kind === 'texts') document.wantsText = false
      else document.wantedOriginalBytes = null
      document.storageBytes += bytes
    },
    addChunks(part, given) {
      parts.chunks += 1
      if (part !== parts.chunks) throw invalidArchive('The parts of the archive are not in order.')
      if (dimensions !== 0 && dimensions !== given.dimensions) throw invalidArchive('The vectors have two lengths.')
      dimensions = given.dimensions
      for (const chunk of given.chunks) countChunk(requireOpen(chunk.document), chunk)
    },
    finish(manifest) {
      const kept = [...known].filter(([number]) => !manifest.dropped.has(number))
      for (const [number, document] of kept) requireWhole(number, document, manifest.incomplete)
      requireOneOfEach(kept.map(([, { externalIdHash }]) => externalIdHash))
      const corrections = kept.filter(([, { isCorrection }]) => isCorrection).length
      const sum = (bytesOrChunks: (document: Known) => number) =>
        kept.reduce((total, [, document]) => total + bytesOrChunks(document), 0)
      return {
        counts: { documents: kept.length - corrections, corrections, chunks: sum(({ chunks }) => chunks) },
        chunkCounts: new Map(
          kept.filter(([, one]) => one.chunks !== one.wantedChunks).map(([n, one]) => [n, one.chunks]),
        ),
        storageBytes: sum(({ storageBytes }) => storageBytes),
        dimensions,
      }
    },
  }
}

function toKnown(document: ArchivedDocument): Known {
  const { externalId, text, characterCount, contentHash, chunkCount, originalBytes, originalHash } = document
  if ((document.sourceType === 'correction') !== (document.correction !== null)) {
    throw invalidArchive(`Document ${document.number} is not wholly a correction.`)
  }
  const known: Known = {
    isCorrection: document.correction !== null,
    externalIdHash: externalId === null ? null : createHash('sha256').update(externalId).digest('base64'),
    storageBytes: text === null ? 0 : Buffer.byteLength(text),
    chunks: 0,
    nextIndex: 0,
    wantedChunks: chunkCount,
    wantsText: text === null,
    text: { characters: characterCount, hash: contentHash },
    original: { bytes: document.sizeBytes, hash: originalHash ?? null },
    wantedOriginalBytes: originalBytes,
    damage: null,
  }
  if (text !== null) known.damage = compareText(known, { characters: text.length, hash: hashText(text) })
  return known
}

function compareText({ text }: Known, { characters, hash }: ReadText): string | null {
  if (characters !== text.characters) return 'Its text has another length than the document says.'
  return text.hash === null || text.hash === hash ? null : 'Its text has another hash than the document says.'
}

function compareOriginal({ original, wantedOriginalBytes }: Known, sha256: string): string | null {
  if (wantedOriginalBytes !== original.bytes) return 'Its original has another size than the document says.'
  return original.hash === null || original.hash === sha256
    ? null
    : 'Its original has another SHA-256 than the document says.'
}

function countChunk(document: Known, { index, document: number, startOffset, endOffset }: ArchivedChunk): void {
  // Of a document that was deleted while it was written some may be missing, but none comes twice.
  if (index < document.nextIndex || index >= document.wantedChunks || endOffset < startOffset) {
    throw invalidArchive(`A chunk of document ${number} is not one of those that it says it has.`)
  }
  document.chunks += 1
  document.nextIndex = index + 1
}

function requireWhole(number: number, document: Known, incomplete: ReadonlySet<number>): void {
  const { chunks, wantedChunks, wantsText, wantedOriginalBytes, damage } = document
  if (incomplete.has(number)) return
  const isWhole = chunks === wantedChunks && !wantsText && wantedOriginalBytes === null
  if (!isWhole) throw invalidArchive(`Something of document ${number} is missing.`)
  if (damage !== null) throw invalidArchive(`Document ${number} is not what was added. ${damage}`, MEND_FIRST)
}

function requireOneOfEach(hashes: readonly (string | null)[]): void {
  const given = hashes.filter((hash) => hash !== null)
  if (new Set(given).size !== given.length) throw invalidArchive('Two documents of the archive have one externalId.')
}
