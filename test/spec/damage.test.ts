import assert from 'node:assert/strict'
import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Answer, assertError, assertStatus } from './answer.ts'
import { runCommandLine } from './product.ts'
import { createService } from './service.ts'
import { addText, addTexts, find, listDocuments, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

type Ready = { status: string; checks: Record<string, { status: string; error?: string }> }
type Service = Awaited<ReturnType<typeof createService>>

const PAGE_BYTES = 4096
const settings = ({ dataDirectory }: Service) => ({ RECOLLECT_DATA_DIR: dataDirectory, RECOLLECT_LOG_LEVEL: 'silent' })

async function zeroRoot({ dataDirectory }: Service, name: string): Promise<void> {
  const path = join(dataDirectory, 'recollect.sqlite')
  const database = new DatabaseSync(path, { readOnly: true })
  const { rootpage } = database.prepare('select rootpage from sqlite_schema where name = ?').get(name) ?? {}
  database.close()
  await using file = await open(path, 'r+')
  await file.write(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, (Number(rootpage) - 1) * PAGE_BYTES)
}

function assertDamaged(answer: Answer<unknown>): void {
  assertError(answer, 500, 'data_damaged')
  assert.equal(answer.headers.get('retry-after'), null)
  assert.match(answer.text, /Do not retry.*[Rr]estore a backup/)
}

async function readiness(service: Service): Promise<Ready & { code: number }> {
  const answer = await service.get<Ready>('/health/ready', { key: null })
  return { ...answer.json, code: answer.status }
}

for (const table of ['keys', 'documents']) {
  test(`a damaged page of the table ${table} is named by readiness, by every answer that needs it, and by the doctor`, async (t) => {
    verifies('beyond.damage.database', 'beyond.damage.answers', 'beyond.damage.doctor')
    const service = createService()
    t.after(service.stop)
    await service.start()
    const memoryId = await makeMemory(service)
    await addText(service, memoryId, 'The lamp is lit at eight.')
    await service.stop()
    await zeroRoot(service, table)
    for (const args of [
      ['doctor', '--storage'],
      ['doctor', '--fix'],
    ]) {
      const { code, output } = await runCommandLine(settings(service), args)
      assert.equal(code, 1)
      assert.match(output, /damaged_database: .*Restore all data from one backup/)
    }
    await service.start()
    const { code, status, checks } = await readiness(service)
    assert.deepEqual([code, status, checks['database']?.status], [503, 'degraded', 'down'])
    assert.equal(checks['database']?.error, 'The database is damaged: restore it from a backup.')
    assert.equal(checks['objectStore']?.status, 'up')
    assertDamaged(await service.post(`/v1/memories/${memoryId}/find`, { query: 'When is the lamp lit?' }))
    const beside = await runCommandLine(settings(service), ['doctor'])
    assert.notEqual(beside.code, 0)
    assert.match(beside.output, /TROUBLE {2}database file: damaged/)
  })
}

test('an index of the database that is damaged is made again, and nothing is lost', async (t) => {
  verifies('beyond.damage.doctor')
  const service = createService()
  t.after(service.stop)
  await service.start()
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The lamp is lit at eight.')
  await service.stop()
  await zeroRoot(service, 'documents_by_status')
  const named = await runCommandLine(settings(service), ['doctor', '--storage'])
  assert.equal(named.code, 1)
  assert.match(named.output, /damaged_database_index: .*--fix rebuilds the indexes/)
  const mended = await runCommandLine(settings(service), ['doctor', '--fix'])
  assert.equal(mended.code, 0, mended.output)
  await service.start()
  assert.equal((await readiness(service)).code, 200)
  assert.equal((await find(service, memoryId, 'When is the lamp lit?')).hits.length, 1)
})

test('missing memory files are named by readiness and by every dependent answer until they return', async (t) => {
  verifies('beyond.damage.memory-files', 'beyond.damage.answers')
  const service = createService()
  t.after(service.stop)
  await service.start()
  const memoryId = await makeMemory(service)
  const empty = await makeMemory(service)
  await addText(service, memoryId, 'The lamp is lit at eight.')
  const folder = join(service.dataDirectory, 'memories')
  const [file = ''] = await readdir(folder)
  for (const path of [folder, join(folder, file)]) {
    await service.stop()
    await rename(path, `${service.dataDirectory}-aside`)
    await service.start()
    const { code, checks } = await readiness(service)
    assert.deepEqual([code, checks['database']?.status, checks['objectStore']?.status], [503, 'up', 'down'])
    assert.equal(checks['objectStore']?.error, '1 memory file is missing: restore the data from a backup.')
    assertDamaged(await service.post(`/v1/memories/${memoryId}/find`, { query: 'When is the lamp lit?' }))
    assertDamaged(await addTexts(service, memoryId, [{ title: 'New', text: 'The lamp is lit at nine.' }]))
    assert.deepEqual((await find(service, empty, 'lamp')).hits, [])
    await service.stop()
    if (path === folder) await rm(folder, { recursive: true })
    await rename(`${service.dataDirectory}-aside`, path)
    await service.start()
    assert.equal((await readiness(service)).code, 200)
    assert.equal((await find(service, memoryId, 'When is the lamp lit?')).hits.length, 1)
  }
})

test('a byte that changed in a title, in metadata and in an identifier is named, and a whole row is not', async (t) => {
  verifies('beyond.damage.rows', 'beyond.verify.damage')
  const service = createService()
  t.after(service.stop)
  await service.start()
  const memoryId = await makeMemory(service)
  const documents = ['Zephyr', 'Quartz', 'Cobalt', 'Sepia'].map((title) => ({
    ...{ title, text: `The lamp of ${title} is lit at eight.`, externalId: `ext-${title}`, metadata: { room: title } },
  }))
  assertStatus(await service.post(`/v1/memories/${memoryId}/documents`, { documents }), 200)
  const listed = await listDocuments(service, memoryId)
  await service.stop()
  const path = join(service.dataDirectory, 'recollect.sqlite')
  const content = await readFile(path)
  const changes = [
    ['Zephyrext-', 0, 'Z'],
    ['"room":"Quartz"', 8, 'Q'],
    ['ext-Cobalt', 4, 'C'],
  ] as const
  for (const [text, at, letter] of changes) {
    let place = content.indexOf(text)
    if (place < 0) place = content.indexOf(text.replace('ext-', ''))
    for (; place >= 0; place = content.indexOf(text, place + 1))
      if (content[place + at] === letter.charCodeAt(0)) content[place + at] = letter.charCodeAt(0) ^ 1
  }
  await writeFile(path, content)
  await service.start()
  const { json } = await service.get<{ problems: { code: string; documentId: string }[] }>(
    `/v1/memories/${memoryId}/verify`,
  )
  const wrong = json.problems.filter(({ code }) => code === 'wrong_row').map(({ documentId }) => documentId)
  const whole = listed.documents.find(({ title }) => title === 'Sepia')?.id ?? ''
  assert.equal(new Set(wrong).size, 3)
  assert.ok(!wrong.includes(whole))
  await service.stop()
  const { code, output } = await runCommandLine(settings(service), ['doctor', '--fix'])
  assert.equal(code, 1)
  assert.equal(output.match(/wrong_row/g)?.length, 3)
  assert.doesNotMatch(output, /repaired +(?!damaged_database_index)\w+:/)
  const both = await runCommandLine(settings(service), ['doctor', '--fix', '--accept-rows'])
  assert.match(both.output, /in a separate run/)
  const accepted = await runCommandLine(settings(service), ['doctor', '--accept-rows'])
  assert.equal(accepted.output.match(/repaired +wrong_row: .*documents doc_/g)?.length, 3, accepted.output)
  const after = await runCommandLine(settings(service), ['doctor', '--fix'])
  assert.equal(after.code, 0, after.output)
})
