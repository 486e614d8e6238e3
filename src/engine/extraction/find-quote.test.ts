import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findQuote } from './find-quote.ts'

function quoted(text: string, quote: string): string | null {
  const place = findQuote(text, quote)
  return place === null ? null : text.slice(place.start, place.end)
}

test('a quotation is found literally, and where white space, capitals and marks differ', () => {
  assert.equal(quoted('due on 1 March 2026.', '1 March 2026'), '1 March 2026')
  assert.equal(quoted('due on 1\n  March 2026.', '1 march 2026'), '1\n  March 2026')
  assert.equal(quoted('the “Tenant’s” share', `"tenant's" share`), '“Tenant’s” share')
})

test('what the text does not say is not found', () => {
  assert.equal(findQuote('due on 1 March 2026', '2 March 2026'), null)
  assert.equal(findQuote('due on 1 March 2026', ' - '), null)
  assert.equal(findQuote('', 'a'), null)
})
