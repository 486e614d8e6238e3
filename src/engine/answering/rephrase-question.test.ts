import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../test/support/ask-passages.ts'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { replacePhrases, stripRelationWords } from './rephrase-question.ts'

test('a question for a meaning is answered without the word "mean"', () => {
  const glossary = passage('SLA: service level agreement. RTO: recovery time objective. PII: personal information.')
  for (const question of ['What does RTO stand for?', 'What do you mean by RTO?', 'What does RTO mean?']) {
    assert.deepEqual(quote(question, [glossary]).quotes, ['RTO: recovery time objective.'], question)
  }
  assert.equal(ask('What is the mean of the sample?', [passage('The sample is of ten trees.')]).answered, false)
  assert.equal(ask('What does it mean?', [glossary]).answered, false)
  assert.equal(ask('What does GDP stand for?', [glossary]).answered, false)
  const asked: [string, string, string][] = [
    ['es', '¿Qué significa el error E20?', 'Error E20: el filtro está sucio.'],
    ['pl', 'Co oznacza błąd E20?', 'Błąd E20: filtr jest brudny.'],
    ['de', 'Was bedeutet Fehler E20?', 'Fehler E20: das Sieb ist verschmutzt.'],
    ['fr', 'Que veut dire PII ?', 'PII : informations personnelles.'],
    ['it', 'Cosa significa PII?', 'PII: informazioni personali.'],
    ['nl', 'Wat betekent PII?', 'PII: persoonlijke gegevens.'],
    ['ru', 'Что означает ошибка E20?', 'Ошибка E20: фильтр загрязнён.'],
  ]
  for (const [language, question, answer] of asked) {
    assert.deepEqual(quote(question, [passage(answer)], language).quotes, [answer], question)
  }
})

test('words for consequence and existence need no match', () => {
  const rain = passage('The fair is on the field. If it rains it moves to the hall.')
  assert.equal(quote('What happens if it rains at the fair?', [rain]).quotes[0], 'If it rains it moves to the hall.')
  const regen = passage('Das Fest ist im Garten. Wenn es regnet, feiern wir im Saal.')
  assert.match(quote('Was passiert, wenn es beim Fest regnet?', [regen], 'de').quotes[0] ?? '', /regnet/)
  const gym = passage('No hay permanencia. Para el yoga hay que reservar.', { title: 'Gimnasio Marea' })
  assert.equal(ask('¿Hay aparcamiento en el gimnasio?', [gym], 'es').answered, false)
})

test('a question for a price is answered by the line of a price list, not by another cost', () => {
  const list = passage(
    '| Article | Price | Stock |\n| --- | --- | --- |\n| Widget | 12.50 | 4 |\n| Gadget | 30 | 12 |\n\nDelivery costs 5 euros.',
  )
  for (const question of [
    'What does the gadget cost?',
    'How much does the gadget cost?',
    'What is the price of the gadget?',
  ])
    assert.deepEqual(quote(question, [list]).quotes, ['| Gadget | 30 | 12 |'], question)
  const menu = passage('Kaffee 2,80\nKuchen 3,90\n\nEin Frühstück kostet 12 Euro.')
  assert.equal(quote('Was kostet ein Kuchen?', [menu], 'de').quotes[0], 'Kuchen 3,90')
})

test('a responsible person is found next to the matter', () => {
  const contacts = passage('| Topic | Person |\n| --- | --- |\n| Payroll | Maria Sousa |\n| Holidays | Jonas Weber |')
  for (const question of ['Who is responsible for payroll?', 'Who handles payroll?', 'Whom do I ask about payroll?']) {
    assert.deepEqual(quote(question, [contacts]).quotes, ['| Payroll | Maria Sousa |'], question)
  }
  const said = passage('Payroll is paid by Maria Sousa. Jonas Weber is responsible for payroll.')
  assert.equal(quote('Who is responsible for payroll?', [said]).quotes[0], 'Jonas Weber is responsible for payroll.')
  const coins = passage('There are coins for the machines at the kiosk. The machines are old.')
  assert.equal(quote('Where do I get coins?', [coins]).quotes[0], 'There are coins for the machines at the kiosk.')
  const german = passage('| Thema | Person |\n| --- | --- |\n| Lohnabrechnung | Maria Sousa |')
  assert.equal(ask('Wer ist für die Lohnabrechnung zuständig?', [german], 'de').answered, true)
})

