import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { spawnFromSource } from '../../spec/product.ts'
import { createService } from '../../spec/service.ts'

/** Makes a process report loaded tracing modules; the metrics load only the interface. */
const HOOK = `
  import { writeSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) {
    if (/@opentelemetry.(sdk|exporter|otlp|context|resources)|otlp-tracing/.test(url)) writeSync(2, 'loads ' + url + '\\n')
    return next(url, context)
  } })`
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(HOOK)}`
/** Discard (RFC 863): a port without a listener. */
const DEAD = 'http://127.0.0.1:9'

test('nothing of OpenTelemetry is loaded where no endpoint is named', async (t) => {
  const service = createService({ NODE_OPTIONS }, spawnFromSource)
  t.after(() => service.dispose())
  await service.start()
  const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name: 'Quiet' })
  await service.post(`/v1/memories/${memory.id}/documents`, { documents: [{ title: 'T', text: 'Some text.' }] })
  assert.equal((await service.post(`/v1/memories/${memory.id}/find`, { query: 'text' })).status, 200)
  assert.doesNotMatch(service.output(), /^loads .*|trace_id/m)
})

test('a collector that is down costs a line of the log', async (t) => {
  const service = createService({ NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: DEAD }, spawnFromSource)
  t.after(() => service.dispose())
  await service.start()
  for (let count = 0; count < 20; count += 1) {
    assert.equal((await service.get('/v1/memories', { headers: { traceparent: 'no such thing' } })).status, 200)
  }
  const late = AbortSignal.timeout(60_000)
  while (!service.output().includes('traces cannot be sent')) {
    assert.ok(!late.aborted, 'no line of the log')
    await pause(50)
  }
  await service.stop()
  const output = service.output()
  assert.match(output, /^loads .*otlp-tracing/m)
  assert.equal(output.match(/traces cannot be sent/g)?.length, 1)
  assert.match(output, /"trace_id":"[0-9a-f]{32}"/)
})
