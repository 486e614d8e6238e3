/** A copy of a data folder in use, and a service on the copy. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { backUp } from '../../../src/cli/installation/copy-data-folder.ts'
import { createService, type Service } from '../../spec/service.ts'
import { addText, find, listDocuments, makeMemory } from '../../spec/steps.ts'

const WRITERS = 3

describe('a copy of a data folder that is in use', () => {
  const key = `backup-${randomUUID()}`
  const service = createService({ RECOLLECT_BOOTSTRAP_KEY: key })
  const acknowledged = new Map<string, { memoryId: string; token: string }>()
  let folder: string
  let copy: Service

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recollect-backup-'))
    await service.start()
    const memories = [await makeMemory(service), await makeMemory(service, 'Other')]
    let isWriting = true
    const write = async (writer: number) => {
      for (let count = 0; isWriting || count < 5; count += 1) {
        const memoryId = memories[(writer + count) % 2] ?? ''
        const token = `token${randomUUID().slice(0, 8)}`
        // Every third text is an object.
        const text = `${token} stands here. ${count % 3 === 0 ? 'The tide comes and goes. '.repeat(1500) : ''}`
        const id = await addText(service, memoryId, text, { externalId: token })
        if (isBefore) acknowledged.set(id, { memoryId, token })
      }
    }
    let isBefore = true
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
    while (acknowledged.size < 20) await addText(service, memories[0] ?? '', `${randomUUID()} in between`)
    isBefore = false
    await backUp({ RECOLLECT_DATA_DIR: service.dataDirectory }, join(folder, 'copy'))
    isWriting = false
    await Promise.all(writers)
    copy = createService({ RECOLLECT_BOOTSTRAP_KEY: key, RECOLLECT_DATA_DIR: join(folder, 'copy') })
    await copy.start()
  })
  after(async () => {
    await Promise.allSettled([copy?.dispose(), service.dispose()])
    await rm(folder, { recursive: true, force: true })
  })

  it('is a data folder where all data acknowledged before is found and readable', async () => {
    for (const [id, { memoryId, token }] of acknowledged) {
      const { hits } = await find(copy, memoryId, token)
      assert.equal(hits[0]?.documentId, id, `${token} is not found`)
      const { text } = await copy.get(`/v1/memories/${memoryId}/documents/${id}/text`)
      assert.ok(text.startsWith(token))
    }
  })

  it('shows nothing that cannot be found', async () => {
    const [one] = acknowledged.values()
    const { documents } = await listDocuments(copy, one?.memoryId ?? '', '?limit=100')
    for (const { id, title } of documents) {
      const { text } = await copy.get(`/v1/memories/${one?.memoryId}/documents/${id}/text`)
      const { hits } = await find(copy, one?.memoryId ?? '', text.split(' ')[0] ?? '')
      assert.ok(
        hits.some(({ documentId }) => documentId === id),
        `${title} ${id}`,
      )
    }
  })

  it('remains writable', async () => {
    const [one] = acknowledged.values()
    await addText(copy, one?.memoryId ?? '', 'afterwards comes more')
    const { hits } = await find(copy, one?.memoryId ?? '', 'afterwards')
    assert.ok(hits[0]?.text.includes('afterwards'))
  })

  it('is not made over something else', async () => {
    const again = backUp({ RECOLLECT_DATA_DIR: service.dataDirectory }, join(folder, 'copy'))
    await assert.rejects(again, /is not empty/)
    const elsewhere = { RECOLLECT_DATA_DIR: service.dataDirectory, RECOLLECT_DATABASE_URL: 'postgres://localhost/x' }
    await assert.rejects(backUp(elsewhere, join(folder, 'other')), /docs\/backup\.md/)
  })
})
