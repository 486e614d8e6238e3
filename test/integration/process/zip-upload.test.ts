import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ArchiveMember } from '../../../src/api/job.ts'
import { assertError, assertStatus } from '../../spec/answer.ts'
import { createService } from '../../spec/service.ts'
import type { Accepted, Added, Job } from '../../spec/shapes.ts'
import {
  endOfJob,
  find,
  listDocuments,
  makeMemory,
  readDocument,
  readMemory,
  readText,
  upload,
} from '../../spec/steps.ts'
import { buildArchive } from '../../support/build-archive.ts'
import { buildDocx, wordParagraph } from '../../support/build-office.ts'
import { buildZip } from '../../support/build-zip.ts'
import { makeScannedPdf } from '../../support/sample-pictures.ts'

const PATIENCE_MS = 60_000
const TEXTS = Array.from(
  { length: 20 },
  (_, index) => `The keeper of lighthouse number ${index + 1} wrote this report.`,
)

type WithMembers = { members?: ArchiveMember[] }

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/zip')
  response.end(buildZip({ 'harbour.txt': 'The harbour master retired in June.' }))
})
const service = createService({
  RECOLLECT_URL_ALLOW_PRIVATE: '127.0.0.0/8',
  RECOLLECT_ZIP_MAX_MEMBERS: '30',
})

after(async () => {
  server.close()
  await service.dispose()
})

function bytesOf(archive: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(archive)
}

function byName(members: readonly ArchiveMember[] | undefined): Map<string, ArchiveMember> {
  return new Map(members?.map((member) => [member.filename, member]))
}

test('an archive is added over HTTP, from an upload and from a URL', async () => {
  await service.start()
  const memoryId = await makeMemory(service)
  const content = bytesOf(
    buildArchive([
      { name: '../plans/crane.docx', content: buildDocx(wordParagraph('A red crane lifted twelve containers.')) },
      { name: 'notes/pump.txt', content: 'The green pump moves forty litres.' },
      { name: '__MACOSX/notes/._pump.txt', content: 'x' },
      { name: 'photo.png', content: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1') },
    ]),
  )
  const file = { content, filename: 'documents.zip', options: { storeSource: true } }
  const answer = await upload<Added & WithMembers>(service, memoryId, file)
  assertStatus(answer, 200)
  const members = byName(answer.json.members)
  assert.deepEqual(
    [...members].map(([filename, { status }]) => [filename, status]),
    [
      ['plans/crane.docx', 'ready'],
      ['notes/pump.txt', 'ready'],
      ['__MACOSX/notes/._pump.txt', 'skipped'],
      ['photo.png', 'unsupported'],
    ],
  )
  const id = members.get('notes/pump.txt')?.documentId ?? ''
  assert.equal((await find(service, memoryId, 'forty litres')).hits[0]?.documentId, id)
  const source = await service.get(`/v1/memories/${memoryId}/documents/${id}/source`)
  assert.equal(source.text, 'The green pump moves forty litres.')
  assert.match(source.headers.get('content-disposition') ?? '', /filename="pump\.txt"/)

  const { port } = await new Promise<AddressInfo>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo)),
  )
  const url = `http://127.0.0.1:${port}/all.zip`
  const fetched = await service.post<Added & WithMembers>(`/v1/memories/${memoryId}/documents`, { url })
  assertStatus(fetched, 200)
  const harbour = await readDocument(service, memoryId, fetched.json.members?.[0]?.documentId ?? '')
  assert.deepEqual([harbour.filename, harbour.sourceType, harbour.url], ['harbour.txt', 'url', url])

  const many = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`${index}.txt`, 'x']))
  const refused = await upload(service, memoryId, { content: bytesOf(buildZip(many)), filename: 'many.zip' })
  assertError(refused, 422, 'unprocessable_document')
})

test('a service killed while it reads an archive adds each member once', async (context) => {
  if (!existsSync('/proc/self/stat')) return context.skip('needs the /proc of Linux')
  await service.restart()
  const memoryId = await makeMemory(service)
  const scans = Array.from({ length: 6 }, (_, index) => ({ scan: `Ledger of ship number ${index + 1}.` }))
  const texts = Object.fromEntries(TEXTS.map((text, index) => [`reports/${index + 1}.txt`, text]))
  const content = bytesOf(
    buildZip({ ...texts, 'ledger.pdf': Buffer.from(await makeScannedPdf(scans)), 'last.txt': 'The last page.' }),
  )
  const options = { async: true, ocrMaxPages: 5 }
  const answer = await upload<Accepted & WithMembers>(service, memoryId, { content, filename: 'all.zip', options })
  assertStatus(answer, 202)
  assert.equal(answer.json.documentIds.length, TEXTS.length + 2)
  const ledger = byName(answer.json.members).get('ledger.pdf')?.documentId ?? ''
  await untilPagesAreKept(`memories/${memoryId}/documents/${ledger}/recognized`)
  await service.crash()

  const job = (await endOfJob(service, answer.json.jobId)) as Job & { result?: WithMembers }
  assert.equal(job.status, 'partial', job.message)
  const { documentCount, chunkCount } = await readMemory(service, memoryId)
  const { documents } = await listDocuments(service, memoryId, '?limit=100')
  assert.equal(documentCount, TEXTS.length + 2)
  assert.deepEqual(documents.map(({ id }) => id).sort(), [...answer.json.documentIds].sort())
  assert.equal(
    chunkCount,
    documents.reduce((total, document) => total + document.chunkCount, 0),
  )
  const statuses = new Set(job.result?.members?.map(({ filename, status }) => `${filename === 'ledger.pdf'} ${status}`))
  assert.deepEqual([...statuses].sort(), ['false ready', 'true partial'])
  for (const [place, text] of TEXTS.entries()) {
    const id = byName(job.result?.members).get(`reports/${place + 1}.txt`)?.documentId ?? ''
    assert.equal(await readText(service, memoryId, id), text)
  }
  const found = await find(service, memoryId, 'lighthouse number 7', { options: { mode: 'lexical', limit: 50 } })
  assert.equal(found.hits.filter(({ text }) => text === TEXTS[6]).length, 1)
})

async function untilPagesAreKept(prefix: string): Promise<void> {
  const folder = join(service.dataDirectory, 'objects', 'objects', prefix)
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    if (existsSync(folder) && (await readdir(folder)).length >= 2) return
    assert.ok(Date.now() < end, 'no page was kept')
    await pause(5)
  }
}
