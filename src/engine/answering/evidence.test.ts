import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeForMatch } from '../analysis/fold.ts'
import type { AnswerKind } from '../languages/language.ts'
import { readAnswerKind } from './answer-kinds.ts'
import { findEvidence, mayContainAnswer } from './evidence.ts'

function found(kind: AnswerKind, sentence: string, question = ''): string[] | null {
  return (
    findEvidence(sentence, kind, normalizeForMatch(question))?.map(({ start, end }) => sentence.slice(start, end)) ??
    null
  )
}

test('evidence is found with its offsets', () => {
  assert.deepEqual(found('date', 'The pier opened on 4 June 1987.'), ['4 June', '1987'])
  assert.deepEqual(found('money', 'The fee is $1,250 or 900 euros.'), ['$1,250', '900 euros'])
  assert.deepEqual(found('percentage', 'About 12.5 % left, then 40 percent.'), ['12.5 %', '40 percent'])
  assert.deepEqual(found('duration', 'It takes 3 working days.'), ['3 working days'])
  assert.deepEqual(found('person', 'The keys are held by Mara Lindqvist.'), ['Mara Lindqvist'])
})

test('an hour in digits or words answers when, and a quantity does not', () => {
  const said = [
    ['The bakery opens at eleven.', 'at eleven'],
    ['It is open until nine on holidays.', 'until nine'],
    ["The gate is shut at seven o'clock.", "seven o'clock"],
    ['The café opens at 9 am.', '9 am'],
    ['Das Museum öffnet um elf.', 'um elf'],
    ['Der Bäcker öffnet um neun Uhr.', 'neun Uhr'],
    ['La tienda abre a las nueve.', 'a las nueve'],
    ['La tienda abre a las 9 y cierra tarde.', 'a las 9'],
    ['Il museo apre alle dieci.', 'alle dieci'],
    ['Il museo apre alle ore 10.', 'alle ore 10'],
    ['A loja abre às nove.', 'às nove'],
    ['A loja abre às 9h30.', 'às 9h30'],
    ['De winkel opent om negen.', 'om negen'],
    ['De winkel opent om 9.', 'om 9'],
    ['Le musée ferme à dix-huit heures.', 'à dix-huit heures'],
    ['Открыто с девяти утра.', 'с девяти утра'],
  ] as const
  for (const [sentence, hour] of said) {
    assert.deepEqual(found('date', sentence), [hour], sentence)
    assert.deepEqual(found('hour', sentence), [hour], sentence)
  }
  const counts = [
    'They met at two points.',
    'Er stieg um zwei Prozent.',
    'Lo dio a las dos hermanas.',
    'Het gaat om 9 boeken.',
  ]
  for (const sentence of counts) assert.deepEqual(found('date', sentence), [], sentence)
})

test('a day of the week answers when, also a recurring one', () => {
  for (const [sentence, ...days] of [
    ['The shop is closed on Mondays and Sundays.', 'Mondays', 'Sundays'],
    [
      'Montags geschlossen, am Freitag lange, dienstags und an Mittwochen kurz.',
      'Montags',
      'Freitag',
      'dienstags',
      'Mittwochen',
    ],
    ['Fermé les lundis.', 'lundis'],
    ['Abierto los sábados.', 'sábados'],
    ['Si riunisce ogni giovedì.', 'giovedì'],
    ['Fecha às segundas-feiras.', 'segundas-feiras'],
    ['De markt is op zaterdag.', 'zaterdag'],
    ['Spotkanie jest w środę.', 'środę'],
    ['Занятия по средам и пятницам.', 'средам', 'пятницам'],
  ])
    assert.deepEqual(found('date', sentence ?? ''), days, sentence)
})

test('other languages have months, units and numbers', () => {
  assert.deepEqual(found('date', 'Am 4. März war Schluss.'), ['4. März'])
  assert.deepEqual(found('duration', 'Es dauert drei Wochen.'), ['drei Wochen'])
  assert.deepEqual(found('number', 'Было пять судов.'), ['пять'])
  assert.deepEqual(found('date', '大桥于1987年开通。'), ['1987年'])
})

