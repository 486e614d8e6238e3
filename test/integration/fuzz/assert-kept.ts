import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { AttackedService } from './attacked-service.ts'
import type { Ledger } from './ledger.ts'

/** The final resources by identifier. */
export type Kept = { memories: string[]; documents: string[] }

/** Waits until no job is under way. The time limit of the test is that of the wait. */
export async function waitForJobs({ ask }: AttackedService): Promise<void> {
  for (const status of ['processing', 'pending', 'processing']) {
    while ((await ask('GET', `/v1/jobs?status=${status}`))['total'] !== 0) await pause(100)
  }
}

/**
 * Everything that was acknowledged is there and whole, nothing else is, and the account counts the
 * same.
 */
export async function assertKept(service: AttackedService, ledger: Ledger, before: Kept): Promise<Kept> {
  const memories = await listIds(service, '/v1/memories', 'memories')
  const expected = [...before.memories, ...ledger.made.memories].filter((id) => !ledger.deleted.has(id))
  assert.deepEqual(memories.toSorted(), [...new Set(expected)].sort(), 'memories')
  const documents: string[] = []
  for (const id of memories) {
    documents.push(...(await listDocumentIds(service, id)))
  }
  assertDocuments(ledger, { memories, documents }, before)
  await assertOthers(service, ledger)
  const { usage } = (await service.ask('GET', '/v1/account')) as { usage: Record<string, number> }
  assert.equal(usage['memories'], memories.length, 'memories of the account')
  return { memories, documents }
}

/** Documents and corrections of a memory. */
export async function listDocumentIds(service: AttackedService, memoryId: string): Promise<string[]> {
  const path = `/v1/memories/${memoryId}/documents`
  const lists = [path, `${path}?sourceType=correction`]
  return (await Promise.all(lists.map((list) => listIds(service, list, 'documents')))).flat()
}

async function listIds({ listAll }: AttackedService, path: string, name: string): Promise<string[]> {
  return (await listAll(path, name)).map(({ id }) => String(id))
}

function assertDocuments(ledger: Ledger, kept: Kept, before: Kept): void {
  const known = new Set([...before.documents, ...ledger.documents.keys()])
  assert.deepEqual(
    kept.documents.filter((id) => !known.has(id) || ledger.deleted.has(id)),
    [],
    'documents that were refused or deleted',
  )
  const there = new Set(kept.documents)
  const lost = [...ledger.documents].filter(([id, { memoryId, mayVanish }]) => {
    return !there.has(id) && !ledger.deleted.has(id) && !mayVanish && kept.memories.includes(memoryId)
  })
  assert.deepEqual(lost, [], 'documents that were acknowledged and are gone')
}

async function assertOthers(service: AttackedService, { made, deleted }: Ledger): Promise<void> {
  for (const name of ['projects', 'keys'] as const) {
    const there = new Set(await listIds(service, `/v1/${name}`, name))
    const lost = [...made[name]].filter((id) => !there.has(id) && !deleted.has(id))
    // Keys are deleted with their memory; nothing depends on a project.
    if (name === 'projects') assert.deepEqual(lost, [], name)
    assert.deepEqual(
      [...there].filter((id) => deleted.has(id)),
      [],
      `${name} that were deleted`,
    )
  }
}

/** After the stop, the folder contains nothing refused or deleted. */
export function assertNothingLeft(dataDirectory: string, kept: Kept): void {
  const list = (...path: string[]) => {
    const folder = join(dataDirectory, ...path)
    return existsSync(folder) ? readdirSync(folder) : []
  }
  assert.deepEqual(list('tmp'), [], 'uploads')
  assert.deepEqual(list('objects', 'temporary'), [], 'unfinished objects')
  const files = list('memories').map((name) => name.replace(/\.lance$/, ''))
  assertWithin(files, kept.memories, 'memory files')
  const memories = list('objects', 'objects', 'memories')
  assertWithin(memories, kept.memories, 'objects of memories')
  const documents = memories.flatMap((id) => list('objects', 'objects', 'memories', id, 'documents'))
  assertWithin(documents, kept.documents, 'objects of documents')
  const database = new DatabaseSync(join(dataDirectory, 'recollect.sqlite'), { readOnly: true })
  assert.deepEqual(database.prepare('select * from intents').all(), [], 'intents')
  // The removal of a memory remains for a while, to clear late writes.
  assert.deepEqual(database.prepare("select * from removals where kind <> 'memory'").all(), [], 'removals')
  database.close()
}

function assertWithin(found: readonly string[], allowed: readonly string[], what: string): void {
  const known = new Set(allowed)
  assert.deepEqual(
    found.filter((id) => !known.has(id)),
    [],
    what,
  )
}
