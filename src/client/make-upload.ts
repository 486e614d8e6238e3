import { randomName } from './send-request.ts'

/** A file to send: where it lies (Node only), its bytes, or a stream of them. */
export type Upload =
  | { path: string; name?: string }
  | { content: Blob | Uint8Array | ArrayBuffer | string; name: string; type?: string }
  | { stream: ReadableStream<Uint8Array>; name: string; type?: string }

/** What `fetch` takes as a body. */
type RequestBody = NonNullable<RequestInit['body']>

/** The body of a request that sends a file, with the headers it needs. */
export type UploadBody = {
  headers: Readonly<Record<string, string>>
  /** A new one for every attempt. Rejects with the file system's error for a file that cannot be read any more. */
  makeBody: () => RequestBody | Promise<RequestBody>
  /** False for a stream, which can be read once. */
  repeatable: boolean
}

/**
 * The multipart body of a file and its options. A path is read from the disk as it is sent, a stream as it comes: neither
 * stands in memory whole. Rejects with the file system's error for a path that cannot be read.
 */
export async function makeUpload(upload: Upload, fields: Readonly<Record<string, string>>): Promise<UploadBody> {
  if ('stream' in upload) return streamed(upload, fields)
  const opened = await toBlob(upload)
  const makeBody = async () => {
    // A file may have changed while a repeat was waited for, and what was opened before the change is not read.
    const { blob, name } = 'path' in upload ? await toBlob(upload) : opened
    const form = new FormData()
    // Fields first: the service reads in order, and then knows what to do with the file as it arrives.
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
  // Named by a variable, so that bundlers for browsers leave it alone.
  const fileSystem = 'node:fs'
  const { openAsBlob, promises } = (await import(fileSystem)) as FileSystem
  const name = upload.name ?? upload.path.split(/[\\/]/).at(-1) ?? 'file'
  await readFirstByte(upload.path, promises)
  return { blob: await openAsBlob(upload.path), name }
}

/** What is used of `node:fs`. */
type FileSystem = {
  openAsBlob(path: string): Promise<Blob>
  promises: { open(path: string): Promise<{ read(into: Uint8Array): Promise<unknown>; close(): Promise<void> }> }
}

/** A folder, or a file of another user, becomes a Blob all the same, and Node 24 ends the whole process when its fetch cannot read that. */
async function readFirstByte(path: string, { open }: FileSystem['promises']): Promise<void> {
  const file = await open(path)
  try {
    await file.read(new Uint8Array(1))
  } finally {
    await file.close()
  }
}

function streamed(
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

/** As browsers write it (HTML Standard, multipart/form-data encoding algorithm). */
function escapeName(name: string): string {
  return name.replace(/[\r\n"]/g, (character) => ({ '\r': '%0D', '\n': '%0A', '"': '%22' })[character] ?? '')
}
