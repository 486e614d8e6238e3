import type { StoredDocument } from '../../../database/documents/archive.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Blobs } from '../../../objects/blobs.ts'
import { documentObject } from '../../document-folder.ts'
import { isSliceOf, openTextSlices, type TextSlices } from '../../documents/text-slices.ts'

/** Holds what is exported to what was added, so that the archive says of which documents something is wrong already. */
export type ExportComparison = {
  /** Compares a chunk with its text; those of one document come together. */
  compare(row: ChunkRow): Promise<void>
  /** Compares the last of the texts with its hash. */
  finish(): Promise<void>
}

/** A comparison of the chunks of these documents; `note` hears, once or more, of each that is not whole. A text of any size takes the same room. */
export function createExportComparison(
  blobs: Pick<Blobs, 'get'>,
  find: (documentId: string) => StoredDocument | undefined,
  note: (documentId: string) => void,
): ExportComparison {
  let reading: { document: StoredDocument; text: TextSlices } | null = null
  let documentId = ''

  async function begin(): Promise<void> {
    const document = find(documentId)
    if (document === undefined) return
    const key = documentObject(document.memory_id, documentId, 'text')
    const text = await openTextSlices(blobs, { inline: document.content, key })
    if (text !== null) reading = { document, text }
  }

  async function finish(): Promise<void> {
    if (reading === null) return
    const { document, text } = reading
    reading = null
    const { characters, hash } = await text.finish()
    const isAsAdded = document.content_hash === null || document.content_hash === hash
    if (characters !== document.character_count || !isAsAdded) note(document.id)
  }

  return {
    async compare(row) {
      if (row.documentId !== documentId) {
        await finish()
        documentId = row.documentId
        await begin()
      }
      if (reading !== null && !(await isSliceOf(reading.text, row))) note(documentId)
    },
    finish,
  }
}
