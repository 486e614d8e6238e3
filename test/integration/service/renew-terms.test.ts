import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from '@lancedb/lancedb'
import type { Log } from '../../../src/log.ts'
import { createTermsRenewal } from '../../../src/service/doctor/renew-terms.ts'
import { getMark } from '../../../src/store/marks.ts'
import { openDoctor } from './doctor-house.ts'

const NEVER = new AbortController().signal

/** A house whose short document is found by other words than its own, as an earlier version indexed it; and what is logged. */
async function openOldHouse(t: TestContext) {
  const house = await openDoctor(t)
  const { memoryFile } = house.parts
  for await (const chunks of memoryFile.scan(house.memoryId, { documentIds: [house.shortId] }))
    await memoryFile.add(
      house.memoryId,
      chunks.map((chunk) => ({ ...chunk, terms: 'old' })),
    )
  const logged: string[] = []
  const note = ((_facts: unknown, message: string) => void logged.push(message)) as Log['info']
  const log = { info: note, error: note }
  let scans = 0
  const counted: typeof memoryFile.scan = (...asked) => {
    scans += 1
    return memoryFile.scan(...asked)
  }
  const parts = { ...house.parts, memoryFile: { ...memoryFile, scan: counted }, log }
  return { ...house, parts, logged, countScans: () => scans }
}

const kinds = (found: readonly { kind: string }[]) => found.map(({ kind }) => kind)

test('the terms of an earlier version are made again behind the start, once', async (t) => {
  const { parts, examine, logged, countScans } = await openOldHouse(t)
  assert.deepEqual(kinds(await examine()), ['wrong_terms'])
  await createTermsRenewal(parts)(NEVER)
  assert.deepEqual(await examine(), [])
  assert.match(logged.join(), /made again/)
  assert.equal((await getMark(parts.db, 'terms'))?.reached, null)
  const scans = countScans()
  await createTermsRenewal(parts)(NEVER)
  assert.equal(countScans(), scans)
  await createTermsRenewal(parts, 1000)(NEVER)
  assert.ok(countScans() > scans)
})

test('a stop leaves the rest for the next start', async (t) => {
  const { parts, examine } = await openOldHouse(t)
  await createTermsRenewal(parts)(AbortSignal.abort())
  assert.deepEqual(kinds(await examine()), ['wrong_terms'])
  await createTermsRenewal(parts)(NEVER)
  assert.deepEqual(await examine(), [])
})

test('a memory file of an older form is named by the log of each start and by its answers, and the doctor makes it again', async (t) => {
  const { parts, folder, memoryId, examine, mend, logged, files } = await openOldHouse(t)
  await files.drop(memoryId)
  const connection = await connect(join(folder, '..'))
  await connection.createTable(memoryId, [{ id: 'a', document_id: 'b', text: 'as an older version wrote it' }])
  connection.close()
  for (const start of [1, 2]) {
    const renew = createTermsRenewal(parts)
    await renew(NEVER)
    await renew(NEVER)
    assert.equal(logged.filter((line) => /recollect doctor --fix/.test(line)).length, start)
  }
  const reading = parts.memoryFile.read(memoryId, 'doc_01k00000000000000000000000')
  await assert.rejects(reading, { code: 'internal_error', remedy: /recollect doctor --fix/ })
  const damage = (await examine()).find(({ kind }) => kind === 'broken_memory_file')
  assert.ok(damage !== undefined)
  assert.match(damage.detail, /older version of Recollect/)
  assert.equal(await mend(damage), true)
  assert.deepEqual(await examine(), [])
  await createTermsRenewal(parts)(NEVER)
  assert.equal((await getMark(parts.db, 'terms'))?.reached, null)
})
