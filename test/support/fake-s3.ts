/**
 * An in-memory S3 server with the features used by the store probe. Unlike real stores, this server
 * can ignore or refuse conditions, refuse keys, and report received headers. Signatures are not
 * checked.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** The reaction to `If-None-Match: *` for an existing object. */
export type Conditions = 'honoured' | 'ignored' | 'unknown'

/** A running store. */
export type FakeS3 = {
  endpoint: string
  /** By the whole path, the bucket first. */
  objects: Map<string, Buffer>
  /** All requests that read or list. */
  read: { path: string; headers: IncomingHttpHeaders }[]
  /** All requests that wrote an object. */
  written: { path: string; headers: IncomingHttpHeaders }[]
  /** Answers every later request with this refusal; `null` restores normal answers. */
  refuse(refusal: { status: number; code: string } | null): void
  /** Moves the server clock ahead by so many milliseconds. */
  setClock(aheadMs: number): void
  close(): Promise<void>
}

/** Starts a store on loopback; every bucket is there, and empty. */
export async function startFakeS3(conditions: Conditions): Promise<FakeS3> {
  const objects = new Map<string, Buffer>()
  const written: FakeS3['written'] = []
  const reads: FakeS3['read'] = []
  let refusal: { status: number; code: string } | null = null
  let aheadMs = 0

  async function put(request: IncomingMessage, path: string, response: ServerResponse): Promise<void> {
    const content = await buffer(request)
    written.push({ path, headers: request.headers })
    const isConditional = request.headers['if-none-match'] !== undefined
    if (isConditional && conditions === 'unknown') return refuseWith(response, { status: 501, code: 'NotImplemented' })
    if (isConditional && conditions === 'honoured' && objects.has(path))
      return refuseWith(response, { status: 412, code: 'PreconditionFailed' })
    objects.set(path, content)
    response.writeHead(200, { etag: '"1"' }).end()
  }

  function list(url: URL, bucket: string, response: ServerResponse): void {
    const prefix = `${bucket}/${url.searchParams.get('prefix') ?? ''}`
    const keys = [...objects.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(bucket.length + 1))
    const contents = keys.map((key) => describe(key, objects.get(`${bucket}/${key}`))).join('')
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`)
  }

  async function removeMany(request: IncomingMessage, bucket: string, response: ServerResponse): Promise<void> {
    const body = (await buffer(request)).toString('utf8')
    for (const [, key] of body.matchAll(/<Key>(.*?)<\/Key>/g)) objects.delete(`${bucket}/${key}`)
    response.writeHead(200, { 'content-type': 'application/xml' }).end('<DeleteResult></DeleteResult>')
  }

  function read(path: string, response: ServerResponse): void {
    const content = objects.get(path)
    if (content === undefined) refuseWith(response, { status: 404, code: 'NoSuchKey' })
    else response.writeHead(200, { 'content-length': content.length, etag: tagOf(content) }).end(content)
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const path = url.pathname.slice(1)
    const [bucket = ''] = path.split('/')
    if (request.method === 'GET') reads.push({ path: request.url ?? '', headers: request.headers })
    response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString())
    if (refusal !== null) refuseWith(response, refusal)
    else if (request.method === 'PUT') await put(request, path, response)
    else if (request.method === 'POST') await removeMany(request, bucket, response)
    else if (url.searchParams.has('list-type')) list(url, bucket, response)
    else read(path, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    objects,
    read: reads,
    written,
    refuse(next) {
      refusal = next
    },
    setClock(nextMs) {
      aheadMs = nextMs
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function refuseWith(response: ServerResponse, { status, code }: { status: number; code: string }): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<Error><Code>${code}</Code><Message>refused</Message></Error>`)
}

function describe(key: string, content: Buffer = Buffer.alloc(0)): string {
  const { length } = content
  return `<Contents><Key>${key}</Key><Size>${length}</Size><ETag>${tagOf(content)}</ETag></Contents>`
}

function tagOf(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`
}
