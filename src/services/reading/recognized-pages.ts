import { buffer } from 'node:stream/consumers'
import type { Blobs } from '../../objects/blobs.ts'
import { documentObject } from '../document-folder.ts'
import type { RecognizedPage, RecognizedPages } from './recognition.ts'

/**
 * Recognised pages of a document as objects `…/recognized/<page>`, so that a job that was interrupted, or is taken up again, recognises only
 * what it has not. They are removed with the document, and when it is whole.
 */
export function createRecognizedPages(
  blobs: Pick<Blobs, 'get' | 'put'>,
  { memoryId, documentId }: { memoryId: string; documentId: string },
): RecognizedPages {
  const keyOf = (page: number) => documentObject(memoryId, documentId, `recognized/${page}`)
  return {
    async get(page) {
      const content = await blobs.get(keyOf(page))
      return content === null ? null : (JSON.parse((await buffer(content)).toString()) as RecognizedPage)
    },
    async put(page, recognized) {
      await blobs.put(keyOf(page), Buffer.from(JSON.stringify(recognized)))
    },
  }
}
