import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertStatus } from './answer.ts'
import type { Service } from './service.ts'
import type { Document, List, Source } from './shapes.ts'

const PATIENCE_MS = 60_000

/** A report, as far as tests look at it. */
export type Counts = Partial<Record<'added' | 'changed' | 'removed' | 'unchanged' | 'failed' | 'skipped', number>>

/** Makes a source; its first run is due. */
export async function makeSource(service: Service, memoryId: string, body: object): Promise<string> {
  const made = await service.post<Source>(`/v1/memories/${memoryId}/sources`, body)
  assertStatus(made, 201)
  return made.json.id
}

/** Reads a source. */
export async function readSource(service: Service, memoryId: string, id: string): Promise<Source> {
  const answer = await service.get<Source>(`/v1/memories/${memoryId}/sources/${id}`)
  assertStatus(answer, 200)
  return answer.json
}

/** Waits until no run is due or in progress. */
export async function endOfRun(service: Service, memoryId: string, id: string): Promise<Source> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const source = await readSource(service, memoryId, id)
    if (source.status !== 'queued' && source.status !== 'running') return source
    assert.ok(Date.now() < until, `the run of ${id} does not end`)
    await pause(50)
  }
}

/** Runs a source and returns it afterwards. */
export async function runAgain(service: Service, memoryId: string, id: string): Promise<Source> {
  assertStatus(await service.post(`/v1/memories/${memoryId}/sources/${id}/run`, {}), 202)
  return endOfRun(service, memoryId, id)
}

/** Asserts the outcome and the counts of the last run; counts that are not given are 0. */
export function assertRun({ lastRun }: Source, outcome: string, counts: Counts): void {
  assert.ok(lastRun !== null)
  const { added, changed, removed, unchanged, failed, skipped } = lastRun
  const none = { added: 0, changed: 0, removed: 0, unchanged: 0, failed: 0, skipped: 0 }
  assert.deepEqual(
    { outcome: lastRun.outcome, added, changed, removed, unchanged, failed, skipped },
    { outcome, ...none, ...counts },
    JSON.stringify(lastRun),
  )
}

/** The documents of a memory, by external identifier. */
export async function documentsByKey(service: Service, memoryId: string): Promise<Map<string, Document>> {
  const answer = await service.get<List<'documents', Document>>(`/v1/memories/${memoryId}/documents?limit=100`)
  assertStatus(answer, 200)
  return new Map(answer.json.documents.map((document) => [document.externalId ?? '', document]))
}
