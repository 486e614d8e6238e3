import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SERVICE_ROUTES } from './service.ts'

test('the OpenAPI document is the same bytes for everybody, so that answers nobody reads hold it once', async () => {
  const route = SERVICE_ROUTES.find(({ operationId }) => operationId === 'getOpenapi')
  const about = { version: '1', document: {}, documentText: Buffer.from('{}'), now: () => new Date() }
  const answer = await route?.handle({ about, query: {}, headers: {} } as never)
  assert.equal(answer?.body, about.documentText)
})
