import type { ErrorBody } from '../client/accounts.ts'
import { errorOf } from '../client/client-errors.ts'
import { isLost } from './connection.ts'
import { apiKey, checkKey } from './session.ts'

/** A form with a file, on its way. */
export type FormRequest = {
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
  return body?.error === undefined ? lost() : errorOf(status, body.error)
}

function lost(): Error {
  isLost.value = true
  return new Error(
    'The connection was lost before the answer came. Send it again: what has arrived is not added twice.',
  )
}
