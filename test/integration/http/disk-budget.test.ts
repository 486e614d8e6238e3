import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MEMORY_ID, ORGANIZATION_CALLER, ORGANIZATION_KEY } from './fake-services.ts'
import { startServer } from './running-server.ts'

const MB = 1024 * 1024
const DISK_BYTES = 8 * MB
const FILE_BYTES = 768 * 1024
const UPLOADS = 40
const OTHER_KEY = 'rcl_other'
const OTHER_CALLER = { ...ORGANIZATION_CALLER, organizationId: 'org_2', keyId: 'key_3' }

const begin = (path: string, type: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\nContent-Type: ${type}\r\nContent-Length: 9999999\r\n\r\n${body}`
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
const UNFINISHED = {
  'a document': begin(`/v1/memories/${MEMORY_ID}/documents`, 'multipart/form-data; boundary=b', part),
  'an archive': begin('/v1/memories/import', 'multipart/form-data; boundary=b', part),
  'a picture as base64': begin(`/v1/memories/${MEMORY_ID}/ocr`, 'application/json', '{"imageBase64":"'),
}

/** A disk with only these files. */
async function freeBytes(directory: string): Promise<number> {
  const names = await readdir(directory)
  const sizes = names.map(async (name) => (await stat(join(directory, name)).catch(() => ({ size: 0 }))).size)
  return (await Promise.all(sizes)).reduce((free, size) => free - size, DISK_BYTES)
}

for (const [kind, head] of Object.entries(UNFINISHED)) {
  test(`unfinished uploads of one key over its disk share are 429, and others are accepted: ${kind}`, {
    timeout: 60_000,
  }, async (t) => {
    const temporaryDirectory = await mkdtemp(join(tmpdir(), 'recollect-disk-'))
    t.after(() => rm(temporaryDirectory, { recursive: true }))
    const server = await startServer(t, { freeBytes, temporaryDirectory })
    const { authenticate } = server.services.keys
    server.services.keys.authenticate = async (key, ...given) =>
      key === OTHER_KEY ? OTHER_CALLER : authenticate(key, ...given)

    const answers = new Map<Socket, string>()
    const sockets = Array.from({ length: UPLOADS }, () => connect(server.port, '127.0.0.1'))
    t.after(() => sockets.forEach((socket) => void socket.destroy()))
    for (const socket of sockets) {
      socket.on('error', () => undefined)
      socket.once('data', (data) => answers.set(socket, String(data)))
      socket.write(head + 'A'.repeat(FILE_BYTES))
    }
    // More than half of the disk is never taken, beside the oldest upload.
    const least = UPLOADS - 1 - Math.floor(DISK_BYTES / 2 / (FILE_BYTES * 0.75))
    while (answers.size < least) await nextTurn()
    for (const answer of answers.values()) assert.match(answer, /^HTTP\/1\.1 429 .*"code":"rate_limited".*disk space/is)
    assert.ok((await freeBytes(temporaryDirectory)) >= 3 * MB, `${await freeBytes(temporaryDirectory)} bytes are free`)

    const body = () => {
      const form = new FormData()
      form.append('file', new Blob(['x'.repeat(MB)]), 'a.txt')
      return form
    }
    const path = `/v1/memories/${MEMORY_ID}/documents`
    const headers = { authorization: `Bearer ${OTHER_KEY}` }
    const others = await Promise.all([1, 2].map(() => server.send('POST', path, { headers, body: body() })))
    assert.deepEqual(
      others.map(({ status }) => status),
      [200, 200],
    )

    for (const socket of sockets) socket.destroy()
    while ((await readdir(temporaryDirectory)).length > 0) await nextTurn()
    // Together more than the disk holds: each request returns its share.
    for (let round = 0; round < 4; round += 1) {
      const again = await Promise.all([1, 2, 3].map(() => server.send('POST', path, { body: body() })))
      for (const { status } of again) assert.equal(status, 200)
    }
    assert.deepEqual(await readdir(temporaryDirectory), [])
  })
}