test('auxiliary verbs are no search terms', () => {
  const lease = passage(
    'En Sevilla, entre Joaquín Ortega (el arrendador) y Lucía Peña (la arrendataria).\nLa renta es de 720 euros.',
  )
  const [parties] = quote('¿Quiénes son las partes?', [lease], 'es').quotes
  assert.equal(parties, 'En Sevilla, entre Joaquín Ortega (el arrendador) y Lucía Peña (la arrendataria).')
  assert.deepEqual(quote('¿Quién es el arrendador?', [lease], 'es').quotes, [parties])
  const minutes = passage('Date : 12 octobre 2026\nLa fête aura lieu en décembre.', {
    title: 'Compte rendu de la réunion',
  })
  assert.equal(quote('À quelle date a eu lieu la réunion ?', [minutes], 'fr').quotes[0], 'Date : 12 octobre 2026')
})

test('relation words are removed in a memory of two languages, too', () => {
  const both = ['Chidi organises the boxes.', 'Der Mieter zahlt die Miete of course.', 'It takes an hour.'].map(
    (text) => passage(text),
  )
  assert.deepEqual(quote('Who takes care of the boxes?', both, 'en', 'de').quotes, ['Chidi organises the boxes.'])
})

test('words of permission are searched only if no text mentions the thing', () => {
  const texts = ['Hunde brauchen eine Zustimmung. Kleintiere sind erlaubt.']
  const rest = (question: string) =>
    stripRelationWords(createAnalyzer(), question, { languages: ['en', 'de'], texts }).trim()
  assert.equal(rest('Sind Katzen erlaubt?'), 'Sind Katzen erlaubt?')
  assert.match(rest('Sind Hunde erlaubt?'), /^Sind Hunde +\?$/)
})

test('each relation word is searched once', () => {
  const analyzer = createAnalyzer()
  let searches = 0
  const findTerms: typeof analyzer.findTerms = (...asked) => {
    searches += 1
    return analyzer.findTerms(...asked)
  }
  const question = 'Who handles payroll, and Who Handles rent? '.repeat(400)
  const texts = ['The harbour crane lifts forty tons.']
  assert.doesNotMatch(
    stripRelationWords({ ...analyzer, findTerms }, question, { languages: ['en'], texts }),
    /handles/i,
  )
  assert.equal(searches, 1)
})

test('questions for attendance are answered by lists of minutes', () => {
  const minutes = passage(
    'Board meeting\n\nPresent: Ann Lee, Ben Lund\nApologies: Dora Fox\n\nThe next meeting is on 9 June.',
  )
  assert.equal(quote('Who was at the meeting?', [minutes]).quotes[0], 'Present: Ann Lee, Ben Lund')
  assert.equal(quote('Who took part?', [minutes]).quotes[0], 'Present: Ann Lee, Ben Lund')
  assert.equal(quote("Who wasn't there?", [minutes]).quotes[0], 'Apologies: Dora Fox')
  const niederschrift = passage(
    'Sitzung\n\nAnwesend: Ann Lee, Ben Lund\nEntschuldigt: Dora Fox\n\nDie nächste Sitzung ist im Juni.',
  )
  assert.equal(quote('Wer war bei der Sitzung dabei?', [niederschrift], 'de').quotes[0], 'Anwesend: Ann Lee, Ben Lund')
  assert.equal(quote('Wer konnte nicht kommen?', [niederschrift], 'de').quotes[0], 'Entschuldigt: Dora Fox')
})

test('"in charge" and "came up" do not mean attendance', () => {
  const staff = passage('| Task | Person |\n|---|---|\n| Payroll | Maria Sousa |\n| Post | Ben Lund |')
  assert.deepEqual(quote('Who was in charge of payroll?', [staff]).quotes, ['| Payroll | Maria Sousa |'])
  assert.equal(replacePhrases('Who came up with the raffle?'), 'Who came up with the raffle?')
})

test('days off are leave', () => {
  const guide = passage('You may work from home two days a week. Everybody has 28 days of paid holiday a year.')
  assert.equal(quote('How many days off do I get?', [guide]).quotes[0], 'Everybody has 28 days of paid holiday a year.')
})
