import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../test/support/ask-passages.ts'

test('the number next to the counted noun wins', () => {
  const mail = passage('By letter 47 they were ordered. Among what came were pumps, which we counted: three.')
  assert.equal(quote('How many pumps were ordered?', [mail]).quotes.length, 1)
  assert.match(quote('How many pumps were ordered?', [mail]).quotes[0] ?? '', /three/)
})

test('an order number and a price count nothing that the sentence does not mention', () => {
  const mail = passage('Thank you for your order 4711. The three pumps will be shipped on Monday.', {
    title: 'Delivery of the pumps',
  })
  const { quotes } = quote('How many pumps were ordered?', [mail])
  assert.ok(quotes.includes('The three pumps will be shipped on Monday.'))
})

test('a question of price synonyms and a sentence of prices do not exceed the argument limit', () => {
  const asked =
    'What is the price fee charge cost costs teuer kosten kostet preis gesamtpreis kaufpreis stückpreis endpreis gebühr coût coûte prix tarif cuesta coste precio стоит стоимость цена'
  const list = passage('$1 '.repeat(40) + 'fee '.repeat(140))
  assert.ok(ask(asked, [list], 'en', 'de').answered)
})
