import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../test/support/ask-passages.ts'
import { isQuestion, isSpeakerLine } from './dialogue-lines.ts'

test('a question without a question mark is a question, a statement is none', () => {
  const questions = [
    '予約は必要ですか。',
    '営業時間を教えてください。',
    '何時に開きますか',
    '예약이 필요합니까.',
    '주차장이 있나요',
    '영업 시간을 알려 주세요.',
    '需要预约吗。',
    'Please tell me where the key is.',
    '- Tell us how the pump is started.',
    'Bitte sagen Sie mir, wo der Schlüssel liegt.',
    'Ich möchte wissen, wann geöffnet ist.',
    'Je voudrais savoir où est la clé.',
    'Quisiera saber dónde está la llave.',
    'Vorrei sapere dove si parcheggia.',
    'Gostaria de saber onde fica a chave.',
    'Ik wil graag weten waar de sleutel ligt.',
    'Подскажите, где лежит ключ.',
    'Randevu gerekli mi.',
    'Q: opening hours',
    '**Question:** the opening hours',
    '问：营业时间',
    '[09:12] Lena: who has the key of the shed',
    '**Lena:** wo ist der Schlüssel',
  ]
  assert.deepEqual(
    questions.filter((text) => !isQuestion(text)),
    [],
  )
  const statements = [
    '予約が必要です。',
    '部屋は静か。',
    '가까우니까.',
    '학교에 가요.',
    'Please let me know by Friday.',
    'Show me is a word of two.',
    'Bitte melden Sie sich an.',
    'What is not covered',
    'Ben: Eva sings.',
    'Who comes first: Ada.',
    'Q4 results',
    'Sie isst gern Salami.',
  ]
  assert.deepEqual(statements.filter(isQuestion), [])
})

test('a name with a time above a message is a speaker, a label with its value is none', () => {
  const speaker = (line: string, below = 'It is in the box.') => isSpeakerLine(passage(`${line}\n${below}`), 0)
  const names = [
    '**Maya Lindqvist** 09:12',
    'Maya Lindqvist 09:12',
    'Maya Lindqvist  [9:12 AM]',
    '[09:12] Maya Lindqvist',
    'Maya, Today at 09:12',
    '12.03.2026 09:12 – Tobias Kern',
    'Tobias Kern — 2026-03-12, 09:12:',
    'Ludwig van der Berg 14:05',
    '田中 14:05',
    'Interviewer:',
    '**Maya:**',
    '@maya_l 09:12',
  ]
  assert.deepEqual(
    names.filter((line) => !speaker(line)),
    [],
  )
  assert.ok(!speaker('The gate opens at 09:12'))
  assert.ok(!speaker('Parcel 4711'))
  assert.ok(!speaker('Needed:', '- a rope'))
  assert.ok(!speaker('Maya Lindqvist 09:12', '\n'))
})

const CHAT =
  '**Maya Lindqvist** 09:12\nWho has the key of the van?\nI leave at noon.\n\n' +
  '**Tobias Kern** 09:14\nIt hangs in the grey box.\nThe box is never locked.\n\n' +
  '**Maya Lindqvist** 09:15\nThanks, and the weather is fine.'

test('the reply to a question is the next message, not its speaker', () => {
  const written = [
    CHAT,
    CHAT.replaceAll('**', ''),
    CHAT.replaceAll(/\*\*(.+)\*\* (.+)/g, '[$2] $1'),
    CHAT.replaceAll(/ 09:1\d/g, ':'),
    CHAT.replace('van?', 'van').replace('Who has', 'who has'),
  ]
  for (const text of written) {
    const { quotes } = quote('Where is the key of the van?', [passage(text)])
    assert.match(quotes.join(' '), /box/, text)
    assert.ok(!quotes.some((quote) => /\d\d:\d\d|Maya|noon|weather/.test(quote)), quotes.join(' / '))
  }
  assert.match(quote('When did Tobias Kern reply?', [passage(CHAT)]).quotes[0] ?? '', /09:14/)
})

test('a question back is no answer, the reply after it is', () => {
  const labelled = 'Lena: Who has the key of the van?\nOmar: Which van?\nLena: The blue one.\nOmar: Ada Byron has it.'
  const apart = labelled.replaceAll(': ', ' 10:02\n').replaceAll(/\n(?=[LO])/g, '\n\n')
  for (const text of [labelled, apart])
    assert.match(
      quote('Who has the key of the van?', [passage(text)]).quotes[0] ?? '',
      /^(?:Omar: )?Ada Byron has it\.$/,
      text,
    )
})

