import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConventions } from './read-conventions.ts'

test('infers the date order from dates, then country, then language', () => {
  assert.equal(readConventions('03/14/2026, 49 £', 'en').dateOrder, 'mdy')
  assert.equal(readConventions('03/01/2026, Boise, ID 83702', 'en').dateOrder, 'mdy')
  assert.equal(readConventions('03/01/2026, £5', 'en').dateOrder, 'dmy')
  assert.equal(readConventions('03/01/2026, $5', 'de').dateOrder, 'dmy')
  assert.equal(readConventions('03/01/2026', 'en').dateOrder, 'dmy')
})

test('infers the decimal mark from numbers, then language', () => {
  assert.equal(readConventions('8.450,00 €', 'en').decimalMark, ',')
  assert.equal(readConventions('', 'de').decimalMark, ',')
  assert.equal(readConventions('', 'en').decimalMark, '.')
})

test('resolves dollars by country, and returns the only currency of a document', () => {
  assert.deepEqual(readConventions('Total (AUD) $1,913.45', 'en').dollar, 'AUD')
  assert.equal(readConventions('$5', 'en').currency, 'USD')
  assert.equal(readConventions('$5 and €5', 'en').currency, null)
  assert.equal(readConventions('no money', 'en').currency, null)
})

test('reads ¥ as yuan in Chinese or if the yuan is named, unless the yen is named', () => {
  assert.equal(readConventions('价税合计：¥5,650.00', 'zh').yen, 'CNY')
  for (const text of ['¥5 (CNY)', '¥5 RMB', '人民币 ¥5', '运费：5元，合计：¥50'])
    assert.equal(readConventions(text, 'en').yen, 'CNY', text)
  assert.equal(readConventions('合計：￥5,650', 'ja').yen, 'JPY')
  assert.equal(readConventions('¥5,650', 'en').yen, 'JPY')
  assert.equal(readConventions('令和元年 ¥5 (JPY)', 'zh').yen, 'JPY')
  assert.equal(readConventions('￥5,650.00', 'zh').currency, 'CNY')
})

test('reads TL as lira in Turkish or if a lira is named', () => {
  assert.equal(readConventions('1.250,00 TL', 'tr').lira, 'TRY')
  assert.equal(readConventions('Total (TRY): 1.250 TL', 'en').lira, 'TRY')
  assert.equal(readConventions('2 TL Salz', 'de').lira, null)
})

test('resolves kr by a named code, then by language', () => {
  const languages = ['sv', 'no', 'nb', 'da', 'is', 'en']
  const read = languages.map((language) => readConventions('1 250 kr', language).krone)
  assert.deepEqual(read, ['SEK', 'NOK', 'NOK', 'DKK', 'ISK', null])
  assert.equal(readConventions('Total (NOK): 1 250 kr', 'en').krone, 'NOK')
  assert.equal(readConventions('1 250 kr, SEK or NOK', 'sv').krone, 'SEK')
})

test('reads 元 as yuan, in traditional characters only if named', () => {
  assert.equal(readConventions('合计：5650元', 'zh').yuan, 'CNY')
  assert.equal(readConventions('總計：5650元', 'zh').yuan, null)
  assert.equal(readConventions('總計：人民幣5650元', 'zh').yuan, 'CNY')
})
