import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../test/support/ask-passages.ts'
import { normalizeForMatch } from '../analysis/fold.ts'
import { asksForProcedure, isProcedureHeading, readStepNumber } from './parent-lines.ts'

const FAQ =
  'How do I change my email address?\nGo to Profile and choose Edit.\n\nWhere are my files stored?\nOn servers in Ireland.\n\n' +
  'How can I delete my account?\nWrite to us. Deletion takes up to 30 days.'

test('the text after a question is the answer, not the question', () => {
  const written = [
    FAQ,
    FAQ.replace(/^(.+\?)\n/gm, 'Q: $1\nA: '),
    FAQ.replace(/^(.+\?)\n/gm, '- $1\n  '),
    FAQ.replace(/^(.+\?)\n/gm, '## $1\n\n'),
    FAQ.replaceAll('?\n', '? '),
  ]
  for (const text of written) {
    const faq = passage(text)
    assert.deepEqual(
      quote('Where are my files stored?', [faq]).quotes.map((quote) => quote.replace('A: ', '')),
      ['On servers in Ireland.'],
      text,
    )
    const whole = /^(?:A: )?Write to us\. Deletion takes up to 30 days\.$/
    assert.match(quote('How can I delete my account?', [faq]).quotes[0] ?? '', whole, text)
    assert.deepEqual(quote('How long does deletion take?', [faq]).quotes, ['Deletion takes up to 30 days.'], text)
  }
  const title = passage('Write to us. Deletion takes up to 30 days.', { title: 'How can I delete my account?' })
  assert.deepEqual(quote('How can I delete my account?', [title]).quotes, [
    'Write to us. Deletion takes up to 30 days.',
  ])
  assert.equal(ask('Where are my files stored?', [passage('Where are my files stored?')]).answered, false)
  const doubtful = passage('The files are stored on servers in Ireland (?)')
  assert.equal(ask('Where are the files stored?', [doubtful]).answered, true)
})

test('a heading covers all lines below, a question only the next line', () => {
  const fairs = passage(
    '## Winter fair\nTom runs it. It is on the quay.\nIt begins on 3 December.\n\n' +
      '## Summer fair\nIngrid runs it. It is on the field.\nIt begins on 27 June.',
    { title: 'Fairs of the school', section: 'Fairs of the school' },
  )
  assert.equal(quote('When does the summer fair begin?', [fairs]).quotes[0], 'It begins on 27 June.')
  const boat = passage(
    '# A new rescue boat\n\nThe rescue boat is nineteen years old. The meeting voted for one of 23,500 euros.',
    { title: 'Minutes', section: 'Minutes' },
  )
  assert.deepEqual(quote('How old is the rescue boat?', [boat]).quotes, ['The rescue boat is nineteen years old.'])
  const releases = passage('# Changes\n\n## 3.2.0 (2025-11-12)\n\n- Search\n\n## 3.1.0 (2025-06-30)\n\n- Start', {
    title: 'Changes',
    section: 'Changes',
  })
  assert.deepEqual(quote('When was 3.2.0 released?', [releases]).quotes, ['## 3.2.0 (2025-11-12)'])
  const chat = passage('Lena: who has the key of the shed?\nOmar: Ada. She sits in room 4.\nBen: Eva sings.')
  assert.ok(!quote('Who has the key of the shed?', [chat]).quotes.includes('Ben: Eva sings.'))
})

test('answers follow questions in chats, interviews and other languages', () => {
  const chat =
    '[09:02] Lena: when do we ship 4.2?\n[09:03] Omar: Thursday, if QA signs off\n[09:05] Lena: who writes it?\n'
  const asked: [string, string, string, string][] = [
    ['en', chat, 'When do we ship 4.2?', '[09:03] Omar: Thursday, if QA signs off'],
    ['de', 'Wann wird abgebucht?\nAm dritten Werktag.\n', 'Wann wird abgebucht?', 'Am dritten Werktag.'],
    ['es', '¿Cuándo llega el pedido?\nEn cinco días.\n', '¿Cuándo llega el pedido?', 'En cinco días.'],
    ['zh', '问：如何修改密码？\n答：打开设置。\n', '如何修改密码？', '答：打开设置。'],
    ['ar', 'س: متى يصل الطلب؟\nج: خلال خمسة أيام.\n', 'متى يصل الطلب؟', 'ج: خلال خمسة أيام.'],
    ['el', 'Πότε φτάνει η παραγγελία;\nΣε πέντε ημέρες.\n', 'Πότε φτάνει η παραγγελία;', 'Σε πέντε ημέρες.'],
  ]
  for (const [language, text, question, answer] of asked) {
    assert.deepEqual(quote(question, [passage(text)], language).quotes, [answer], question)
  }
})

