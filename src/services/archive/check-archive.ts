import { createHash } from 'node:crypto'
import { createTextHash, hashText } from '../../engine/similarity/text-hash.ts'
import { invalidArchive, REPAIR_FIRST_REMEDY } from './archive-format.ts'
import type { ArchivedChunk, ArchivedDocument, ArchiveHead, Manifest } from './archive-schemas.ts'
import { readArchive } from './read-archive.ts'

/** Result of checking an archive, with the facts needed before writing. */
export type CheckedArchive = {
  head: ArchiveHead
  manifest: Manifest
  /** Numbers of documents to ignore. */
  dropped: ReadonlySet<number>
  /** Numbers of kept documents that were incomplete or damaged when exported. */
  incomplete: ReadonlySet<number>
  /** Actual number of chunks of documents with missing chunks. */
  chunkCounts: ReadonlyMap<number, number>
  /** Storage of the kept documents that counts against the plan. */
  storageBytes: number
  /** Total size, unpacked. */
  totalBytes: number
}

/**
 * Reads the whole archive without writing anything, and checks hashes, schemas and structure.
 * Rejects with `invalid_archive` and the signal's reason.
 */
export async function checkArchive(path: string, signal: AbortSignal): Promise<CheckedArchive> {
  const order = createStructureCheck()
  let head: ArchiveHead | null = null
  let manifest: Manifest | null = null
  for await (const event of readArchive(path)) {
    signal.throwIfAborted()
    if (event.kind === 'head') head = event.head
    else if (event.kind === 'manifest') manifest = event.manifest
    else if (event.kind === 'documents') order.addDocuments(event.part, event.documents)
    else if (event.kind === 'chunks') order.addChunks(event.part, event)
    else {
      const text = event.kind === 'texts' ? await readText(event.content) : null
      if (text === null) await discardContent(event.content)
      order.addObject({ ...event, text, sha256: event.sha256() })
    }
  }
  if (head === null || manifest === null) throw invalidArchive('The archive has no manifest.')
  return compare(head, manifest, order)
}

function compare(head: ArchiveHead, manifest: Manifest, order: StructureCheck): CheckedArchive {
  const dropped = new Set(manifest.dropped)
  const incomplete = new Set(manifest.incomplete.filter((number) => !dropped.has(number)))
  const summary = order.finish({ dropped, incomplete })
  const { documents, corrections, chunks } = manifest.counts
  const { counts } = summary
  if (counts.documents !== documents || counts.corrections !== corrections || counts.chunks !== chunks) {
    throw invalidArchive('The number of documents or chunks differs from the manifest.')
  }
  if (head.embedder?.model !== manifest.embedder?.model)
    throw invalidArchive('memory.json and manifest.json name different embedding models.')
  if (chunks > 0 && (manifest.embedder === null || manifest.embedder.dimensions !== summary.dimensions)) {
    throw invalidArchive('The vector length differs from the manifest.')
  }
  const totalBytes = manifest.entries.reduce((total, { bytes }) => total + bytes, 0)
  const { chunkCounts, storageBytes } = summary
  return { head, manifest, dropped, incomplete, chunkCounts, storageBytes, totalBytes }
}

/** Reads a text, which must be UTF-8 without NUL; returns its UTF-16 length and hash. */
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
      if (piece.includes(0)) throw invalidArchive('A text in the archive contains a NUL character.')
      add(decoder.decode(piece, { stream: true }))
    }
    add(decoder.decode())
    return { characters, hash: hash.digest() }
  } catch (error) {
    if (error instanceof TypeError) throw invalidArchive('A text in the archive is not valid UTF-8.')
    throw error
  }
}

/** Reads content to the end, so that the next entry can be read. */
export async function discardContent(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}

/**
 * Rejects with `invalid_archive` when a file does not start as a known archive; later entries are
 * not read.
 */
export async function requireArchive(path: string): Promise<void> {
  for await (const { kind } of readArchive(path)) if (kind === 'head') return
}

/** Checks the order of the parts, and each part against its documents. */
type StructureCheck = {
  addDocuments(part: number, documents: readonly ArchivedDocument[]): void
  /** A text or original, read to the end. */
  addObject(object: ReadObject): void
  addChunks(part: number, given: { chunks: readonly ArchivedChunk[]; dimensions: number }): void
  /** Returns the totals. Throws when a kept document is incomplete. */
  finish(manifest: { dropped: ReadonlySet<number>; incomplete: ReadonlySet<number> }): Summary
}

/** `text` is `null` for an original. */
type ReadObject = {
  kind: 'texts' | 'originals'
  document: number
  bytes: number
  text: ReadText | null
  sha256: string
}

/** UTF-16 length of a text, and hash of the normalized text. */
type ReadText = { characters: number; hash: string }

type Summary = {
  counts: { documents: number; corrections: number; chunks: number }
  chunkCounts: Map<number, number>
  storageBytes: number
  dimensions: number
}

