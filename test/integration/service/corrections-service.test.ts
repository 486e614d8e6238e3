import assert from 'node:assert/strict'
import test from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import { createCorrectionsService } from '../../../src/service/corrections-service.ts'
import { openIngestHouse } from './ingest-house.ts'

const CORRECTIONS = [{ statement: 'The refund window is 45 days.', topics: ['refunds'], boost: 2 }]

test('corrections whose request ran out of time are not kept', async (t) => {
  const { parts, caller, memory, memories, find } = await openIngestHouse(t)
  const corrections = createCorrectionsService(parts)
  const signal = AbortSignal.abort(new ApiError('request_timeout'))
  await assert.rejects(corrections.add(caller, memory.id, CORRECTIONS, { signal }), { code: 'request_timeout' })
  assert.equal((await memories.get(caller, memory.id)).correctionCount, 0)
  assert.deepEqual((await find('refunds')).hits, [])
})
