import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerKind } from '../languages/language.ts'
import { readAnswerKind } from './answer-kinds.ts'

const QUESTIONS: Readonly<Partial<Record<AnswerKind, readonly string[]>>> = {
  date: [
    'When was the mill built?',
    'In what year did the bridge open?',
    'In welchem Jahr wurde die Mühle gebaut?',
    'Wann schließt das Büro?',
    "En quelle année l'usine a-t-elle ouvert ?",
    '¿En qué año abrió la fábrica?',
    'In quale anno è stato costruito il ponte?',
    'Em que ano abriu a ponte?',
    'Wanneer ging de brug open?',
    'Kiedy otwarto most?',
    'В каком году открылся мост?',
    '大桥是哪一年开通的？',
  ],
  version: [
    'Which version fixed the crash?',
    'What is the latest version?',
    'Which Node version do I need?',
    'Welche Version behebt den Absturz?',
    'Quelle version a corrigé le plantage ?',
    '¿En qué versión se corrigió el fallo?',
    'В какой версии исправлена ошибка?',
    '哪个版本修复了崩溃？',
  ],
  number: [
    'How many ships are there?',
    'Wie viele Schiffe gibt es?',
    'Combien de navires ?',
    '¿Cuántos barcos hay?',
    'Сколько кораблей?',
    '有多少艘船？',
  ],
  duration: [
    'How long does it take?',
    'Wie lange dauert es?',
    '¿Cuánto tiempo dura?',
    'Как долго это длится?',
    '需要多长时间？',
  ],
  hour: [
    'What time does it open?',
    'Um wie viel Uhr?',
    'À quelle heure ?',
    '¿A qué hora abre?',
    'Во сколько?',
    '几点开门？',
    '何時からですか',
  ],
  measure: [
    'How heavy is it?',
    'Wie schwer ist er?',
    'Quel est le poids ?',
    '¿Cuál es la altura?',
    'Какой вес?',
    '多重？',
  ],
  amount: ['How much is refunded?', 'Wie viel bekomme ich?', 'Combien reste-t-il à payer ?'],
  percentage: ['What percentage of tenants agreed?', 'Welcher Prozentsatz stimmte zu?', 'Какой процент?'],
  money: [
    'How much does the permit cost?',
    'What will the lunch of the school cost?',
    'Wie teuer ist es?',
    'Was kosten die Karten?',
    '¿Cuánto costará el ascensor?',
    'Wie hoch ist das monatliche Gehalt?',
    'Quel est le montant du loyer ?',
    'Сколько стоит билет?',
    '门票多少钱？',
  ],
  person: [
    'Who signed the lease?',
    'Wer hat unterschrieben?',
    'Qui a signé ?',
    '¿Quién firmó?',
    'Кто подписал?',
    '谁签了字？',
  ],
  place: [
    'Where is the depot?',
    'Wo liegt das Lager?',
    'Où est le dépôt ?',
    '¿Dónde está?',
    'Где склад?',
    '仓库在哪里？',
  ],
  organization: [
    'Which company runs the ferry?',
    'Welche Firma betreibt die Fähre?',
    'Какая компания владеет паромом?',
  ],
  reason: [
    'Why did it fail?',
    'Warum fiel es aus?',
    'Pourquoi ?',
    '¿Por qué falló?',
    'Почему это сломалось?',
    '为什么失败？',
  ],
  parties: [
    'Who are the parties to the lease?',
    'Wer sind die Vertragsparteien?',
    '¿Quiénes son las partes?',
    '双方是谁？',
  ],
  other: ['What colour is the door?', 'Is the depot open?', 'Blaue Tür', ''],
}

for (const [kind, questions] of Object.entries(QUESTIONS)) {
  test(`questions for ${kind} are recognized in each language`, () => {
    for (const question of questions) assert.equal(readAnswerKind(question).kind, kind, question)
  })
}

test('a "when" or "who" after another interrogative asks for neither date nor person', () => {
  assert.deepEqual(readAnswerKind('What happens when the boiler leaks?'), { kind: 'other', isPlain: false })
  assert.equal(readAnswerKind('How old was the keeper when he retired?').kind, 'number')
  assert.equal(readAnswerKind('Que se passe-t-il quand la chaudière fuit ?').kind, 'other')
  assert.equal(readAnswerKind('What do visitors who come late have to do?').kind, 'other')
})

test('a noun may ask for a name', () => {
  assert.deepEqual(readAnswerKind('What was the period after the ice age called?'), { kind: 'date', isPlain: false })
  assert.deepEqual(readAnswerKind('When did the ice age end?'), { kind: 'date', isPlain: true })
  assert.equal(readAnswerKind('What does the keeper feel?').kind, 'other')
})

