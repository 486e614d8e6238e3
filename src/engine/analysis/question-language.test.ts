import assert from 'node:assert/strict'
import test from 'node:test'
import { readForeignLanguage, readQuestionLanguage } from './question-language.ts'

test('recognizes the language of short questions', () => {
  for (const [question, language] of [
    ['How long is probation?', 'en'],
    ['And for children?', 'en'],
    ['Und wie lange?', 'de'],
    ['Wie lange dauert die Probezeit?', 'de'],
    ['¿Y los niños?', 'es'],
    ['¿Cuánto cuesta la entrada?', 'es'],
    ['E para as crianças?', 'pt'],
    ['E il ritorno?', 'it'],
    ['Combien coûte le billet ?', 'fr'],
    ['А за час?', 'ru'],
    ['Сколько стоит билет?', 'ru'],
    ['Скільки коштує квиток?', 'uk'],
    ['Ile kosztują rękawice?', 'pl'],
    ['Hoe laat sluit het zwembad?', 'nl'],
    ['Hur mycket kostar biljetten?', 'sv'],
    ['Bilet ne kadar?', 'tr'],
    ['Velotrexinの最大用量はいくつですか', 'ja'],
    ['Velotrexin的最大剂量是多少？', 'zh'],
    ['요금은 얼마입니까?', 'ko'],
    ['कितने दिन का अवकाश है?', 'hi'],
    ['كم سعر التذكرة؟', 'ar'],
  ] as const) {
    assert.equal(readQuestionLanguage(question, []), language, question)
  }
})

test('prefers the languages of the memory among equals, and knows nothing of names', () => {
  assert.equal(readQuestionLanguage('Kontakt Oslo hvor?', ['da']), 'da')
  assert.equal(readQuestionLanguage('Kontakt Oslo hvor?', ['no']), 'no')
  assert.equal(readQuestionLanguage('Velotrexin 20', ['de']), null)
})

test('a sentence in a language without documents is foreign, a name or a single word is not', () => {
  assert.equal(readForeignLanguage('Wie lange ist die Frist?', ['en']), 'de')
  assert.equal(readForeignLanguage('甲状腺激素在哪里产生？', ['en']), 'zh')
  assert.equal(readForeignLanguage('Wie lange ist die Frist?', ['en', 'de']), null)
  assert.equal(readForeignLanguage('Wie lange ist die Frist?', []), null)
  for (const query of ['nobody@example.com', '甲状腺激素', 'qwrtzpl'])
    assert.equal(readForeignLanguage(query, ['en']), null, query)
})

test('a short question in another script is foreign, a name in it is not', () => {
  assert.equal(readForeignLanguage('Сколько стоит билет?', ['en']), 'ru')
  assert.equal(readForeignLanguage('Who won Super Bowl XLIX?', ['ru']), 'en')
  for (const query of ['Пэнтерс', 'Джош Норман']) assert.equal(readForeignLanguage(query, ['en']), null, query)
  for (const query of ['nobody@example.com', 'Super Bowl'])
    assert.equal(readForeignLanguage(query, ['ru']), null, query)
  // One frequent word is not enough among languages of one script.
  assert.equal(readForeignLanguage('Wer gewann Super Bowl XLIX?', ['en']), null)
})
