import type { AcceptedDocuments, AddedDocuments, RecognizedImage } from '../client/answers.ts'
import { errorOf } from '../client/client-errors.ts'
import type { ErrorBody, IngestOptions } from '../client/resources.ts'
import { isLost } from './connection.ts'

/** A file on its way. `fetch` says nothing of the bytes that are sent, so this is the one request that goes another way. */
export type FileRequest = {
  memoryId: string
  file: File
  options: IngestOptions
  apiKey: string
  /** The same for every attempt, so that the file is added once. */
  idempotencyKey: string
  onProgress: (share: number) => void
}

/** What the service says of a file: added, recognised, or taken on as a job. */
export type FileAnswer = AddedDocuments | RecognizedImage | AcceptedDocuments

/** Pictures have a door of their own, since their text has to be recognised. */
const PICTURE = /\.(png|jpe?g|webp|gif|tiff?|bmp)$/i

/** Sends a file, telling how much of it has gone, 0 to 1. Rejects with the service's error, or one that says that no answer came. */
export function sendFile(request: FileRequest): Promise<FileAnswer> {
  const { memoryId, file, options, apiKey, idempotencyKey, onProgress } = request
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    const door = PICTURE.test(file.name) ? 'ocr' : 'documents'
    sending.open('POST', `/v1/memories/${encodeURIComponent(memoryId)}/${door}`)
    if (apiKey !== '') sending.setRequestHeader('authorization', `Bearer ${apiKey}`)
    sending.setRequestHeader('idempotency-key', idempotencyKey)
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    sending.onload = () => {
      const answer = parse(sending.responseText)
      if (sending.status < 300 && answer !== null) resolve(answer as FileAnswer)
      else reject(toError(sending.status, answer))
    }
    sending.onerror = () => reject(lost())
    const form = new FormData()
    form.append('options', JSON.stringify(options))
    form.append('file', file)
    sending.send(form)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function toError(status: number, answer: unknown): Error {
  const body = answer as Partial<ErrorBody> | null
  return body?.error === undefined ? lost() : errorOf(status, body.error)
}

function lost(): Error {
  isLost.value = true
  return new Error(
    'The connection was lost before the answer came. Send it again: what has arrived is not added twice.',
  )
}
