import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Service, useService } from '../../spec/service.ts'

const service = useService()
// RFC 2606, section 2: no such name will ever be.
const NOWHERE = 'http://nothing.invalid/page'

type Line = { msg: string; requestId?: string }

/** The first log line with this message; log and answers arrive separately. */
async function firstLineOf({ output }: Service, message: string): Promise<Line | undefined> {
  const find = () => (output().match(/^\{.*\}$/gm) ?? []).map((text) => JSON.parse(text) as Line).find(isIt)
  const isIt = ({ msg }: Line) => msg === message
  for (let looks = 0; looks < 1000 && find() === undefined; looks += 1) await pause(10)
  return find()
}

test('nested calls of a request are logged under its id', async () => {
  const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name: 'Log' })
  const refused = await service.post(`/v1/memories/${memory.id}/documents`, { url: NOWHERE })
  assert.equal(refused.status, 422)
  const line = await firstLineOf(service, 'A download failed.')
  assert.equal(line?.requestId, refused.headers.get('x-request-id'))
})
