import type { ErrorBody } from '../client/accounts.ts'
import type { AcceptedDocuments, AddedDocuments, RecognizedImage } from '../client/answers.ts'
import { toRecollectError } from '../client/client-errors.ts'
import { apiKey, checkKey, isLost } from './session.ts'

/** A form with a file, on its way. */
type FormRequest = {
  path: string
  form: FormData
  /** The same for every attempt, so that it is done once. */
  idempotencyKey: string
  onProgress: (share: number) => void
}

/**
 * Posts a form, telling how much of it has gone, 0 to 1: `fetch` says nothing of the bytes that are sent, so this goes another way. Rejects with the
 * service's error, or one that says that no answer came.
 */
export function sendForm<Answer>({ path, form, idempotencyKey, onProgress }: FormRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open('POST', path)
    const key = apiKey.value ?? ''
    if (key !== '') sending.setRequestHeader('authorization', `Bearer ${key}`)
    sending.setRequestHeader('idempotency-key', idempotencyKey)
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    sending.onload = () => {
      checkKey(sending.status, key)
      const answer = parse(sending.responseText)
      if (sending.status < 300 && answer !== null) resolve(answer as Answer)
      else reject(toError(sending.status, answer))
    }
    sending.onerror = () => reject(lost())
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
  return body?.error === undefined ? lost() : toRecollectError(status, body.error)
}

function lost(): Error {
  isLost.value = true
  return new Error(
    'The connection was lost before the answer came. Send it again: what has arrived is not added twice.',
  )
}

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

/** Gives the bytes of an answer to the person under this name. A link cannot carry the key, so they are read first. */
export async function saveAnswer(answer: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
