import type { AcceptedDocuments, AddedDocuments, RecognizedImage } from '../client/answers.ts'
import { type FormRequest, sendForm } from './send-form.ts'

/** A file on its way to a memory. */
type FileRequest = Omit<FormRequest, 'path' | 'form'> & { memoryId: string; file: File }

/** What the service says of a file: added, recognised, or taken on as a job. */
export type FileAnswer = AddedDocuments | RecognizedImage | AcceptedDocuments

/** Pictures have a door of their own, since their text has to be recognised. */
const PICTURE = /\.(png|jpe?g|webp|gif|tiff?|bmp)$/i

/** Sends a file, its original to be kept, as `sendForm` does. */
export function sendFile({ memoryId, file, ...request }: FileRequest): Promise<FileAnswer> {
  const form = new FormData()
  form.append('options', JSON.stringify({ storeSource: true }))
  form.append('file', file)
  const door = PICTURE.test(file.name) ? 'ocr' : 'documents'
  return sendForm({ path: `/v1/memories/${encodeURIComponent(memoryId)}/${door}`, form, ...request })
}
