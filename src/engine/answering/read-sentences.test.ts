import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../test/support/ask-passages.ts'

test('a table header is the parent of its rows, together with the heading above', () => {
  const rows = '| On call | Priya Nair | 555-0101 |\n| Stores | Sam Ode | 555-0102 |'
  const table = `## Contacts\n\n| Role | Name | Phone |\n| --- | --- | --- |\n${rows}`
  const staff = passage(`${table}\n\nThe stores are closed on Monday.`)
  assert.deepEqual(quote('What is the phone number of the stores?', [staff]).quotes, [
    '| Stores | Sam Ode | 555-0102 |',
  ])
  assert.deepEqual(quote('Which role has Sam Ode?', [staff]).quotes, ['| Stores | Sam Ode | 555-0102 |'])
})

test('a sentence with an anaphor includes the previous sentence', () => {
  const cases: [language: string, question: string, text: string, answer: string][] = [
    [
      'en',
      'What is the tunic worn for?',
      'The tunic is made of wool. It is worn for fishing, and for feasts.',
      'It is worn for fishing, and for feasts.',
    ],
    [
      'de',
      'Wann wurde die Mühle verkauft?',
      'Die Mühle steht am Fluss. Sie wurde 1987 verkauft. Der Fluss trat 1990 über die Ufer.',
      'Sie wurde 1987 verkauft.',
    ],
    ['ru', 'Когда продали мельницу?', 'Мельница стоит у реки. Её продали в 1987 году.', 'Её продали в 1987 году.'],
  ]
  for (const [language, question, text, answer] of cases)
    assert.equal(quote(question, [passage(text)], language).quotes[0], answer)
})

test('a date of the question is found in any form', () => {
  const log = passage(
    '2026-01-12 02:00 job nightly-db failed: disk quota exceeded\n2026-01-13 02:00 job nightly-db finished, 41.9 GB',
  )
  const [first, second] = log.sentences.map(({ start, end }) => log.text.slice(start, end))
  assert.deepEqual(ask('What happened to the job nightly-db on 12 January?', [log]).quotes[0], first)
  assert.deepEqual(ask('What happened to the job nightly-db on 13/01/2026?', [log]).quotes[0], second)
})

const answers = (question: string, text: string, language: string) => ask(question, [passage(text)], language).quotes

test('a sentence after one that names the situation asked about answers', () => {
  const answered: [question: string, text: string, said: string, language?: string][] = [
    ['Who feeds the cat while Rosa is away?', 'Rosa is away in July. Milan feeds the cat.', 'Milan feeds the cat.'],
    [
      'While Rosa is away, who feeds the cat?',
      'Rosa is away in July. In that time Milan feeds the cat.',
      'In that time Milan feeds the cat.',
    ],
    [
      'Where do guests park while the north yard is closed?',
      'The north yard is closed until June. Guests park behind the mill.',
      'Guests park behind the mill.',
    ],
    [
      'Wer leitet die Sitzung, während Frau Opitz krank ist?',
      'Frau Opitz ist bis Mai krank. Die Sitzung leitet Herr Anders.',
      'Die Sitzung leitet Herr Anders.',
      'de',
    ],
    [
      'Qui ouvre la salle pendant les vacances de M. Prat ?',
      'M. Prat est en vacances en août. Mme Sorel ouvre la salle.',
      'Mme Sorel ouvre la salle.',
      'fr',
    ],
    [
      'Chi apre il negozio mentre la signora Bassi è in viaggio?',
      'La signora Bassi è in viaggio fino a maggio. Il negozio lo apre il signor Monti.',
      'Il negozio lo apre il signor Monti.',
      'it',
    ],
    [
      'Kto otwiera sklep podczas urlopu pani Kos?',
      'Pani Kos jest na urlopie. Sklep otwiera pan Zych.',
      'Sklep otwiera pan Zych.',
      'pl',
    ],
    [
      '高橋さんの休暇中の連絡先は誰ですか。',
      '高橋さんは来月休暇です。その間の連絡先は中村さんです。',
      'その間の連絡先は中村さんです。',
      'ja',
    ],
  ]
  for (const [question, text, said, language = 'en'] of answered)
    assert.deepEqual(answers(question, text, language), [said], question)
})

test('the situation of another one, or a sentence about another one, answers nothing', () => {
  const declined: [question: string, text: string, language?: string][] = [
    ['Who feeds the cat while Omar is away?', 'Rosa is away in July. Milan feeds the cat.'],
    ['Who feeds the cat while Rosa is away?', 'Rosa is away in July. Milan feeds the cat of Omar.'],
    ['Who feeds the cat while Rosa is away?', 'Rosa is away in July. Milan does not feed the cat.'],
    ['Who feeds the cat while Rosa is away?', 'Rosa is never away. Milan feeds the cat.'],
    ['Who feeds the cat while Rosa is away?', 'Rosa is away in July. Milan feeds the cat if it rains.'],
    ['Who signs contracts while Ms Hart is on leave?', 'Ms Hart is on leave until May. Mr Lund signs invoices.'],
    ['What does Rosa pay during the course?', 'Rosa teaches during the course. Omar pays 40 euros.'],
    ['Who drives the bus during the strike?', 'The strike ended on Monday. Bob drives the bus again.'],
    ['Wer leitet die Sitzung, wenn Frau Opitz krank ist?', 'Frau Opitz ist krank. Herr Anders hat Urlaub.', 'de'],
    ['Wer füttert die Katze, während Rosa weg ist?', 'Rosa ist im Juli weg. Milan füttert die Katze nicht.', 'de'],
    ['Qui ferme la salle pendant l’absence de Marc ?', 'Marc est absent mardi. Julie ferme la salle de Paul.', 'fr'],
    ['Vem leder kursen om vin?', 'Kursen handlar om vin. Erik leder kursen om ost.', 'sv'],
    ['箱の中の鍵の持ち主は誰ですか。', '箱の中に鍵があります。佐藤さんは傘の持ち主です。', 'ja'],
  ]
  for (const [question, text, language = 'en'] of declined)
    assert.deepEqual(answers(question, text, language), [], text)
})

test('an article is no pronoun of another language', () => {
  const trains = 'Il tram verde ferma in via Po. Il tram rosso porta le biciclette.'
  assert.deepEqual(answers('Il tram verde porta le biciclette?', trains, 'it'), [])
  assert.deepEqual(answers('Il tram rosso porta le biciclette?', trains, 'it'), ['Il tram rosso porta le biciclette.'])
})
