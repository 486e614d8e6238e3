import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type Answer, assertError, assertStatus } from '../../spec/answer.ts'
import type { Service } from '../../spec/service.ts'
import type { Accepted, Added, CorrectionBatch } from '../../spec/shapes.ts'
import { endOfJob } from '../../spec/steps.ts'
import { ANY, choose, chooseMemory, command, hasMemory, MEMORY, type ModelCommand } from './command.ts'
import {
  addDocuments,
  draftDocument,
  type Model,
  type ModelDocument,
  type ModelMemory,
  removeDocument,
} from './model.ts'

const EXTERNAL_ID = fc.option(fc.constantFrom('a', 'b'))
const BATCH = fc.uniqueArray(EXTERNAL_ID, { minLength: 1, maxLength: 3, selector: (id) => id ?? Symbol('none') })
const ADD = fc.record({ memory: MEMORY, externalIds: BATCH, later: fc.boolean(), twice: fc.boolean() })

/** Adds, repeats, corrects, deletes and reads documents. */
export const DOCUMENT_COMMANDS: readonly fc.Arbitrary<ModelCommand>[] = [
  command(ADD, {
    says: ({ memory, externalIds, later, twice }) =>
      `add ${externalIds.map((id) => id ?? '-').join()} to memory ${memory}${later ? ' later' : ''}${twice ? ' twice' : ''}`,
    can: hasMemory,
    async run({ model, service }, { memory: number, externalIds, later, twice }) {
      const memory = chooseMemory(model, number)
      const documents = externalIds.map((externalId) => draftDocument(model, 'document', externalId))
      const sent = { documents: documents.map(toInput), options: { async: later } }
      await add({ service, memory, twice }, documents, sent)
    },
  }),
  command(fc.record({ memory: MEMORY, document: ANY }), {
    says: ({ memory, document }) => `add document ${document} of memory ${memory} again, without duplicates`,
    can: hasDocument,
    async run({ model, service }, { memory: number, document }) {
      const { id, text } = choose(documentsOf(chooseMemory(model, number)), document)
      const sent = { documents: [{ title: 'Again', text }], options: { deduplicate: true } }
      const answer = await service.post<Added>(pathOf(chooseMemory(model, number)), sent)
      assertStatus(answer, 200)
      const { documentsAdded, documentsSkipped, documents } = answer.json
      assert.deepEqual([documentsAdded, documentsSkipped, documents[0]?.duplicateOf], [0, 1, id])
    },
  }),
  command(fc.record({ memory: MEMORY, wrong: fc.constantFrom('empty', 'repeated') }), {
    says: ({ memory, wrong }) => `add a batch to memory ${memory} with one entry that is ${wrong}`,
    can: hasMemory,
    async run({ model, service }, { memory, wrong }) {
      const [one, other] = [draftDocument(model, 'document', 'a'), draftDocument(model, 'document', 'a')]
      const second = wrong === 'empty' ? { title: 'Empty', text: ' ' } : toInput(other)
      const answer = await service.post(pathOf(chooseMemory(model, memory)), { documents: [toInput(one), second] })
      assertError(answer, 400, 'validation_failed')
    },
  }),
  command(fc.record({ memory: MEMORY, count: fc.integer({ min: 1, max: 2 }) }), {
    says: ({ memory, count }) => `add ${count} corrections to memory ${memory}`,
    can: hasMemory,
    async run({ model, service }, { memory: number, count }) {
      const memory = chooseMemory(model, number)
      const drafts = Array.from({ length: count }, () => draftDocument(model, 'correction')).map((one) => ({
        ...one,
        text: one.text.trim(),
      }))
      const corrections = drafts.map(({ text: statement }) => ({ statement, topics: ['varn'] }))
      const answer = await service.post<CorrectionBatch>(`/v1/memories/${memory.id}/corrections`, { corrections })
      assertStatus(answer, 201)
      addDocuments(memory, withIds(drafts, answer.json.ids))
    },
  }),
  command(fc.record({ memory: MEMORY, document: ANY }), {
    says: ({ memory, document }) => `delete document ${document} of memory ${memory}`,
    can: (model, { memory }) => hasMemory(model) && chooseMemory(model, memory).documents.length > 0,
    async run({ model, service }, { memory: number, document }) {
      const memory = chooseMemory(model, number)
      const one = choose(memory.documents, document)
      assertStatus(await service.delete(`${pathOf(memory)}/${one.id}`), 204)
      removeDocument(memory, one)
    },
  }),
  command(fc.record({ memory: MEMORY, document: ANY }), {
    says: ({ memory, document }) => `read document ${document} of memory ${memory}`,
    can: hasDocument,
    async run({ model, service }, { memory: number, document }) {
      const memory = chooseMemory(model, number)
      const { id, text } = choose(documentsOf(memory), document)
      const answer = await service.get(`${pathOf(memory)}/${id}/text`)
      assertStatus(answer, 200)
      assert.ok(answer.text === text, `the text of ${id} is not what was sent`)
    },
  }),
]

type Place = { service: Service; memory: ModelMemory; twice: boolean }

/**
 * Adds documents with one request, repeats the request with its key where `twice` is set, and waits
 * for a job.
 */
async function add({ service, memory, twice }: Place, documents: readonly ModelDocument[], sent: object) {
  const headers = { 'idempotency-key': randomUUID() }
  const send = () => service.post<Added | Accepted>(pathOf(memory), sent, { headers })
  const answer = await send()
  const { documentIds } = answer.json
  if (twice) assertReplayed(await send(), documentIds)
  if ('jobId' in answer.json) {
    assertStatus(answer, 202)
    assert.equal((await endOfJob(service, answer.json.jobId)).status, 'completed')
  } else assertStatus(answer, 200)
  addDocuments(memory, withIds(documents, documentIds))
}

function assertReplayed(answer: Answer<Added | Accepted>, documentIds: readonly string[]): void {
  assert.equal(answer.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(answer.json.documentIds, documentIds)
}

function withIds(documents: readonly ModelDocument[], ids: readonly string[]): ModelDocument[] {
  assert.equal(ids.length, documents.length)
  return documents.map((document, index) => ({ ...document, id: ids[index] ?? '' }))
}

function toInput({ token, text, externalId }: ModelDocument) {
  return externalId === null ? { title: token, text } : { title: token, text, externalId }
}

function pathOf({ id }: ModelMemory): string {
  return `/v1/memories/${id}/documents`
}

function documentsOf({ documents }: ModelMemory): ModelDocument[] {
  return documents.filter(({ kind }) => kind === 'document')
}

function hasDocument(model: Readonly<Model>, { memory }: { memory: number }): boolean {
  return hasMemory(model) && documentsOf(chooseMemory(model, memory)).length > 0
}
