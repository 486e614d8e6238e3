import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { trace } from '@opentelemetry/api'
import { readTraceContext, writeTraceContext } from './trace-context.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const PARENT = `00-${TRACE}-${SPAN}-01`

function handOn(traceparent: string | null, tracestate: string | null): Record<string, string> {
  const span = trace.getSpanContext(readTraceContext({ traceparent, tracestate }))
  return span === undefined ? {} : Object.fromEntries(writeTraceContext(span))
}

describe('the context of a trace', () => {
  it('is handed on as it came', () => {
    assert.deepEqual(handOn(PARENT, null), { traceparent: PARENT })
    const tracestate = 'vendor=t61rcWkgMzE,tenant@system=a b:2'
    assert.deepEqual(handOn(PARENT, tracestate), { traceparent: PARENT, tracestate })
    assert.deepEqual(handOn(`01-${TRACE}-${SPAN}-01-later`, null), { traceparent: PARENT })
  })

  it('is none where the parent is wrong, whatever its state says', () => {
    for (const wrong of [null, '', `ff${PARENT.slice(2)}`, `${PARENT}-more`, PARENT.replace(SPAN, '0'.repeat(16))]) {
      assert.deepEqual(handOn(wrong, 'vendor=1'), {})
    }
  })

  it('keeps of a state what is one, and nothing of one that is too long', () => {
    assert.equal(handOn(PARENT, ' vendor=1 ,NO KEY=2,,a=b=c,other=3')['tracestate'], 'vendor=1,other=3')
    const numbered = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=v`).join(',')
    assert.equal(handOn(PARENT, numbered(32))['tracestate'], numbered(32))
    for (const wrong of ['', 'none', numbered(33), `a=${'x'.repeat(255)},b=${'x'.repeat(255)},c=x`]) {
      assert.equal(handOn(PARENT, wrong)['tracestate'], undefined, wrong)
    }
  })
})