test('words of the question are no evidence', () => {
  assert.deepEqual(found('date', 'In 1987 the pier was sold, in 1990 closed.', 'When after 1987 did it close?'), [
    '1990',
  ])
  assert.deepEqual(found('person', 'The lease of Mara Lindqvist ended.', 'Who gave Mara Lindqvist the lease?'), [])
})

test('a kind without a form has no evidence for or against it', () => {
  assert.equal(found('other', 'Anything at all.'), null)
})

test('loose patterns accept many answers', () => {
  for (const [kind, sentence, expected] of [
    ['date', 'The gate is shut before the evening mass.', true],
    ['date', 'Das Tor schließt um 9 Uhr.', true],
    ['date', 'The gate is made of 12 boards.', false],
    ['money', 'Entry is free.', true],
    ['money', 'Entry is by the gate.', false],
    ['person', 'The accountants sign it.', true],
    ['person', 'Le directeur signe.', true],
    ['person', 'It is signed in ink.', false],
    ['person', 'Mara rows every morning.', true],
    ['place', 'It is signed in ink.', true],
    ['date', '大桥很长。', true],
  ] as const) {
    assert.equal(mayContainAnswer(sentence, kind, normalizeForMatch('')), expected, `${kind}: ${sentence}`)
  }
})

test('the number of a duration is no price, and a price per duration is', () => {
  for (const sentence of ['The drill has a two-year warranty.', 'It goes back within 30 days.'])
    assert.equal(mayContainAnswer(sentence, 'money', ''), false, sentence)
  for (const sentence of [
    'The drill costs 49 per month.',
    'Parking is 3 an hour.',
    'Miete: 900 pro Monat',
    'Tickets: 1500 to 2000',
  ])
    assert.equal(mayContainAnswer(sentence, 'money', ''), true, sentence)
})

test('an item number counts nothing, and a measure is no price', () => {
  assert.deepEqual(found('number', '4. School meals for 20', 'How many children?'), ['20'])
  assert.equal(mayContainAnswer('3. Bring a lunch', 'number', ''), false)
  assert.equal(mayContainAnswer('Der Wintergarten ist 5,20 m breit.', 'money', ''), false)
  for (const sentence of ['Der Kurs beginnt am 3. Mai.', 'It begins on 3 May 2026.', 'Empieza a las 18:30.'])
    assert.equal(mayContainAnswer(sentence, 'money', ''), false, sentence)
  for (const sentence of ['Gadget: 1500', 'The fee from 2024 is 1500.', 'Lunch 12:30 7.50'])
    assert.equal(mayContainAnswer(sentence, 'money', ''), true, sentence)
  assert.equal(mayContainAnswer('Tickets: 12.50 in the shop', 'money', ''), true)
  assert.equal(mayContainAnswer('The castle is 180 pounds.', 'money', ''), true)
  for (const sentence of ['At most three tablets in 24 hours.', 'Do not store above 25 °C.'])
    assert.equal(mayContainAnswer(sentence, 'money', ''), false, sentence)
})

test('the parties of a contract follow "between"', () => {
  const lease = 'This lease is made between Marlow Estates Ltd and Priya Nair.'
  assert.equal(found('parties', lease)?.length, 1)
  assert.equal(mayContainAnswer('Either party may end the lease.', 'parties', ''), false)
  assert.equal(mayContainAnswer('Landlord: Marlow Estates Ltd', 'parties', ''), true)
  assert.equal(found('parties', 'Open between nine and five.')?.length, 0)
})

