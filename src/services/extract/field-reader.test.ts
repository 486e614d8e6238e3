import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRuleReader } from './field-reader.ts'

const FIELD = { label: 'Deposit', key: 'deposit', dataType: 'currency', sectionName: 'Lease', context: null }

function passagesOf(count: number) {
  const around = { section: null, header: null, title: null, isFirst: false, isCorrection: false }
  return Array.from({ length: count }, (_, index) => ({ text: `Deposit: EUR 500\nNote: ${index}`, ...around }))
}

test('yields between the passages of a field, and stops when aborted', async () => {
  const caller = new AbortController()
  let turns = 0
  const yieldToEventLoop = async () => {
    turns += 1
    if (turns === 30) caller.abort(new Error('left'))
  }
  const reader = createRuleReader(yieldToEventLoop)
  const toRead = (count: number) => [{ field: FIELD, passages: passagesOf(count), param: 'sections[0].fields[0]' }]
  const { findings } = await reader.read(toRead(12), ['en'], caller.signal)
  assert.equal(findings[0]?.rawValue, 'EUR 500')
  assert.ok(turns > 12, `${turns} turns`)
  await assert.rejects(reader.read(toRead(50), ['en'], caller.signal), /left/)
  assert.equal(turns, 30)
})