test('the first line of a document without a title acts as title, and is no answer', () => {
  const invoice = passage('TAX INVOICE\nPlants     12     $6.50\nTotal     $78.00')
  assert.equal(quote('What is the total of the invoice?', [invoice]).quotes[0], 'Total     $78.00')
  const contract = passage('Contract no. 17/25\nThe tenant pays on the first day.')
  assert.equal(quote('What is the contract no.?', [contract]).quotes[0], 'Contract no. 17/25')
  const ticket = passage('Ticket of Ada Byron\nStatus: open\nAgent: Joy Mbeki')
  assert.equal(quote('What is the status of the ticket of Ada Byron?', [ticket]).quotes[0], 'Status: open')
  const notes = passage('Anna likes green tea\nBen likes milk')
  assert.deepEqual(quote('What does Anna like?', [notes]).quotes, ['Anna likes green tea'])
})

test('a few words above a paragraph are a heading, and no answer', () => {
  const rules =
    'From ten in the evening to six in the morning nobody plays the drums, or\nAnn Lee is told of it by those who cannot sleep.'
  const house = passage(`Quiet hours\n${rules}\n\nAnn Lee\nBen Lund`)
  assert.equal(quote('When are the quiet hours?', [house]).quotes[0], rules)
  assert.equal(quote('Who are Ann Lee and Ben Lund?', [house]).quotes.includes('Quiet hours'), false)
  const scarf = passage(
    'What the scarf is and what it is used for\nThe scarf is made of wool, and keeps the cold away.',
  )
  assert.deepEqual(quote('What is the scarf used for?', [scarf]).quotes, [
    'The scarf is made of wool, and keeps the cold away.',
  ])
})

test('two or three words above a short statement are a heading', () => {
  const minutes = passage('Roof\nIt is mended in May.\n\nSpeakers of the parents\nAnn Lee and Ben Lund were elected.')
  assert.deepEqual(quote('Who are the speakers of the parents?', [minutes]).quotes, [
    'Ann Lee and Ben Lund were elected.',
  ])
})

test('numbered lines above paragraphs and labels are headings, and steps of a recipe are not', () => {
  const fair = passage(
    '1. Summer fair\nThe fair takes place on 20 June from eleven to four.\n\n2. Lunch\nIt costs more from May on than it did until now.',
  )
  assert.deepEqual(quote('When is the summer fair?', [fair]).quotes, [
    'The fair takes place on 20 June from eleven to four.',
  ])
  const codes = passage('Error codes\nE01: the tank is empty.\nE02: the unit is missing.')
  assert.equal(ask('What does error E03 mean?', [codes]).answered, false)
  assert.deepEqual(quote('What does error E02 mean?', [codes]).quotes, ['E02: the unit is missing.'])
  const steps = passage('1. Beat the eggs\n2. Fold the flour into the eggs, and let all of it rest for an hour.')
  assert.equal(quote('What do I do with the eggs?', [steps]).quotes.includes('1. Beat the eggs'), true)
})

test('an empty line may follow a numbered heading, but not the last step of a list', () => {
  const leaflet = passage(
    '1. What Doloren is and what it is used for\n\nDoloren relieves mild to moderate pain, such as headache and toothache.\n\n4. Possible side effects\n\nCommon: nausea.\nRare: rash.',
  )
  assert.deepEqual(quote('What is Doloren used for?', [leaflet]).quotes, [
    'Doloren relieves mild to moderate pain, such as headache and toothache.',
  ])
  assert.deepEqual(quote('What are the side effects?', [leaflet]).quotes[0], 'Common: nausea.')
  const steps = passage(
    '1. Beat the eggs\n\n2. Fry the eggs\n\nThis keeps for three days in the fridge and can be frozen for months.',
  )
  assert.ok(quote('What do I do with the eggs?', [steps]).quotes.includes('2. Fry the eggs'))
})

test('a few words above a list or steps are a heading, and no answer', () => {
  const notes = passage(
    'Known problems\n* Export is slow\n* Printing is loud\n\nUpgrading the app\n\n1. Make a backup.\n\n2. Run it.\n\nWashing\nStep 1: Sort it.\nStep 2: Press Start.',
  )
  assert.deepEqual(quote('What are the known problems?', [notes]).quotes, ['* Export is slow\n* Printing is loud'])
  assert.deepEqual(quote('How do I upgrade the app?', [notes]).quotes, ['1. Make a backup.\n\n2. Run it.'])
  assert.deepEqual(quote('How do I do the washing?', [notes]).quotes, ['Step 1: Sort it.\nStep 2: Press Start.'])
})

