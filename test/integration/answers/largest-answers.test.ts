/**
 * Requests the largest answer of every operation and compares with `largest-answers.ts`: no client
 * can get a larger or slower answer.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { useService } from '../../spec/service.ts'
import { type LargeMemory, makeLargeMemory } from './large-memory.ts'
import { type Bound, LARGEST_ANSWERS, type LargeRequest } from './largest-answers.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** Of /proc: man proc_pid_stat, utime and stime; Linux has 100 ticks a second. */
const TICKS_PER_SECOND = 100
const HAS_PROC = process.platform === 'linux'

type Operations = Record<string, Record<string, { operationId?: string }>>
const { paths } = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8')) as { paths: Operations }
const methods = new Map(
  Object.values(paths)
    .flatMap((operations) => Object.entries(operations))
    .map(([method, { operationId = '' }]) => [operationId, method.toUpperCase()]),
).set('mcp', 'POST')

let memory: LargeMemory
const service = useService({}, async (started) => {
  memory = await makeLargeMemory(started)
})

test('every operation has a bound in the table, and the table has no other', () => {
  assert.deepEqual(Object.keys(LARGEST_ANSWERS).sort(), [...methods.keys()].sort())
})

/**
 * The processor time of the service so far in seconds, all threads together; `null` where the
 * system does not report it.
 */
async function readCpuSeconds(): Promise<number | null> {
  if (!HAS_PROC) return null
  const stat = await readFile(`/proc/${service.pid}/stat`, 'utf8')
  // After the program name, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function countBytes(method: string, { path, body }: LargeRequest): Promise<{ bytes: number; status: number }> {
  const isForm = body instanceof FormData
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${service.bootstrapKey}`,
      accept: 'application/json, text/event-stream;q=0.5, */*;q=0.1',
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  return { bytes: (await answer.arrayBuffer()).byteLength, status: answer.status }
}

for (const [operation, bound] of Object.entries(LARGEST_ANSWERS)) {
  if ('stream' in bound) continue
  test(`the largest answer of ${operation} stays within its bytes and processor time`, async (t) => {
    for (const request of bound.requests(memory)) t.diagnostic(await assertBound(operation, bound, request))
  })
}

async function assertBound(
  operation: string,
  { maxBytes, maxCpuSeconds }: Bound,
  request: LargeRequest,
): Promise<string> {
  const before = await readCpuSeconds()
  const { bytes, status } = await countBytes(methods.get(operation) ?? '', request)
  const after = await readCpuSeconds()
  const seconds = before === null || after === null ? 0 : after - before
  const what = `${operation} answered ${status} with ${bytes} bytes in ${seconds.toFixed(1)} s`
  assert.ok(status < 500, what)
  assert.ok(bytes <= maxBytes, `${what}; its bound is ${maxBytes}`)
  assert.ok(seconds <= maxCpuSeconds, `${what}; its bound is ${maxCpuSeconds} s`)
  return what
}
