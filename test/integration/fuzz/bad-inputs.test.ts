/**
 * The whole service under requests generated from its OpenAPI document. Most are valid except for
 * one fault; the rest is malformed in every way possible on a connection.
 *
 * `FUZZ_RUNS` sets the number of requests (1,500 by default), `FUZZ_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { readOperations } from './api-operations.ts'
import { assertAnswer } from './assert-answer.ts'
import { assertKept, assertNothingLeft, type Kept, listDocumentIds, waitForJobs } from './assert-kept.ts'
import { type AttackedService, startAttackedService } from './attacked-service.ts'
import { createLedger } from './ledger.ts'
import { type NearRequest, nearRequest } from './near-requests.ts'
import { countDescriptors, readResidentBytes } from './process-facts.ts'
import { createRawClient, Unanswered } from './raw-client.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1_500)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
/** Concurrent requests. */
const AT_ONCE = 16
/** Far above the time of any answer, so only a hang exceeds the limit. */
const ANSWER_MS = 120_000
/** The allowed growth after the first tenth: caches fill, leaks keep growing. */
const MORE_DESCRIPTORS = 100
const MORE_BYTES = 600 * 1024 * 1024

/** The answers start before the end of the request body. */
const STREAMED: ReadonlySet<string> = new Set(['exportMemory', 'getDocumentSource', 'watchJob'])

const ledger = createLedger()
let service: AttackedService
let atFirst: Kept

before(async () => {
  service = await startAttackedService()
  const memories = (await service.listAll('/v1/memories', 'memories')).map(({ id }) => String(id))
  atFirst = { memories, documents: (await Promise.all(memories.map((id) => listDocumentIds(service, id)))).flat() }
})

after(() => service.remove())

test(`every bad input gets a clear answer (FUZZ_SEED=${SEED}, FUZZ_RUNS=${RUNS})`, async (t) => {
  const client = createRawClient({ port: Number(service.url.port), timeoutMs: ANSWER_MS })
  const codes = new Map<string, number>()
  const facts = { descriptors: 0, bytes: 0, done: 0 }

  async function sendOne(request: NearRequest): Promise<void> {
    try {
      const answer = await client.send(request.sending)
      ledger.note(request, answer)
      assertAnswer(request, answer)
      codes.set(String(answer.status), (codes.get(String(answer.status)) ?? 0) + 1)
    } catch (error) {
      // A client that ends its side within a body has disconnected.
      const hasLeft = error instanceof Unanswered && request.sending.halfClose
      if (hasLeft && (error.received === 0 || STREAMED.has(request.operation.operationId))) return
      throw new Error(`${(error as Error).message}\n${show(request)}`, { cause: error })
    }
  }

  const several = fc.array(nearRequest(readOperations(), service.targets), { minLength: AT_ONCE, maxLength: AT_ONCE })
  const property = fc.asyncProperty(several, async (requests) => {
    await Promise.all(requests.map(sendOne))
    facts.done += requests.length
    if (facts.bytes === 0 && facts.done >= RUNS / 10) Object.assign(facts, readFacts())
  })
  // Requests depend on earlier ones, so shrinking by leaving out requests does not work.
  await fc.assert(property, { seed: SEED, numRuns: Math.ceil(RUNS / AT_ONCE), endOnFailure: true })
  client.close()
  const { bytes, descriptors } = readFacts()
  t.diagnostic(`answers by status: ${JSON.stringify(Object.fromEntries([...codes].sort()))}`)
  t.diagnostic(`resident MB: ${toMegabytes(facts.bytes)}, in the end ${toMegabytes(bytes)}`)
  t.diagnostic(`descriptors: ${facts.descriptors}, in the end ${descriptors}`)
  assert.ok(bytes - facts.bytes < MORE_BYTES, `memory grew from ${facts.bytes} to ${bytes}`)
  assert.ok(descriptors - facts.descriptors < MORE_DESCRIPTORS, `${facts.descriptors} descriptors, then ${descriptors}`)
})

test('the service is healthy afterwards and keeps exactly what it acknowledged', async () => {
  assert.equal((await service.ask('GET', '/health/ready'))['status'], 'ready')
  await waitForJobs(service)
  const kept = await assertKept(service, ledger, atFirst)
  const [memoryId] = service.targets.ids.memories
  const found = await service.ask('POST', `/v1/memories/${memoryId}/find`, { query: 'when is a P1 acknowledged' })
  assert.ok((found['hits'] as object[]).length > 0)
  await service.stop()
  assertNothingLeft(service.dataDirectory, kept)
})

test('the log says nothing of unexpected errors, and each of its lines is one', () => {
  // Lance writes its warnings to standard error.
  const lines = service.child.output().trim().split('\n')
  for (const line of lines.filter((one) => !/^\[\S+ WARN +lance/.test(one))) {
    assert.ok(line.startsWith('{'), line)
    const { level, time, msg } = JSON.parse(line) as Record<string, unknown>
    assert.ok(level === 'info' || level === 'warn', line)
    assert.ok(typeof time === 'string' && typeof msg === 'string', line)
  }
})

function readFacts(): { bytes: number; descriptors: number } {
  const { pid } = service.child
  return { bytes: readResidentBytes(pid) ?? 0, descriptors: countDescriptors(pid) ?? 0 }
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}

function show({ operation, sending }: NearRequest): string {
  return `${operation.operationId}: ${JSON.stringify(sending.bytes.toString('latin1').slice(0, 2000))}`
}
