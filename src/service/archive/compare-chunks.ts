import type { Blobs } from '../../blobs/blobs.ts'
import { readTextSlices, type TextSlices } from '../doctor/text-slices.ts'
import type { ArchivedChunk, ArchivedDocument } from './archive-schemas.ts'
import { invalidArchive } from './invalid-archive.ts'

/** A document whose chunks are compared; `textKey` names the object of its text, `null` where it stands in the document or is missing. */
export type ComparedDocument = { document: Pick<ArchivedDocument, 'number' | 'text'>; textKey: string | null }

/** Holds chunks to the texts that they are slices of. */
export type ChunkComparison = {
  /** Compares chunks as they come; those of documents that `find` does not give, or whose text is missing, are left out. Throws `invalid_archive`. */
  compare(chunks: readonly ArchivedChunk[], find: (number: number) => ComparedDocument | null): Promise<void>
  /** Lets go of the text that was read last. */
  close(): void
}

/** A comparison of the chunks of one archive. A text that is an object is read once, some hundred thousand characters at a time. */
export function createChunkComparison(blobs: Pick<Blobs, 'get'>): ChunkComparison {
  let reading: { number: number; text: TextSlices | null } | null = null

  function close(): void {
    reading?.text?.close()
    reading = null
  }

  async function open(number: number, textKey: string | null): Promise<TextSlices | null> {
    if (reading?.number !== number) {
      close()
      const content = textKey === null ? null : await blobs.get(textKey)
      reading = { number, text: content === null ? null : readTextSlices(content) }
    }
    return reading.text
  }

  return {
    async compare(chunks, find) {
      for (const { document: number, startOffset, endOffset, text } of chunks) {
        const compared = find(number)
        if (compared === null) continue
        // Before anything is read by it: who says otherwise would have a whole text held in memory.
        if (endOffset - startOffset !== text.length) throw differs(number)
        const whole = compared.document.text
        const slices = whole === null ? await open(number, compared.textKey) : null
        if (whole === null && slices === null) continue
        // `null` where a chunk goes far back in the text: none of ours does, and reading again for each would never end.
        const words = whole?.slice(startOffset, endOffset) ?? (await slices?.slice(startOffset, endOffset))
        if (words !== text) throw differs(number)
      }
    },
    close,
  }
}

function differs(number: number): Error {
  return invalidArchive(
    `A chunk of document ${number} says other than the text at its place.`,
    'Verify the memory where the archive was made, mend it with recollect doctor --storage --fix, and export it again.',
  )
}
