import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Accepted } from './shapes.ts'
import { addText, endOfJob, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

/** The maximum of waiting jobs of an organization. */
const MAX_WAITING_JOBS = 20_000

const service = useService()

test('an organization with 20,000 waiting jobs gets 503 with Retry-After for another, and synchronous adds still work', async () => {
  verifies('errors.503.queue_full')
  const memory = await makeMemory(service, 'Busy')
  const later = (text: string) =>
    service.post<Accepted>(`/v1/memories/${memory}/documents`, {
      documents: [{ title: 'Later', text }],
      options: { async: true },
    })
  const accepted = await later('The ferry waits for the tide.')
  await endOfJob(service, accepted.json.jobId)
  await service.stop()
  copyAsWaiting(accepted.json.jobId, MAX_WAITING_JOBS)
  await service.start()

  const refused = await later('The ferry waits for the moon.')
  assertError(refused, 503, 'queue_full')
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  await addText(service, memory, 'The ferry has left.')

  await service.stop()
  copyAsWaiting(accepted.json.jobId, -1)
  await service.start()
  assertStatus(await later('The ferry is back.'), 202)
})

/**
 * Puts so many copies of a job into the stopped service's queue, due in a hundred years; -1 takes
 * one away.
 */
function copyAsWaiting(jobId: string, count: number): void {
  const database = new DatabaseSync(join(service.dataDirectory, 'recollect.sqlite'))
  try {
    if (count < 0) {
      database.exec(`delete from jobs where id = (select max(id) from jobs where status = 'pending')`)
      return
    }
    const columns = database.prepare('select name from pragma_table_info(?)').all('jobs')
    const copied = columns.map(({ name }) => {
      if (name === 'id') return `substr(id, 1, 20) || printf('%010d', value)`
      if (name === 'status') return `'pending'`
      return name === 'run_after' ? `'2126-01-01T00:00:00.000Z'` : `${name}`
    })
    const numbers = `with recursive numbers(value) as (select 1 union all select value + 1 from numbers where value < ${count})`
    database.prepare(`${numbers} insert into jobs select ${copied.join()} from jobs, numbers where id = ?`).run(jobId)
  } finally {
    database.close()
  }
}
