import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Service, useService } from '../../spec/service.ts'

const service = useService()
// RFC 2606, section 2: no such name will ever be.
const NOWHERE = 'http://nothing.invalid/page'

type Line = { msg: string; requestId?: string }

/** Lines of the log with this message. */
function linesOf({ output }: Service, message: string): Line[] {
  const lines = output().match(/^\{.*\}$/gm) ?? []
  return lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === message)
}

test('what a request calls is logged under its id, however deep', async () => {
  const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name: 'Log' })
  const refused = await service.post(`/v1/memories/${memory.id}/documents`, { url: NOWHERE })
  assert.equal(refused.status, 422)
  const [line] = linesOf(service, 'A download failed.')
  assert.equal(line?.requestId, refused.headers.get('x-request-id'))
})