type ExpectedDocument = {
  isCorrection: boolean
  /** A hash instead of the id itself, which may be long. */
  externalIdHash: string | null
  storageBytes: number
  chunks: number
  /** Index after the last chunk. */
  nextIndex: number
  wantedChunks: number
  wantsText: boolean
  text: { characters: number; hash: string | null }
  original: { bytes: number; hash: string | null }
  wantedOriginalBytes: number | null
  /**
   * Content that differs from what was added; rejected unless the manifest lists the document as
   * incomplete.
   */
  damage: string | null
}

/** All methods throw `invalid_archive`. */
function createStructureCheck(): StructureCheck {
  const known = new Map<number, ExpectedDocument>()
  let open: ReadonlySet<number> = new Set()
  const parts = { documents: 0, chunks: 0 }
  let dimensions = 0

  /** Returns a document of the current part. */
  function requireOpen(number: number): ExpectedDocument {
    const document = open.has(number) ? known.get(number) : undefined
    if (document === undefined)
      throw invalidArchive(`An entry of document ${number} is outside the part of the document.`)
    return document
  }

  return {
    addDocuments(part, documents) {
      parts.documents += 1
      if (part !== parts.documents) throw invalidArchive('The parts of the archive are not in order.')
      for (const document of documents) {
        if (document.number !== known.size + 1) throw invalidArchive('The documents of the archive are not in order.')
        known.set(document.number, toExpected(document))
      }
      open = new Set(documents.map(({ number }) => number))
    },
    addObject({ kind, document: number, bytes, text, sha256 }) {
      const document = requireOpen(number)
      const isWanted = kind === 'texts' ? document.wantsText : document.wantedOriginalBytes === bytes
      if (!isWanted) throw invalidArchive(`Document ${number} has an unexpected entry in ${kind}.`)
      document.damage ??= text === null ? compareOriginal(document, sha256) : compareText(document, text)
      if (kind === 'texts') document.wantsText = false
      else document.wantedOriginalBytes = null
      document.storageBytes += bytes
    },
    addChunks(part, given) {
      parts.chunks += 1
      if (part !== parts.chunks) throw invalidArchive('The parts of the archive are not in order.')
      if (dimensions !== 0 && dimensions !== given.dimensions)
        throw invalidArchive('The vectors have different lengths.')
      dimensions = given.dimensions
      for (const chunk of given.chunks) countChunk(requireOpen(chunk.document), chunk)
    },
    finish(manifest) {
      const kept = [...known].filter(([number]) => !manifest.dropped.has(number))
      for (const [number, document] of kept) requireComplete(number, document, manifest.incomplete)
      requireUniqueExternalIds(kept.map(([, { externalIdHash }]) => externalIdHash))
      const corrections = kept.filter(([, { isCorrection }]) => isCorrection).length
      const sum = (bytesOrChunks: (document: ExpectedDocument) => number) =>
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

function toExpected(document: ArchivedDocument): ExpectedDocument {
  const { externalId, text, characterCount, contentHash, chunkCount, originalBytes, originalHash } = document
  if ((document.sourceType === 'correction') !== (document.correction !== null)) {
    throw invalidArchive(`Document ${document.number} has an inconsistent sourceType and correction.`)
  }
  const known: ExpectedDocument = {
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

function compareText({ text }: ExpectedDocument, { characters, hash }: ReadText): string | null {
  if (characters !== text.characters) return 'The length of the text differs from the document record.'
  return text.hash === null || text.hash === hash ? null : 'The hash of the text differs from the document record.'
}

function compareOriginal({ original, wantedOriginalBytes }: ExpectedDocument, sha256: string): string | null {
  if (wantedOriginalBytes !== original.bytes) return 'The size of the original differs from the document record.'
  return original.hash === null || original.hash === sha256
    ? null
    : 'The SHA-256 of the original differs from the document record.'
}

function countChunk(
  document: ExpectedDocument,
  { index, document: number, startOffset, endOffset }: ArchivedChunk,
): void {
  // A document deleted during the export may lack chunks, but no chunk occurs twice.
  if (index < document.nextIndex || index >= document.wantedChunks || endOffset < startOffset) {
    throw invalidArchive(`A chunk of document ${number} is duplicated or out of range.`)
  }
  document.chunks += 1
  document.nextIndex = index + 1
}

function requireComplete(number: number, document: ExpectedDocument, incomplete: ReadonlySet<number>): void {
  const { chunks, wantedChunks, wantsText, wantedOriginalBytes, damage } = document
  if (incomplete.has(number)) return
  const isWhole = chunks === wantedChunks && !wantsText && wantedOriginalBytes === null
  if (!isWhole) throw invalidArchive(`Parts of document ${number} are missing.`)
  if (damage !== null) throw invalidArchive(`Document ${number} is damaged. ${damage}`, REPAIR_FIRST_REMEDY)
}

function requireUniqueExternalIds(hashes: readonly (string | null)[]): void {
  const given = hashes.filter((hash) => hash !== null)
  if (new Set(given).size !== given.length) throw invalidArchive('Two documents have the same externalId.')
}
