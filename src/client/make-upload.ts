import { randomName } from './send-request.ts'

/** File to send: a path (Node only), its content, or a stream. */
export type Upload =
  | { path: string; name?: string }
  | { content: Blob | Uint8Array | ArrayBuffer | string; name: string; type?: string }
  | { stream: ReadableStream<Uint8Array>; name: string; type?: string }

/** Body type of `fetch`. */
type RequestBody = NonNullable<RequestInit['body']>

/** Body and headers of a request that sends a file. */
export type UploadBody = {
  headers: Readonly<Record<string, string>>
  /**
   * Creates a new body for each attempt. Rejects with the file system's error if the file can no
   * longer be read.
   */
  makeBody: () => RequestBody | Promise<RequestBody>
  /** False for a stream, because a stream can only be read once. */
  repeatable: boolean
}

/**
 * Creates the multipart body of a file and its options. Files and streams are sent piece by piece,
 * never held in memory. Rejects with the file system's error for an unreadable path.
 */
export async function makeUpload(upload: Upload, fields: Readonly<Record<string, string>>): Promise<UploadBody> {
  if ('stream' in upload) return makeStreamUpload(upload, fields)
  const opened = await toBlob(upload)
  const makeBody = async () => {
    // The file may have changed before a retry, and the old Blob would then fail.
    const { blob, name } = 'path' in upload ? await toBlob(upload) : opened
    const form = new FormData()
    // Fields first: the service reads in order and needs the options before the file.
    for (const [field, value] of Object.entries(fields)) form.append(field, value)
    form.append('file', blob, name)
    return form
  }
  return { headers: {}, makeBody, repeatable: true }
}

async function toBlob(upload: Exclude<Upload, { stream: unknown }>): Promise<{ blob: Blob; name: string }> {
  if ('content' in upload) {
    const { content, name, type } = upload
    const blob =
      content instanceof Blob
        ? content
        : new Blob([content as Uint8Array<ArrayBuffer>], type === undefined ? {} : { type })
    return { blob, name }
  }
  // A variable name hides the import from browser bundlers.
  const fileSystem = 'node:fs'
  const { openAsBlob, promises } = (await import(fileSystem)) as FileSystem
  const name = upload.name ?? upload.path.split(/[\\/]/).at(-1) ?? 'file'
  await readFirstByte(upload.path, promises)
  // Node 18 has no openAsBlob, and holds the file in memory.
  const blob = await (openAsBlob?.(upload.path) ?? promises.readFile(upload.path).then((read) => new Blob([read])))
  return { blob, name }
}

/** Used part of `node:fs`. */
type FileSystem = {
  openAsBlob?(path: string): Promise<Blob>
  promises: {
    readFile(path: string): Promise<Uint8Array<ArrayBuffer>>
    open(path: string): Promise<{ read(into: Uint8Array): Promise<unknown>; close(): Promise<void> }>
  }
}

/**
 * `openAsBlob` also accepts a directory or an unreadable file. Node 24 then ends the process when
 * fetch reads the Blob.
 */
async function readFirstByte(path: string, { open }: FileSystem['promises']): Promise<void> {
  const file = await open(path)
  try {
    await file.read(new Uint8Array(1))
  } finally {
    await file.close()
  }
}

function makeStreamUpload(
  { stream, name, type }: Extract<Upload, { stream: unknown }>,
  fields: Readonly<Record<string, string>>,
): UploadBody {
  const boundary = `recollect-${randomName()}`
  const encode = (text: string) => new TextEncoder().encode(text)
  const head = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const file =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${escapeName(name)}"\r\n` +
    `content-type: ${type ?? 'application/octet-stream'}\r\n\r\n`
  const body = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(encode(head.join('') + file)),
    flush: (controller) => controller.enqueue(encode(`\r\n--${boundary}--\r\n`)),
  })
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    makeBody: () => stream.pipeThrough(body),
    repeatable: false,
  }
}

/** Escapes like browsers (HTML Standard, multipart/form-data encoding algorithm). */
function escapeName(name: string): string {
  return name.replace(/[\r\n"]/g, (character) => ({ '\r': '%0D', '\n': '%0A', '"': '%22' })[character] ?? '')
}