test('a reply of someone who does not know is no answer, the next reply is', () => {
  const chats = [
    [
      'en',
      'does anyone know when the plumber is due?',
      'not sure, sorry',
      'On Friday at 11.',
      'When is the plumber due?',
    ],
    ['de', 'Wann kommt der neue Kopierer?', 'Keine Ahnung', 'Am Dienstag.', 'Wann kommt der neue Kopierer?'],
    ['fr', 'Qui apporte le gâteau ?', 'je ne sais pas', 'Hugo, ce soir.', 'Qui apporte le gâteau ?'],
    ['pl', 'kiedy przyjeżdża mechanik?', 'nie wiem', 'W środę o 9:00.', 'Kiedy przyjeżdża mechanik?'],
    ['zh', '打印机什么时候修好？', '不知道', '明天下午修好。', '打印机什么时候修好？'],
  ] as const
  for (const [language, asked, unknown, known, question] of chats) {
    const text = `[09:00] Dana: ${asked}\n[09:01] Carl: ${unknown}\n[09:04] Mina: ${known}\n[09:05] Dana: ok`
    assert.deepEqual(ask(question, [passage(text)], language).quotes, [`[09:04] Mina: ${known}`], question)
  }
  const none = 'Sam: when is the fire drill?\nLena: no idea\nSam: ok'
  assert.equal(ask('When is the fire drill?', [passage(none)]).answered, false)
  const guess = "Sam: who locks up?\nLena: I don't know exactly, Ben or Jo\nBen: good morning"
  assert.match(quote('Who locks up?', [passage(guess)]).quotes[0] ?? '', /Ben or Jo/)
})

test('a question about "it" has the subject of the question before', () => {
  const faq = [
    ['Q: When does the sauna open?', 'A: At ten every day.'],
    ['Q: Who cleans it?', 'A: The night team.'],
    ['Q: Where is the pool?', 'A: In the basement, past the lockers.'],
    ['Q: When is it heated?', 'A: From October to April.'],
  ]
  const text = passage(faq.map((lines) => lines.join('\n')).join('\n\n'))
  assert.deepEqual(ask('Who cleans the sauna?', [text]).quotes, ['A: The night team.'])
  assert.deepEqual(ask('When is the pool heated?', [text]).quotes, ['A: From October to April.'])
  assert.deepEqual(ask('Where is the pool?', [text]).quotes, ['A: In the basement, past the lockers.'])
  for (const question of ['Who cleans the pool?', 'Where is the sauna?', 'When is the sauna heated?'])
    assert.equal(ask(question, [text]).answered, false, question)
})

test('a reply may begin with the name asked for', () => {
  const chat = '**Ilse Baum** 08:00\nwho has the master key today\n\n**Petra Lund** 08:04\nRuben, gate 4\n'
  assert.deepEqual(ask('Who has the master key today?', [passage(chat)]).quotes, ['Ruben, gate 4'])
})

test('replies follow questions and requests without a question mark', () => {
  const faqs = [
    [
      'ja',
      '営業時間を教えてください。\n平日は午前10時からです。\n\n予約は必要ですか。\n初診の方は必要です。',
      '予約は必要ですか。',
      '初診の方は必要です。',
    ],
    [
      'ko',
      '예약이 필요합니까.\n네, 이틀 전에 전화하십시오.\n\n주차장이 있나요.\n없습니다.',
      '예약이 필요합니까?',
      '네, 이틀 전에 전화하십시오.',
    ],
    ['zh', '需要预约吗。\n请提前两天打电话。\n\n有停车场吗。\n没有。', '需要预约吗？', '请提前两天打电话。'],
    [
      'en',
      'Please tell me how I cancel my order.\nWrite to us.\n\nTell me where you are.\nIn Leeds.',
      'How do I cancel my order?',
      'Write to us.',
    ],
    [
      'de',
      'Ich möchte wissen, wie ich kündige.\nPer Brief.\n\nWo sind Sie?\nIn Leeds.',
      'Wie kündige ich?',
      'Per Brief.',
    ],
  ] as const
  for (const [language, text, question, answer] of faqs)
    assert.deepEqual(quote(question, [passage(text)], language).quotes, [answer], question)
})

test('rules of tables and below headings are no answers', () => {
  for (const rule of ['=======', '-------', '* * *', '+-----+----+', '├────┼───┤']) {
    const { quotes } = ask('What is the crane?', [passage(`The crane\n${rule}\nThe crane is a machine of steel.`)])
    assert.deepEqual(quotes.includes(rule), false)
  }
})
