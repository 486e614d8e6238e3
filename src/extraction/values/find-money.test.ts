import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBareMoney, findMoney } from './find-money.ts'

const CONVENTIONS = {
  dateOrder: 'dmy',
  decimalMark: '.',
  dollar: 'USD',
  yen: 'JPY',
  krone: 'SEK',
  lira: 'TRY',
  yuan: 'CNY',
  currency: 'CHF',
  languages: [],
} as const

function money(text: string): unknown[] {
  return findMoney(text, CONVENTIONS).map(({ value }) => value)
}

test('reads symbols, codes and names on either side', () => {
  const cases: readonly [string, number, string][] = [
    ['£1,260.00', 1260, 'GBP'],
    ['1.234,56 €', 1234.56, 'EUR'],
    ['EUR 1 234.50', 1234.5, 'EUR'],
    ['USD 18,500.00', 18500, 'USD'],
    ['68.000 EUR', 68000, 'EUR'],
    ['2 650,00 €', 2650, 'EUR'],
    ['A$35.00', 35, 'AUD'],
    ['40 euros', 40, 'EUR'],
    ['1 850 Kč', 1850, 'CZK'],
    ['₹ 12,50,000.00', 1250000, 'INR'],
    ['12,50,000 INR', 1250000, 'INR'],
  ]
  for (const [text, amount, currency] of cases) assert.deepEqual(money(text), [{ amount, currency }], text)
})

test('reads currencies as their documents write them', () => {
  const cases: readonly [string, number, string][] = [
    ['12 000,00 руб.', 12000, 'RUB'],
    ['5 рублей', 5, 'RUB'],
    ['1.250,00 TL', 1250, 'TRY'],
    ['1 250 kr', 1250, 'SEK'],
    ['1.250,50 kr.', 1250.5, 'SEK'],
    ['kr. 1.250,00', 1250, 'SEK'],
    ['Kr 500', 500, 'SEK'],
    ['55,000円（税込）', 55000, 'JPY'],
    ['5650元', 5650, 'CNY'],
    ['5650元整', 5650, 'CNY'],
    ['RMB 5,650', 5650, 'CNY'],
    ['12,500원', 12500, 'KRW'],
    ['12,500원입니다', 12500, 'KRW'],
    ['500 บาท', 500, 'THB'],
    ['5.000.000 đ', 5e6, 'VND'],
    ['5.000.000₫', 5e6, 'VND'],
    ['NT$1,200', 1200, 'TWD'],
    ['TWD 1,200', 1200, 'TWD'],
    ['500美元', 500, 'USD'],
    ['1,000ユーロ', 1000, 'EUR'],
  ]
  for (const [text, amount, currency] of cases) assert.deepEqual(money(text), [{ amount, currency }], text)
})

test('rejects partial matches and ambiguous currencies', () => {
  for (const text of ['2026元旦', '3원칙', '1万2千円', '5 krav', 'Skr. 500', '2 tlp'])
    assert.deepEqual(money(text), [], text)
  assert.deepEqual(findMoney('1 250 kr, 5650元', { ...CONVENTIONS, krone: null, yuan: null }), [])
})

test('resolves the yen sign of either width by the document', () => {
  for (const yen of ['JPY', 'CNY']) {
    for (const text of ['¥5,650', '￥5,650'])
      assert.deepEqual(findMoney(text, { ...CONVENTIONS, yen })[0]?.value, { amount: 5650, currency: yen })
  }
})

test('rejects dollars of unknown countries', () => {
  for (const text of ['B$48,200', 'TT$ 75']) assert.deepEqual(money(text), [], text)
  assert.deepEqual(money('USD$350'), [{ amount: 350, currency: 'USD' }])
})

test('reads amounts directly after a word in unspaced scripts', () => {
  const cases: readonly [string, number, string][] = [
    ['预付款为5000元，余款', 5000, 'CNY'],
    ['价格是12,800円とする', 12800, 'JPY'],
    ['总价USD500', 500, 'USD'],
  ]
  for (const [text, amount, currency] of cases) assert.deepEqual(money(text), [{ amount, currency }], text)
  assert.deepEqual(money('1万2000円'), [])
})

test('reads scale words of other languages', () => {
  const cases: readonly [string, number, string][] = [
    ['5万円', 5e4, 'JPY'],
    ['共3.5亿元', 3.5e8, 'CNY'],
    ['5 millones de euros', 5e6, 'EUR'],
    ["5 millions d'euros", 5e6, 'EUR'],
    ['R$ 5 milhões', 5e6, 'BRL'],
    ['€ 3 milioni', 3e6, 'EUR'],
    ['12,4 млн рублей', 12.4e6, 'RUB'],
  ]
  for (const [text, amount, currency] of cases) assert.deepEqual(money(text), [{ amount, currency }], text)
})

test('reads scale letters and words', () => {
  assert.deepEqual(money('£2.5m, €3k, SEK 1.62 billion, 4 Mio. €'), [
    { amount: 2.5e6, currency: 'GBP' },
    { amount: 3000, currency: 'EUR' },
    { amount: 1.62e9, currency: 'SEK' },
    { amount: 4e6, currency: 'EUR' },
  ])
})

test('reads a letter between number and dollar sign as a scale', () => {
  for (const [text, amount] of [
    ['Budget : 5 M$', 5e6],
    ['10k$', 1e4],
    ['5 bn$', 5e9],
  ] as const)
    assert.deepEqual(money(text), [{ amount, currency: 'USD' }], text)
})

test('reads brackets and minus as negative, but not a bullet', () => {
  assert.deepEqual(money('($1,200.00) and -$104.18'), [
    { amount: -1200, currency: 'USD' },
    { amount: -104.18, currency: 'USD' },
  ])
  assert.deepEqual(money('- £25'), [{ amount: 25, currency: 'GBP' }])
})

test("reads a bare number as an amount only if alone, in the document's currency", () => {
  assert.deepEqual(money('152.00'), [])
  assert.deepEqual(
    findBareMoney(' 152.00 ', CONVENTIONS).map(({ value }) => value),
    [{ amount: 152, currency: 'CHF' }],
  )
  assert.deepEqual(findBareMoney('152.00 for two', CONVENTIONS), [])
  assert.deepEqual(findBareMoney(' １，２００', CONVENTIONS), [
    { value: { amount: 1200, currency: 'CHF' }, start: 1, end: 6 },
  ])
})

test('returns the range as written', () => {
  const text = 'pay USD 42,000 at once'
  const [found] = findMoney(text, CONVENTIONS)
  assert.equal(text.slice(found?.start, found?.end), 'USD 42,000')
})
