import type { ErrorBody } from '../client/accounts.ts'
import type { AcceptedDocuments, AddedDocuments, RecognizedImage } from '../client/answers.ts'
import { toRecollectError } from '../client/client-errors.ts'
import { apiKey, checkKey, isLost } from './session.ts'

/** Form upload with a file. */
type FormRequest = {
  path: string
  form: FormData
  /** Idempotency key, the same for every attempt. */
  idempotencyKey: string
  onProgress: (share: number) => void
}

/**
 * Posts a form and reports upload progress from 0 to 1, which `fetch` cannot do. Rejects with the
 * service's error, or with a connection error.
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
  return new Error('The connection was lost before the response arrived. Try again; nothing is added twice.')
}

/** Upload of a file to a memory. */
type FileRequest = Omit<FormRequest, 'path' | 'form'> & { memoryId: string; file: File }

/** Response to a file: added, recognized, or accepted as a job. */
export type FileAnswer = AddedDocuments | RecognizedImage | AcceptedDocuments

/** Images use the OCR endpoint. */
const PICTURE = /\.(png|jpe?g|webp|gif|tiff?|bmp)$/i

/** Sends a file and stores its original; see `sendForm`. */
export function sendFile({ memoryId, file, ...request }: FileRequest): Promise<FileAnswer> {
  const form = new FormData()
  form.append('options', JSON.stringify({ storeSource: true }))
  form.append('file', file)
  const door = PICTURE.test(file.name) ? 'ocr' : 'documents'
  return sendForm({ path: `/v1/memories/${encodeURIComponent(memoryId)}/${door}`, form, ...request })
}

/** Saves the content of a response as a file. A plain link could not send the key. */
export async function saveAnswer(answer: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
