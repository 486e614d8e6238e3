import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SERVICE_ROUTES } from './service.ts'

test('all responses share the bytes of the OpenAPI document', async () => {
  const route = SERVICE_ROUTES.find(({ operationId }) => operationId === 'getOpenapi')
  const serviceInfo = { version: '1', document: {}, documentText: Buffer.from('{}'), now: () => new Date() }
  const answer = await route?.handle({ serviceInfo, query: {}, headers: {} } as never)
  assert.equal(answer?.body, serviceInfo.documentText)
})