test('"in" after a number is an inch only at the end of a phrase, and "de 24 heures" is no hour', () => {
  assert.deepEqual(found('measure', 'Two of 3 in Leeds are 12 in wide: 4 in, 5 in.'), ['12 in', '4 in', '5 in'])
  assert.deepEqual(found('hour', 'Dans un délai de 24 heures.'), [])
  assert.equal(found('hour', 'Ouvert de 8 heures à 18 heures.')?.length, 2)
})

test('the genitive of a question word is no evidence', () => {
  assert.deepEqual(found('person', "Dogs need the Landlord's consent.", 'Who is the landlord?'), [])
})

test('hostile texts take linear time', () => {
  for (const text of ['A'.repeat(50_000), '1,'.repeat(30_000), 'Aa '.repeat(30_000), '1 '.repeat(30_000)]) {
    for (const kind of ['date', 'money', 'number', 'person', 'organization', 'duration'] as const)
      mayContainAnswer(text, kind, '')
  }
})

test('an amount is no duration, a measure has a unit, and an hour is no day', () => {
  assert.deepEqual(found('amount', 'We refund up to $20 within 7 days.'), ['20'])
  assert.equal(mayContainAnswer('Up to five days are carried over.', 'amount', ''), true)
  assert.deepEqual(found('measure', 'A tent for 2 weighs 1.94 kg, 整机重量：1.6 千克'), ['1.94 kg', '1.6 千克'])
  assert.deepEqual(found('hour', 'On 1 June it opens at 11:00.'), ['11:00'])
  assert.deepEqual(found('duration', 'It is valid until 3 August.'), ['until 3 August'])
})

test('a currency code precedes or follows an amount', () => {
  assert.deepEqual(found('money', 'MwSt. 8,1 % CHF 198.45, Total 2’648.45 CHF'), ['CHF 198.45', '2’648.45 CHF'])
  assert.deepEqual(found('money', 'Pro Kind 240 Euro oder 260 Dollar.'), ['240 Euro', '260 Dollar'])
  assert.deepEqual(found('money', '合計金額：109,450円'), ['109,450円'])
})

test('a currency has the sign of its language', () => {
  for (const [sentence, ...prices] of [
    ['Karta kosztuje 15,50 zł, a ulgowa 8 zł.', '15,50 zł', '8 zł'],
    ['Lístek stojí 90 Kč.', '90 Kč'],
    ['Turen koster 250 kr. per person, med mad kr. 400.', '250 kr', 'kr. 400'],
    ['A jegy 1200 Ft.', '1200 Ft'],
    ['Вход 300 руб.', '300 руб'],
    ['Квиток 50 грн, bilet 40 TL', '50 грн', '40 TL'],
    ['Der var 12 kraner og 3 krus.'],
  ])
    assert.deepEqual(found('money', sentence ?? ''), prices, sentence)
})

test('a number as a name is no date, price or small count', () => {
  for (const [sentence, ...numbers] of [
    ['Tel. +49 221 5550 12', '+49 221 5550 12'],
    ['Call (0221) 5550-12 or 555-0102.', '(0221) 5550-12', '555-0102'],
    ['Order number: A-4711/26, USt-IdNr. DE123456789', 'A-4711/26', 'DE123456789'],
    ['Open between 8 and 10. Part QH-77.', 'QH-77'],
    ['On 12.03.2026 and 2026-03-12 we paid 1,250.00 € for 3 pumps.'],
    ['On 12/03/2026 they paid 1.200.000 € for more, and 1.200.000,00 € before.'],
  ])
    assert.deepEqual(found('identifier', sentence ?? ''), numbers, sentence)
})