test('a bold line above a list or a paragraph is a heading, and no answer', () => {
  const crumble = passage('**Filling**\n\n- apples\n- sugar\n\n**Topping**\n\n- flour\n- butter')
  assert.deepEqual(quote('What is in the topping?', [crumble]).quotes, ['- flour\n- butter'])
  const notice = passage('**Smoking is forbidden**\n\nThe garden is open from nine to six.')
  assert.deepEqual(quote('Is smoking forbidden?', [notice]).quotes, ['**Smoking is forbidden**'])
})

test('a line with a section sign or number is a heading', () => {
  for (const heading of ['§ 3 Kaution', '3.1 Kaution', 'Artikel 3 Kaution'])
    assert.deepEqual(
      quote(
        'Wie hoch ist die Kaution?',
        [passage(`${heading}\nDer Mieter zahlt drei Kaltmieten.\n\n§ 4 Tiere\nKatzen sind erlaubt.`)],
        'de',
      ).quotes,
      ['Der Mieter zahlt drei Kaltmieten.'],
      heading,
    )
})

test('questions for procedures are recognized in ten languages, and how much, long or often are none', () => {
  for (const question of [
    'How do I descale it?',
    'how to make tea',
    'What are the steps to return it?',
    'Wie kann ich Urlaub beantragen?',
    'Wie entkalke ich sie?',
    'Comment rendre le livre ?',
    '¿Cómo se cambia el filtro?',
    'Come si pulisce il forno?',
    'Como faço para devolver?',
    'Hoe maak ik koffie?',
    'Как сменить фильтр?',
    'Jak zwrócić książkę?',
  ])
    assert.ok(asksForProcedure(normalizeForMatch(question)), question)
  for (const question of [
    'How much is it?',
    'How long do I wait?',
    'Wie lange warte ich?',
    'How is Ann?',
    'How old are we?',
  ])
    assert.ok(!asksForProcedure(normalizeForMatch(question)), question)
})

test('a step has a number', () => {
  assert.deepEqual(
    ['1. Open it.', '12) Close it.', '**Step 2:** Wait.', 'Schritt 3 – Warten', '2026 was dry.', '- Open it.'].map(
      readStepNumber,
    ),
    [1, 12, 2, 3, null, null],
  )
})

const steps = '1. Mix vinegar with water.\n2. Pour it into the tank.\n3. Hold the button.'
const manual = (between: string) =>
  passage(
    `## Brewing\n\n1. Fill the tank.\n2. Press the button.\n\n## Descaling\n\n${between}${steps}\n\n## Care\n\nWipe the machine.`,
  )

test('a question for a procedure gets all steps below the heading', () => {
  assert.equal(quote('How do I descale the machine?', [manual('')]).quotes[0], steps)
  assert.deepEqual(
    quote('How do I do the descaling?', [passage(`## Descaling\n\n${steps.replaceAll(/(\d)\./g, 'Step $1:')}`)]).quotes,
    [steps.replaceAll(/(\d)\./g, 'Step $1:')],
  )
})

test('steps with empty lines between them are one list, up to the next first step', () => {
  const apart = steps.replaceAll('\n', '\n\n')
  const inside = apart.replace('water.', 'water.\n\n   Use white vinegar.')
  for (const written of [apart, inside, `${apart}\n\n1. Fill the tank.`]) {
    const { quotes } = quote('How do I descale the machine?', [
      passage(`## Descaling\n\n${written}\n\nWipe the machine.`),
    ])
    assert.equal(quotes[0], written === inside ? inside : apart)
  }
})

test('steps follow a more similar sentence of the same section, for questions for procedures only', () => {
  const between = 'Descale the machine every three months.\n\n'
  assert.deepEqual(quote('How do I descale the machine?', [manual(between)]).quotes, [between.trim(), steps])
  assert.deepEqual(quote('How often must the machine be descaled?', [manual(between)]).quotes, [between.trim()])
  assert.deepEqual(quote('How do I wipe the machine?', [manual(between)]).quotes, ['Wipe the machine.'])
})

test('steps below any procedure heading belong to the title', () => {
  const steps = '1. Chop the onion.\n2. Fry it.'
  const recipe = passage(`Serves four.\n\n## Method\n\n${steps}`, {
    title: 'Onion soup',
  })
  assert.equal(quote('How do I make onion soup?', [recipe]).quotes[0], steps)
  const names = ['## Method', 'Zubereitung:', '**Étapes**', '## Приготовление', 'Шаги:']
  assert.deepEqual(names.filter(isProcedureHeading), names)
  assert.deepEqual(['Method of payment', 'Schritte ins Freie', 'Шаги навстречу'].filter(isProcedureHeading), [])
})
