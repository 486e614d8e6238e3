import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { CompiledQuery, type RootOperationNode } from 'kysely'
import { listHiddenDocuments } from '../../../src/database/memories/document-changes.ts'
import { insertDocuments, type PublishedDocument } from '../../../src/database/memories/document-writes.ts'
import { newId } from '../../../src/ids.ts'
import { assertYields } from '../../support/assert-yields.ts'
import { ON_POSTGRES, temporaryStore } from './temporary-store.ts'

const MEMORY_ID = newId('mem')

function document(): PublishedDocument {
  const row = {
    ...{ id: newId('doc'), organization_id: 'org', memory_id: MEMORY_ID, title: 't', mime_type: 'text/plain' },
    ...({ source_type: 'text', tags: '[]', metadata: '{}', status: 'ready', size_bytes: 1, storage_bytes: 1 } as const),
    ...{ ocr_pages: 0, chunk_count: 1, character_count: 1, has_source: 0, pages: '[]', created_at: '', updated_at: '' },
  }
  const bands = Array.from({ length: 16 }, () => randomBytes(6).toString('hex'))
  return { row, tags: [], inlineText: null, signature: { value: 'c2lnbmF0dXJl', bands } }
}

test('publishing ten thousand documents together blocks no other work', async (t) => {
  const { db } = await temporaryStore(t)
  await assertYields(async () => {
    await db.deleteFrom('documents').execute()
    await db.deleteFrom('signature_bands').execute()
    const documents = Array.from({ length: 10_000 }, document)
    return () => db.transaction().execute((transaction) => insertDocuments(transaction, documents))
  })
  const bands = await db.selectFrom('signature_bands').select('document_seq').execute()
  assert.equal(bands.length, 160_000)
})

test('the hidden documents of a memory are listed without reading the others', { skip: ON_POSTGRES }, async (t) => {
  const { db } = await temporaryStore(t)
  const asked: CompiledQuery[] = []
  const watched = db.withPlugin({
    transformQuery({ node, queryId }: { node: RootOperationNode; queryId: { queryId: string } }) {
      asked.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await listHiddenDocuments(watched, MEMORY_ID)
  const { sql = '', parameters = [] } = asked[0] ?? {}
  const { rows } = await db.executeQuery(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]))
  assert.match(JSON.stringify(rows), /USING INDEX documents_hidden/)
})
