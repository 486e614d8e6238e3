/**
 * Lookup of the parts of a PowerPoint file (MS-PPT 2.1.2). Each save appends an edit with the
 * offsets of the changed parts. The newest offset of a part wins.
 */

import { passwordProtected, unreadable } from '../parse-event.ts'
import type { CompoundFile } from './compound-file.ts'
import {
  decodeTextRecord,
  findRecord,
  listRecords,
  type OutlineText,
  type PptRecord,
  RECORD_TYPES,
  readRecord,
} from './ppt-record.ts'

/** A slide, in slide-show order. */
export type SlideEntry = {
  record: PptRecord
  /** Texts of the placeholders, stored apart from the slide record. */
  outline: readonly OutlineText[]
}

/** An opened presentation. */
export type Presentation = {
  document: PptRecord
  /** In slide-show order. */
  slides: readonly SlideEntry[]
  /** Masters by id. */
  masters: ReadonlyMap<number, PptRecord>
  /** The part with the given number; `null` when absent. */
  getPart(id: number): PptRecord | null
  /** The notes page with the given id; `null` when absent. */
  getNotes(id: number): PptRecord | null
  /** True when the file ends before the stream does. */
  isTruncated: boolean
}

const ENCRYPTED_TOKEN = 0xf3d1c4df
const CURRENT_EDIT_OFFSET = 16
const MAX_EDITS = 10_000
const SLIDE_LIST = 0
const MASTER_LIST = 1
const NOTES_LIST = 2

const MAX_STREAM_BYTES = 100 * 1024 * 1024

/**
 * Opens the presentation in a compound file, or in a storage of the file. Throws
 * `unprocessable_document` when unreadable.
 */
export async function openPresentation(container: CompoundFile, at?: number): Promise<Presentation> {
  const storage = findDualStorage(container, at) ?? at
  const stream = container.getStream('PowerPoint Document', storage)
  if (stream === null) {
    if (container.getStream('PP40') === null) throw unreadable('The Office file contains no presentation.')
    throw unreadable('PowerPoint 95 and earlier are not supported. Save the presentation as PPTX.')
  }
  const currentUser = container.getStream('Current User', storage)
  const user = currentUser === null ? Buffer.alloc(0) : await container.read(currentUser, MAX_STREAM_BYTES)
  const bytes = await container.read(stream, MAX_STREAM_BYTES)
  return { ...findParts(bytes, user), isTruncated: bytes.length < stream.bytes }
}

/**
 * Returns the storage with the presentation of PowerPoint 97 in a file saved as "95 & 97"; `null`
 * in other files.
 */
function findDualStorage({ entries }: CompoundFile, at = 0): number | null {
  const index = entries.findIndex(
    ({ name, isStream, parent }) => name === 'PP97_DUALSTORAGE' && !isStream && parent === at,
  )
  return index > 0 ? index : null
}

/**
 * Finds the parts. `currentUser` is the stream of the same name, empty when absent. Throws
 * `unprocessable_document` when the file is encrypted or has no document part.
 */
function findParts(stream: Buffer, currentUser: Buffer): Omit<Presentation, 'isTruncated'> {
  if (currentUser.length >= 20 && currentUser.readUInt32LE(12) === ENCRYPTED_TOKEN) throw passwordProtected()
  const { places, documentId } = readEdits(stream, currentUser)
  const getPart = (id: number): PptRecord | null => readRecord(stream, places.get(id) ?? -1)
  const document = asDocument(getPart(documentId)) ?? findRecord(stream, RECORD_TYPES.document)
  if (document === null) throw unreadable('The PowerPoint file is damaged: its document is missing.')
  const lists = [...listRecords(document.body)].filter(({ type }) => type === RECORD_TYPES.slideList)
  const notes = new Map(listSlideEntries(lists, NOTES_LIST).map(({ slideId, persistId }) => [slideId, persistId]))
  const slides = listSlides(listSlideEntries(lists, SLIDE_LIST), getPart)
  return {
    document,
    slides: slides.length > 0 ? slides : scanForSlides(stream),
    masters: listMasters(listSlideEntries(lists, MASTER_LIST), getPart),
    getPart,
    getNotes(id) {
      const part = getPart(notes.get(id) ?? -1)
      return part?.type === RECORD_TYPES.notes ? part : null
    },
  }
}

