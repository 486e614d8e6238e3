import assert from 'node:assert/strict'
import { type Answer, assertStatus } from '../spec/answer.ts'
import type { Service } from '../spec/service.ts'
import type { Accepted, Added, Found } from '../spec/shapes.ts'
import { upload } from '../spec/steps.ts'
import type { Ledger, MemoryEntry } from './ledger.ts'
import type { Random } from './random.ts'
import { startLimit } from './support/time-limit.ts'

/** A writer that adds, searches for its documents, and accepts refusals. */
export type WriterParts = {
  service: Service
  ledger: Ledger
  random: Random
  memory: MemoryEntry
  index: number
  /** Allowed statuses of refusals. */
  refusals: readonly number[]
  /** True where a find may be refused, too. */
  mayNotFind?: boolean
}

/** The counts of a writer. */
export type Written = { acknowledged: number; refused: number; found: number }

/** The limit of the promise for an answer while something is down. */
const ANSWER_MS = 15_000

/**
 * Adds until `isOver`: mostly synchronous, some in the background, some with originals. Rejects
 * with the problems.
 */
export async function write(parts: WriterParts, isOver: () => boolean): Promise<Written> {
  const written = { acknowledged: 0, refused: 0, found: 0 }
  for (let count = 0; !isOver(); count += 1) {
    const { status, token, id } = await addOne(parts, (['now', 'now', 'later', 'file'] as const)[count % 4] ?? 'now')
    if (status >= 300) written.refused += 1
    else written.acknowledged += 1
    if (status !== 200) continue
    const found = await parts.service.post<Found>(`/v1/memories/${parts.memory.id}/find`, { query: token })
    if (parts.mayNotFind === true && parts.refusals.includes(found.status)) continue
    assertStatus(found, 200)
    assert.ok(
      found.json.hits.some(({ documentId }) => documentId === id),
      `${id} was acknowledged and is not found`,
    )
    written.found += 1
  }
  return written
}

async function addOne(parts: WriterParts, how: 'now' | 'later' | 'file') {
  const { service, ledger, random, memory, index, refusals } = parts
  const [token, tail] = [ledger.newToken(), ledger.newToken()]
  const text = `The word ${token} begins it. ${'The tide comes and goes. '.repeat(random.between(1, 2000))}It ends with ${tail}.`
  const storeSource = how === 'file'
  const draft = { kind: 'document', externalId: null, isContended: false, repeats: null } as const
  const [entry] = ledger.send(index, [{ ...draft, memory, text, token, tail, storeSource }])
  assert.ok(entry)
  const assertInTime = startLimit(ANSWER_MS)
  const answer: Answer<Added | Accepted> =
    how === 'file'
      ? await upload(service, memory.id ?? '', { content: text, filename: `${token}.txt`, options: { storeSource } })
      : await service.post(`/v1/memories/${memory.id}/documents`, {
          documents: [{ title: token, text }],
          options: { async: how === 'later' },
        })
  assertInTime()
  const { status } = answer
  const id = answer.json.documentIds?.[0] ?? ''
  if (status === 200) ledger.show(entry, id)
  else if (status === 202) ledger.accept(entry, id, (answer.json as Accepted).jobId)
  else {
    assert.ok(refusals.includes(status), `answered ${status}: ${answer.text}`)
    ledger.end(entry)
  }
  return { status, token, id }
}
