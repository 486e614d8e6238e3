import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findQuote, verifyQuote } from './verify-quote.ts'

const TEXT = 'The deposit is £1,725, to be paid by 03/14/2026.\nPets are not allowed. Fees: £10, £20.'

function verify(quote: string, value: string, dataType: string | null) {
  const passages = [{ text: TEXT, section: null, header: null, title: null, isFirst: true, isCorrection: false }]
  return verifyQuote(passages, { index: 0, quote, value }, { dataType, languages: ['en'] })
}

test('reads the value from the quoted words', () => {
  const finding = verify('£1,725', '1725', 'currency')
  assert.deepEqual(finding?.value, { amount: 1725, currency: 'GBP' })
  assert.equal(TEXT.slice(finding?.start, finding?.end), '£1,725')
  assert.equal(verify('by 03/14/2026', '2026-03-14', 'date')?.rawValue, '03/14/2026')
  assert.ok((verify('03/14/2026', '2026-03-14', 'date')?.confidence ?? 0) > 0.8)
})

test('rejects words that are missing or not a value of the type', () => {
  assert.equal(verify('£1,800', '1800', 'currency'), null)
  assert.equal(verify('The deposit', '2026-03-14', 'date'), null)
  assert.equal(verify('', '5', 'integer'), null)
})

test('rejects a claimed value that the words contradict, with low confidence', () => {
  const finding = verify('03/14/2026', '2026-04-14', 'date')
  assert.equal(finding?.value, '2026-03-14')
  assert.ok((finding?.confidence ?? 1) <= 0.5)
})

test('completes a partly quoted value, with low confidence unless claimed whole', () => {
  const text = 'Due on 12 March 2026. Write to j.smith@mills.example. The rent is £1,725, the rate 20 %.'
  const passages = [{ text, section: null, header: null, title: null, isFirst: true, isCorrection: false }]
  const check = (quote: string, value: string, dataType: string) => {
    const finding = verifyQuote(passages, { index: 0, quote, value }, { dataType, languages: ['en'] })
    return [finding?.value, finding?.rawValue, finding?.confidence]
  }
  assert.deepEqual(check('March 2026', '2026-03', 'date'), ['2026-03-12', '12 March 2026', 0.4])
  assert.deepEqual(check('March 2026', '2026-03-12', 'date'), ['2026-03-12', '12 March 2026', 0.9])
  const address = 'j.smith@mills.example'
  assert.deepEqual(check('smith@mills.example', 'smith@mills.example', 'email'), [address, address, 0.4])
  assert.deepEqual(check('1,725', '1725', 'currency'), [{ amount: 1725, currency: 'GBP' }, '£1,725', 0.9])
  assert.deepEqual(check('20', '20', 'percent'), [20, '20 %', 0.9])
})

test('takes the claimed value among several', () => {
  assert.deepEqual(verify('Fees: £10, £20', '£20', 'currency')?.value, { amount: 20, currency: 'GBP' })
})

test('accepts claimed yes and no with low confidence', () => {
  const finding = verify('Pets are not allowed', 'no', 'boolean')
  assert.equal(finding?.value, false)
  assert.ok((finding?.confidence ?? 1) <= 0.5)
})

function quoted(text: string, quote: string): string | null {
  const place = findQuote(text, quote)
  return place === null ? null : text.slice(place.start, place.end)
}

test('finds a quote literally, or ignoring white space, case and marks', () => {
  assert.equal(quoted('due on 1 March 2026.', '1 March 2026'), '1 March 2026')
  assert.equal(quoted('due on 1\n  March 2026.', '1 march 2026'), '1\n  March 2026')
  assert.equal(quoted('the “Tenant’s” share', `"tenant's" share`), '“Tenant’s” share')
})

test('rejects quotes that are not in the text', () => {
  assert.equal(findQuote('due on 1 March 2026', '2 March 2026'), null)
  assert.equal(findQuote('due on 1 March 2026', ' - '), null)
  assert.equal(findQuote('', 'a'), null)
})

test('never cuts a number', () => {
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

test('never cuts a word', () => {
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

test('takes the occurrence between words', () => {
  assert.equal(findQuote('in 2012, 12 crates', '12')?.start, 9)
  assert.equal(findQuote('The tenant is Ten Ltd', 'Ten')?.start, 14)
  assert.equal(findQuote('There he sat', 'he')?.start, 6)
  assert.equal(quoted('租金是每月五百元', '五百元'), '五百元')
})
