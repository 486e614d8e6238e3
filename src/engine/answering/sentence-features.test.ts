import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage } from '../../../test/support/ask-passages.ts'

test('of two numbers that which counts what is asked for is told', () => {
  const mail = passage('By letter 47 they were ordered. Among what came were pumps, which we counted: three.')
  assert.equal(ask('How many pumps were ordered?', [mail]).quotes.length, 1)
  assert.match(ask('How many pumps were ordered?', [mail]).quotes[0] ?? '', /three/)
})

test('the number of an order and a price are no count of what the sentence does not speak of', () => {
  const mail = passage('Thank you for your order 4711. The three pumps will be shipped on Monday.', {
    title: 'Delivery of the pumps',
  })
  assert.deepEqual(ask('How many pumps were ordered?', [mail]).quotes, ['The three pumps will be shipped on Monday.'])
})

test('a sentence of prices and one word is read in which every word of a question for the price stands', () => {
  const asked =
    'What is the price fee charge cost costs teuer kosten kostet preis gesamtpreis kaufpreis stückpreis endpreis gebühr coût coûte prix tarif cuesta coste precio стоит стоимость цена'
  const list = passage('$1 '.repeat(40) + 'fee '.repeat(140))
  assert.ok(ask(asked, [list], 'en', 'de').answered)
})