function listSlideEntries(lists: readonly PptRecord[], instance: number): ListEntry[] {
  return lists.filter((list) => list.instance === instance).flatMap((list) => parseSlideList(list.body))
}

/** Duplicate entries for a slide are damage; the last wins. */
function listSlides(entries: readonly ListEntry[], getPart: Presentation['getPart']): SlideEntry[] {
  const shown = new Map(entries.map((entry) => [entry.persistId, entry]))
  return [...shown.values()].flatMap(({ persistId, outline }) => {
    const record = getPart(persistId)
    return record?.type === RECORD_TYPES.slide ? [{ record, outline }] : []
  })
}

function listMasters(entries: readonly ListEntry[], getPart: Presentation['getPart']): ReadonlyMap<number, PptRecord> {
  const masters = new Map<number, PptRecord>()
  for (const { slideId, persistId } of entries) {
    const record = getPart(persistId)
    if (record?.type === RECORD_TYPES.mainMaster || record?.type === RECORD_TYPES.slide) masters.set(slideId, record)
  }
  return masters
}

function asDocument(record: PptRecord | null): PptRecord | null {
  return record?.type === RECORD_TYPES.document ? record : null
}

/** Finds slides by scanning the stream, for files with a damaged slide list. */
function scanForSlides(stream: Buffer): SlideEntry[] {
  const slides: SlideEntry[] = []
  for (const record of listRecords(stream)) if (record.type === RECORD_TYPES.slide) slides.push({ record, outline: [] })
  return slides
}

function readEdits(stream: Buffer, currentUser: Buffer): { places: Map<number, number>; documentId: number } {
  const places = new Map<number, number>()
  const visited = new Set<number>()
  let documentId = -1
  let at =
    currentUser.length >= CURRENT_EDIT_OFFSET + 4 ? currentUser.readUInt32LE(CURRENT_EDIT_OFFSET) : findLastEdit(stream)
  if (readRecord(stream, at)?.type !== RECORD_TYPES.userEdit) at = findLastEdit(stream)
  while (!visited.has(at) && visited.size < MAX_EDITS) {
    visited.add(at)
    const edit = readRecord(stream, at)
    if (edit?.type !== RECORD_TYPES.userEdit || edit.body.length < 20) break
    // An encrypted file's edit has an extra field: the number of the decryption part.
    if (edit.body.length >= 32) throw passwordProtected()
    if (documentId < 0) documentId = edit.body.readUInt32LE(16)
    addOffsets(places, readRecord(stream, edit.body.readUInt32LE(12)))
    at = edit.body.readUInt32LE(8)
    if (at === 0) break
  }
  return { places, documentId }
}

/** Edits are appended, so the newest is last. */
function findLastEdit(stream: Buffer): number {
  let at = 0
  let last = -1
  for (const record of listRecords(stream)) {
    if (record.type === RECORD_TYPES.userEdit) last = at
    at += 8 + record.body.length
  }
  return last
}

/**
 * Each run holds the first part number (20 bits) and a count (12 bits), followed by the offsets.
 * MS-PPT 2.3.5.
 */
function addOffsets(places: Map<number, number>, directory: PptRecord | null): void {
  if (directory?.type !== RECORD_TYPES.persistDirectory) return
  const { body } = directory
  let at = 0
  while (at + 4 <= body.length) {
    const run = body.readUInt32LE(at)
    const first = run & 0xfffff
    at += 4
    for (let index = 0; index < run >>> 20 && at + 4 <= body.length; index += 1, at += 4) {
      if (!places.has(first + index)) places.set(first + index, body.readUInt32LE(at))
    }
  }
}

type ListEntry = { persistId: number; slideId: number; outline: OutlineText[] }

function parseSlideList(list: Buffer): ListEntry[] {
  const entries: ListEntry[] = []
  let kind = 4
  for (const { type, body } of listRecords(list)) {
    const entry = entries.at(-1)
    if (type === RECORD_TYPES.slidePersist && body.length >= 16) {
      entries.push({ persistId: body.readUInt32LE(0), slideId: body.readUInt32LE(12), outline: [] })
    } else if (type === RECORD_TYPES.textHeader && body.length >= 4) {
      kind = body.readUInt32LE(0)
      entry?.outline.push({ kind, text: '' })
    } else {
      const text = decodeTextRecord(type, body)
      const last = entry?.outline.at(-1)
      if (text !== null && last !== undefined) last.text += text
    }
  }
  return entries
}
