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

test('a quotation is no part of a number', () => {
  for (const [text, quote] of [
    ['due on 12 March 2026', '2 March 2026'],
    ['order 184512', '1845'],
    ['rent 1,250 euros', '1,25'],
    ['rent 1,250 euros', '250 euros'],
    ['fee 4.50 USD', '.50 USD'],
    ['fee 4.50 USD', '4'],
    ['due on 12  March 2026', '2 march 2026'],
  ] as const) {
    assert.equal(findQuote(text, quote), null, `${quote} in ${text}`)
  }
  assert.equal(quoted('due on 1.3.2026.', '2026'), '2026')
  assert.equal(quoted('Qty 4, fee 5.', '4'), '4')
  assert.equal(quoted('total 4,500.00', '4,500'), '4,500')
})

test('a quotation is no part of a word', () => {
  for (const [text, quote] of [
    ['the Kaltmiete is due', 'miete'],
    ['Signed by Marta Holm', 'Mart'],
    ['order AB12', '12'],
    ['order AB12', 'AB'],
    ['подписала Марта', 'Март'],
  ] as const) {
    assert.equal(findQuote(text, quote), null, `${quote} in ${text}`)
  }
  assert.equal(quoted('weighs 10kg', '10'), '10')
  assert.equal(quoted('2026年3月', '2026'), '2026')
  assert.equal(quoted('서울에서', '서울'), '서울')
})

test('of several places the one between words is taken', () => {
  assert.equal(findQuote('in 2012, 12 crates', '12')?.start, 9)
  assert.equal(findQuote('The tenant is Ten Ltd', 'Ten')?.start, 14)
  assert.equal(findQuote('There he sat', 'he')?.start, 6)
  assert.equal(quoted('租金是每月五百元', '五百元'), '五百元')
})
