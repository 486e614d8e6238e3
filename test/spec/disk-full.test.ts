import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { hasSmallDisks, spawnOnSmallDisk } from './product.ts'
import { prose } from './prose.ts'
import { createService } from './service.ts'
import { addText, find, listDocuments, makeMemory, readText, upload } from './steps.ts'
import { verifies } from './verifies.ts'

const MB = 1024 * 1024

test('on a full disk adding is 507, reading goes on, and writes resume without a restart', async (context) => {
  verifies('errors.507.insufficient_storage')
  if (!hasSmallDisks()) return context.skip('this machine allows no disk of its own to a process')
  const service = createService({}, (settings) => spawnOnSmallDisk(settings, 64, 40))
  await service.start()
  try {
    const memoryId = await makeMemory(service)
    const first = await addText(service, memoryId, 'The first heron was here before the flood.')
    const add = (index: number) => {
      const file = { content: prose(1.5 * MB, index), filename: `${index}.txt`, options: { storeSource: true } }
      return upload(service, memoryId, file)
    }
    let added = 1
    let last = await add(1)
    for (let index = 2; index < 40 && last.status === 200; index += 1) {
      added += 1
      last = await add(index)
    }
    assertError(last, 507, 'insufficient_storage')
    assert.equal(await readText(service, memoryId, first), 'The first heron was here before the flood.')
    assert.equal((await find(service, memoryId, 'heron before the flood')).hits[0]?.documentId, first)
    assert.equal((await listDocuments(service, memoryId)).total, added)
    assertStatus(await service.get('/v1/account'), 200)

    await rm(join(`/proc/${service.pid}/root`, dirname(service.dataDirectory), 'ballast'))
    await addText(service, memoryId, 'The last heron came after the flood.')
    assert.equal((await listDocuments(service, memoryId)).total, added + 1)
    assertStatus(await add(99), 200)
  } finally {
    await service.dispose()
  }
})
