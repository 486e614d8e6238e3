import type { Blobs } from '../../../objects/blobs.ts'
import { isSliceOf, openTextSlices, type TextSlices } from '../../documents/text-slices.ts'
import type { ArchivedChunk, ArchivedDocument } from '../archive-schemas.ts'
import { invalidArchive, MEND_FIRST } from '../invalid-archive.ts'

/** A document whose chunks are compared; `textKey` names the object of its text, `null` where it stands in the document or is missing. */
export type ComparedDocument = { document: Pick<ArchivedDocument, 'number' | 'text'>; textKey: string | null }

/** Holds chunks to the texts that they are slices of. */
export type ChunkComparison = {
  /** Compares chunks as they come; those of documents that `find` does not give, or whose text is missing, are left out. Throws `invalid_archive`. */
  compare(chunks: readonly ArchivedChunk[], find: (number: number) => ComparedDocument | null): Promise<void>
  /** Lets go of the text that was read last. */
  close(): void
}

/**
 * A comparison of the chunks of one archive. A text that is an object is read once, some hundred thousand characters at a time; that none goes back to a document
 * before holds an archive to that.
 */
export function createChunkComparison(blobs: Pick<Blobs, 'get'>): ChunkComparison {
  const begun = new Set<number>()
  let reading: { number: number; text: TextSlices | null } | null = null

  function close(): void {
    reading?.text?.close()
    reading = null
  }

  async function begin(number: number, { document, textKey }: ComparedDocument): Promise<TextSlices | null> {
    close()
    if (begun.has(number)) throw invalidArchive(`The chunks of document ${number} do not stand together.`)
    begun.add(number)
    return openTextSlices(blobs, { inline: document.text, key: textKey })
  }

  return {
    async compare(chunks, find) {
      for (const { document: number, ...chunk } of chunks) {
        const compared = find(number)
        if (compared === null) continue
        if (reading?.number !== number) reading = { number, text: await begin(number, compared) }
        if (reading.text === null || (await isSliceOf(reading.text, chunk))) continue
        throw invalidArchive(`A chunk of document ${number} says other than the text at its place.`, MEND_FIRST)
      }
    },
    close,
  }
}
