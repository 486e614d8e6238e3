import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spawnFromSource } from '../../spec/product.ts'
import { useService } from '../../spec/service.ts'

/** Makes a process report every loaded module of the protocol. */
const HOOK = `
  import { writeSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) {
    if (/modelcontextprotocol|src.mcp.mcp-server/.test(url)) writeSync(2, 'loads ' + url + '\\n')
    return next(url, context)
  } })`

const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(HOOK)}`
const service = useService({ NODE_OPTIONS }, undefined, spawnFromSource)

test('the protocol is loaded with its first message, and not before', async () => {
  await service.get('/v1/memories')
  assert.doesNotMatch(service.output(), /^loads /m)
  const headers = { accept: 'application/json, text/event-stream' }
  const answer = await service.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers })
  assert.equal(answer.status, 200)
  assert.match(service.output(), /^loads .*modelcontextprotocol/m)
})
