import type { AcceptedDocuments, AddedDocuments } from '../client/answers.ts'
import { errorOf } from '../client/client-errors.ts'
import type { ErrorBody, IngestOptions } from '../client/resources.ts'

/** A file on its way. `fetch` says nothing of the bytes that are sent, so this is the one request that goes another way. */
export type FileRequest = {
  memoryId: string
  file: File
  options: IngestOptions
  apiKey: string
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** Sends a file, telling how much of it has gone, 0 to 1. Rejects with the service's error, or one that says that no answer came. */
export function sendFile(request: FileRequest): Promise<AddedDocuments | AcceptedDocuments> {
  const { memoryId, file, options, apiKey, onProgress, signal } = request
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open('POST', `/v1/memories/${encodeURIComponent(memoryId)}/documents`)
    if (apiKey !== '') sending.setRequestHeader('authorization', `Bearer ${apiKey}`)
    sending.setRequestHeader('idempotency-key', crypto.randomUUID())
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    sending.onload = () => {
      const answer = parse(sending.responseText)
      if (sending.status < 300 && answer !== null) resolve(answer as AddedDocuments | AcceptedDocuments)
      else reject(toError(sending.status, answer))
    }
    sending.onerror = () => reject(lost())
    sending.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => sending.abort(), { once: true })
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
  return new Error('The connection was lost. Nothing of the file was kept; send it again when the service is back.')
}