test('number words at the start of a sentence are numbers, clause numbers and names are none', () => {
  for (const [sentence, ...numbers] of [
    ['Seven people were injured.', 'Seven'],
    ['Eighteen boats sank.', 'Eighteen'],
    ['Drei Schlüssel wurden übergeben.', 'Drei'],
    ['Siebzehn Boote sanken.', 'Siebzehn'],
    ['Zweiunddreißig Boote sanken.', 'Zweiunddreißig'],
    ['Tres personas resultaron heridas.', 'Tres'],
    ['Veintidós barcos se hundieron.', 'Veintidós'],
    ['Quinze bateaux ont coulé.', 'Quinze'],
    ['Tredici barche affondarono.', 'Tredici'],
    ['Cinco barcos afundaram.', 'Cinco'],
    ['Twaalf boten zonken.', 'Twaalf'],
    ['Trzy łodzie zatonęły.', 'Trzy'],
    ['Пятнадцать лодок утонули.', 'Пятнадцать'],
    ['- Four ropes', 'Four'],
    ['11. KEYS. Three sets of keys were handed over.', 'Three'],
    ['§ 4 Pets. Two cats may be kept.', 'Two'],
    ['Article 6. Pets. Two cats may be kept.', 'Two'],
    ['Cláusula 12. Llaves. Tres juegos se entregan.', 'Tres'],
    ['4.1 Keys. Three sets were handed over.', 'Three'],
    ['4.5 litres are needed.', '4.5'],
    ['They walked through Seven Oaks.'],
  ] as const)
    assert.deepEqual(found('number', sentence), numbers, sentence)
})

test('an amount of money is a price, whatever it buys', () => {
  const prices = [
    ['Parking costs 2 dollars an hour.', 'How much does parking cost?'],
    ['A guard is 30 euros an hour.', 'How much is a guard?'],
    ['The room costs 80 pounds a night.', 'How much does the room cost?'],
    ['The tour costs £12 per person.', 'How much does the tour cost?'],
    ['The bike costs 9 euros a day.', 'How much does the bike cost?'],
    ['Seven dollars an hour.', 'How much does parking cost?'],
    ['Das Rad kostet 9 Euro pro Tag.', 'Wie viel kostet das Rad?'],
    ['Das Zimmer kostet 80 Euro die Nacht.', 'Was kostet das Zimmer?'],
    ['La chambre coûte 4 € la nuit.', 'Combien coûte la chambre ?'],
    ["Le parking coûte 2 francs l'heure.", 'Combien coûte le parking ?'],
    ['La bici cuesta 9 euros al día.', '¿Cuánto cuesta la bici?'],
    ['La camera costa 80 euro a notte.', 'Quanto costa la camera?'],
    ['O quarto custa 80 euros por noite.', 'Quanto custa o quarto?'],
    ['De fiets kost 9 euro per dag.', 'Hoeveel kost de fiets?'],
    ['Rower kosztuje 9 złotych za godzinę.', 'Ile kosztuje rower?'],
    ['Велосипед стоит 90 рублей в час.', 'Сколько стоит велосипед?'],
  ] as const
  for (const [sentence, question] of prices) {
    const words = normalizeForMatch(question)
    assert.ok(mayContainAnswer(sentence, readAnswerKind(question).kind, words), sentence)
    assert.ok((findEvidence(sentence, readAnswerKind(question).kind, words) ?? [1]).length > 0, sentence)
  }
  assert.ok(!mayContainAnswer('A guard comes after 30 minutes.', 'money', ''))
  assert.ok(!mayContainAnswer('A two-year warranty comes with it.', 'money', ''))
})