test('a number with a noun asks for an identifier', () => {
  for (const question of [
    'What is the phone number of Ann Lee?',
    'What is our VAT ID?',
    'Wie lautet die Kundennummer?',
    'Quel est le numéro de téléphone ?',
    '¿Cuál es el número de pedido?',
    '电话号码是多少？',
  ])
    assert.equal(readAnswerKind(question).kind, 'identifier', question)
  assert.equal(readAnswerKind('What is the number of members?').kind, 'number')
  assert.equal(readAnswerKind('What is the atomic number of gold?').kind, 'other')
})

test('questions for permission have many forms, and possibility is none of them', () => {
  for (const question of [
    'May I bring my phone?',
    'May children take the tablets?',
    'Dürfen die Kinder ihr Handy mitnehmen?',
    'Can I use a calculator?',
    'Are dogs allowed in the garden?',
    'Darf ich hier rauchen?',
    'Sind Hunde erlaubt?',
    'Peut-on fumer ici ?',
    '¿Puedo llevar comida?',
    'Можно ли курить?',
  ])
    assert.equal(readAnswerKind(question).kind, 'permission', question)
  for (const question of ['What can I bring?', 'How may I pay?', 'When can we swim?'])
    assert.notEqual(readAnswerKind(question).kind, 'permission', question)
})

test('a request for a value asks for the kind of its noun', () => {
  const requests: readonly [string, AnswerKind][] = [
    ['Deposit for the boat trip?', 'money'],
    ['monthly fee L2', 'money'],
    ['What is the annual membership fee for a family?', 'money'],
    ['Which deposit applies to a boat?', 'money'],
    ['share price on the day of the report', 'money'],
    ["What is Ann Lee's email address?", 'email'],
    ['What is the email address of Ann Lee?', 'email'],
    ['Wie lautet die E-Mail-Adresse von Ann Lee?', 'email'],
    ['Welche Durchwahl hat Ann Lee?', 'identifier'],
    ['Kündigungsfrist für das Boot', 'duration'],
    ["Prix de l'adhésion", 'money'],
    ['¿Cuál es la fianza del piso?', 'money'],
    ['What is the due date?', 'date'],
    ['Which due date applies?', 'date'],
  ]
  for (const [request, kind] of requests) assert.equal(readAnswerKind(request).kind, kind, request)
  for (const question of ['Is the fee refundable?', 'Where is the date printed?', 'Can I share the deposit?'])
    assert.ok(!['money', 'date'].includes(readAnswerKind(question).kind), question)
})

test('a question for a person or a name asks for no value of its nouns', () => {
  assert.equal(readAnswerKind('Who is in charge of the keys?').kind, 'person')
  for (const question of ['Which plan costs 3 dollars a month?', 'Which seat costs €40?', 'Which costs 9 pounds?'])
    assert.equal(readAnswerKind(question).kind, 'other', question)
  assert.equal(readAnswerKind('Which fee applies to orders below 50 euros?').kind, 'money')
  assert.equal(readAnswerKind('Welcher Tarif gilt am Sonntag?').kind, 'money')
})

test('a figure behind the noun does not change the kind', () => {
  const questions: readonly [string, AnswerKind][] = [
    ['What was the population in 1990?', 'number'],
    ['Which month had 9 concerts?', 'date'],
    ['Welches Jahr hatte 9 Konzerte?', 'date'],
    ['Which town has 2 mills?', 'place'],
    ['Welche Stadt hat 2 Mühlen?', 'place'],
    ['Which company runs 5 ferries?', 'organization'],
    ['What proportion in 2022 was sold?', 'percentage'],
    ['Which price applies in 2024?', 'money'],
  ]
  for (const [question, kind] of questions) assert.equal(readAnswerKind(question).kind, kind, question)
})

test('a noun before another one asks for no value of its own', () => {
  for (const question of ['What is the pension age?', 'Which pension age applies?', 'What is the subscription period?'])
    assert.notEqual(readAnswerKind(question).kind, 'money', question)
  for (const question of ['What is the tariff number?', 'Which budget year is it?'])
    assert.notEqual(readAnswerKind(question).kind, 'money', question)
})

test('only a question for an email address needs one', () => {
  for (const question of [
    'Which emails are archived?',
    'What email client is used?',
    'What is the email from Ann about?',
  ])
    assert.equal(readAnswerKind(question).isPlain, false, question)
  for (const question of ['What is the email of Ann Lee?', 'Wie lautet die E-Mail-Adresse von Ann?'])
    assert.deepEqual(readAnswerKind(question), { kind: 'email', isPlain: true }, question)
})

test('Japanese questions show the kind of answer', () => {
  const questions: readonly [string, AnswerKind][] = [
    ['入場料はいくらですか。', 'money'],
    ['会費は？', 'money'],
    ['駅から何分かかりますか。', 'duration'],
    ['受付は何時までですか。', 'hour'],
    ['休みはいつですか。', 'date'],
    ['何台停められますか。', 'number'],
    ['なぜ中止になったのですか。', 'reason'],
    ['予約の電話番号を教えてください。', 'identifier'],
    ['いつでも使えますか。', 'other'],
  ]
  for (const [question, kind] of questions) assert.equal(readAnswerKind(question).kind, kind, question)
})
