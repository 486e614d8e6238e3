import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { checkStorage } from '../../../src/services/doctor/check-storage.ts'
import { INTEGRITY_ISSUES, type IntegrityIssue } from '../../../src/services/doctor/integrity-issues.ts'
import { repairIssue } from '../../../src/services/doctor/repair-storage.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import { openIngestFixture, textDocument } from './ingest-fixture.ts'

/** A text that is stored as an object with a fingerprint. */
export const LONG = 'The tide comes and goes. '.repeat(1500)

/** A fixture with an intact short and long document, and a doctor. */
export async function openDoctor(t: TestContext) {
  const fixture = await openIngestFixture(t)
  const { db, blobs, memoryFile, removals, analyzer, detectLanguage, embedders, now, files } = {
    ...fixture.parts,
    files: fixture.files,
  }
  const parts = { db, blobs, memoryFile, analyzer, detectLanguage, listFiles: files.list }
  const examine = async () => {
    const found: IntegrityIssue[] = []
    for await (const damage of checkStorage(parts)) found.push(damage)
    return found
  }
  const openEmbedder = async (model: string) => embedders.get(model)
  const renewDatabaseIndexes = async () => false
  const mending = { ...parts, removals, openEmbedder, renewDatabaseIndexes, now }
  const mend = (damage: IntegrityIssue) => repairIssue(mending, damage)
  const added = await fixture.add(
    {},
    [textDocument('A note on the harbour.', { tags: ['sea', 'port'] }), textDocument(LONG, { title: 'long' })],
    { storeSource: true },
  )
  const [shortId = '', longId = ''] = added.documentIds
  assert.deepEqual(await examine(), [])
  const folder = join(fixture.parts.temporaryDirectory, 'memories', `${fixture.memory.id}.lance`)
  const documents = createDocumentsService(fixture.parts)
  return { ...fixture, documents, examine, mend, memoryId: fixture.memory.id, shortId, longId, folder }
}

export type DoctorFixture = Awaited<ReturnType<typeof openDoctor>>

/**
 * Asserts that exactly this issue is found; repairs it where possible, and asserts that no issue is
 * left.
 */
export async function assertFound(
  { examine, mend }: DoctorFixture,
  kind: IntegrityIssue['kind'],
  id: string | null,
): Promise<void> {
  const found = await examine()
  assert.deepEqual(
    found.map((damage) => [damage.kind, damage.documentId ?? damage.memoryId]),
    [[kind, id]],
  )
  const [damage] = found
  assert.ok(damage !== undefined)
  const isMended = await mend(damage)
  assert.equal(isMended, INTEGRITY_ISSUES[kind].mends !== null)
  assert.equal((await examine()).length, isMended ? 0 : 1)
}