test('a date or an hour is no number of things, and a price no length of time', () => {
  const may = (question: string, sentence: string) =>
    mayContainAnswer(sentence, readAnswerKind(question).kind, normalizeForMatch(question))
  for (const [question, sentence] of [
    ['How many people work at the plant?', 'The plant closes in autumn 2027.'],
    ['How large was the backup?', '2026-01-13 02:00:02 backup started'],
    ['How many weeks does the course last?', '| Pottery | Monday | £95 |'],
    ['How deep is the main pool?', 'The water of the main pool has 27 degrees.'],
    ['How warm is the main pool?', 'The main pool is 1.80 m at the wall.'],
    ['How often are the extractors serviced?', 'The hall has one saw and two extractors.'],
    ['駅から何分かかりますか。', '駅からのバスは電話で予約してください。'],
    ['宿舍有多少间房间？', '房间内请保持安静。'],
    ['How many people work at the plant?', 'The plant was opened in March 2027 and since 1998 it has a shop.'],
    ['What is the temperature of the main pool?', 'The main pool is 1.80 m at the wall.'],
  ] as const)
    assert.equal(may(question, sentence), false, question)
  for (const [question, sentence] of [
    ['How many people work at the plant?', 'In 2027 the plant had 212 people.'],
    ['How warm is the main pool?', 'The main pool has 27 °C.'],
    ['How deep is the main pool?', 'The main pool has 27 °C and a depth of 1.80 m.'],
    ['How often is the saw serviced?', 'The saw is serviced every 200 hours.'],
    ['Wie oft werden die Bremsen geprüft?', 'Die Bremsen werden alle 1500 km geprüft.'],
    ['How old is the mill?', 'The mill was built in 1890.'],
    ['How much subsidy is there?', 'The subsidy is 400 euros.'],
    ['駐車場は何台ですか。', '駐車場は二十台まで。'],
    ['How many people work there?', 'The plant has 1500 workers.'],
    ['Wie viele Leute arbeiten dort?', 'Das Werk hat 1500 Beschäftigte.'],
    ['How deep is the hot tub?', 'The hot tub is 1.2 m deep.'],
    ['How high can I set the thermostat?', 'The thermostat goes up to 21 degrees.'],
    ['How far does the seat recline?', 'The seat reclines by 160°.'],
    ['Wie tief ist das warme Becken?', 'Das warme Becken ist 1,20 m tief.'],
    ['How many times was the lift repaired?', 'It has had 3 repairs.'],
    ['How many times a year is the boiler serviced?', 'It is serviced every winter.'],
    ['Combien de fois a-t-il été réparé ?', 'Il a eu 3 réparations.'],
    ['How many rooms are there?', 'Twelve rooms (客房) are on the first floor.'],
    ['How many rooms are there?', 'มีห้องพักสิบสองห้อง'],
  ] as const)
    assert.equal(may(question, sentence), true, question)
})

test('an address answers for an email address', () => {
  assert.deepEqual(found('email', 'Ann Lee;Sales;ann.lee@mill.example;214'), ['ann.lee@mill.example'])
  assert.deepEqual(found('email', 'Write to Ann.'), [])
  for (const text of [
    '**a@b.example**',
    '`a@b.example`',
    '[a@b.example]',
    '„a@b.example“',
    '：a@b.example',
    '=a@b.example',
  ])
    assert.deepEqual(found('email', text), ['a@b.example'], text)
  const question = 'What is the email address of the customer?'
  assert.equal(mayContainAnswer('Mrs Edith Lomax', readAnswerKind(question).kind, normalizeForMatch(question)), false)
  assert.equal(readAnswerKind(question).isPlain, true)
  assert.deepEqual(found('organization', 'A-101;hose;Fenwick;R2', 'Which company supplies the hose?'), ['Fenwick'])
})

test('a single unit of time after its preposition is a duration, and a price per unit is none', () => {
  const cases: [text: string, found: string[]][] = [
    ['It is valid for a week.', ['for a week']],
    ['Er gilt für eine Woche.', ['für eine Woche']],
    ['It costs 20 euros a week.', []],
  ]
  for (const [text, found] of cases)
    assert.deepEqual(
      findEvidence(text, 'duration', '')?.map(({ start, end }) => text.slice(start, end)),
      found,
      text,
    )
})

test('years are no amounts', () => {
  for (const [sentence, ...amounts] of [
    ['Ann kept the light from 1979 to 1990, and in 1994 again.'],
    ['The prize is worth 1200 to 1500.', '1200', '1500'],
    ['They paid 2000 a year.', '2000'],
  ])
    assert.deepEqual(found('amount', sentence ?? ''), amounts, sentence)
})
