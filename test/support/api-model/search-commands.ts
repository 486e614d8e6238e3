import assert from 'node:assert/strict'
import fc from 'fast-check'
import { assertError } from '../../spec/answer.ts'
import type { Service } from '../../spec/service.ts'
import { find } from '../../spec/steps.ts'
import { ANY, choose, chooseMemory, command, hasMemory, MEMORY, type ModelCommand } from './command.ts'
import type { ModelDocument, ModelMemory } from './model.ts'

/** More than the chunks of any memory of a run, so no existing chunk is cut off. */
const HITS = 100
const CHOICE = fc.record({ memory: MEMORY, document: ANY, mode: fc.constantFrom('lexical', 'hybrid', 'auto') })

/** Finds existing documents, and does not find deleted documents. */
export const SEARCH_COMMANDS: readonly fc.Arbitrary<ModelCommand>[] = [
  command(CHOICE, {
    says: ({ memory, document, mode }) => `find entry ${document} of memory ${memory}, ${mode}`,
    can: (model, { memory }) => hasMemory(model) && chooseMemory(model, memory).documents.length > 0,
    async run({ model, service }, { memory: number, document, mode }) {
      const memory = chooseMemory(model, number)
      await assertFound(service, memory, { document: choose(memory.documents, document), mode })
    },
  }),
  command(CHOICE, {
    says: ({ memory, document, mode }) => `look for deleted entry ${document} of memory ${memory}, ${mode}`,
    can: (model, { memory }) => hasMemory(model) && chooseMemory(model, memory).gone.length > 0,
    async run({ model, service }, { memory: number, document, mode }) {
      const memory = chooseMemory(model, number)
      await assertGone(service, memory, { document: choose(memory.gone, document), mode })
    },
  }),
]

type Sought = { document: ModelDocument; mode: string }

/**
 * Asserts that search finds the entry by a unique word, as a slice of the text, each chunk once.
 * Lexical search finds nothing else.
 */
export async function assertFound(service: Service, memory: ModelMemory, { document, mode }: Sought): Promise<void> {
  const { hits } = await find(service, memory.id, document.token, { topK: HITS, options: { mode } })
  const own = hits.filter(({ documentId }) => documentId === document.id)
  assert.ok(own.length > 0, `${document.kind} ${document.token} is not found, ${mode}`)
  assert.equal(new Set(hits.map(({ chunkId }) => chunkId)).size, hits.length, 'a chunk is found twice')
  for (const hit of document.kind === 'document' ? own : []) {
    assert.ok(hit.text === document.text.slice(hit.startOffset, hit.endOffset), 'a hit is not the slice it names')
  }
  assertKnown(memory, hits)
  if (mode !== 'lexical') return
  const others = hits.filter(({ kind, documentId }) => kind === 'document' && documentId !== document.id)
  assert.deepEqual(
    others.map(({ documentId }) => documentId),
    [],
    'its word is found elsewhere',
  )
}

/** Asserts that neither search nor id finds the entry, and a second deletion fails. */
export async function assertGone(service: Service, memory: ModelMemory, { document, mode }: Sought): Promise<void> {
  const { hits } = await find(service, memory.id, document.token, { topK: HITS, options: { mode } })
  assertKnown(memory, hits)
  const path = `/v1/memories/${memory.id}/documents/${document.id}`
  assertError(await service.get(path), 404, 'document_not_found')
  assertError(await service.delete(path), 404, 'document_not_found')
}

/** Asserts that every hit is in the memory. */
function assertKnown({ documents }: ModelMemory, hits: readonly { documentId: string }[]): void {
  const there = new Set(documents.map(({ id }) => id))
  const strange = hits.filter(({ documentId }) => !there.has(documentId)).map(({ documentId }) => documentId)
  assert.deepEqual(strange, [], 'what is gone is found')
}
