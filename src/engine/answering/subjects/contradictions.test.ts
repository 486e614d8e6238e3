import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../../test/support/ask-passages.ts'

test('a sentence below a heading or title of a sibling is no answer, in any language', () => {
  const cases: [language: string, question: string, own: string, other: string, text: string][] = [
    [
      'en',
      'Are laptops insured by the business policy?',
      'Household policy',
      'Business policy',
      'Laptops are insured.',
    ],
    ['en', 'How long does Lento cream keep?', 'Lento syrup', 'Lento drops', 'Once open, it keeps for 21 days.'],
    [
      'fr',
      'Les bijoux sont-ils couverts par l’assurance voyage ?',
      'Assurance habitation',
      'Assurance voyage',
      'Les bijoux sont couverts.',
    ],
    [
      'ru',
      'Застрахованы ли велосипеды в страховке путешествий?',
      'Страховка дома',
      'Страховка путешествий',
      'Велосипеды застрахованы в подвале.',
    ],
    ['zh', '打印机X1支持无线网络吗？', '打印机X2', '打印机X1', '支持无线网络。'],
    ['ja', '通勤定期で犬は無料ですか。', '学生定期', '通勤定期', '犬は無料です。'],
    ['ko', '여행 보험은 자전거 도난을 보장합니까?', '주택 보험', '여행 보험', '자전거 도난을 보장합니다.'],
  ]
  for (const [language, question, own, other, text] of cases) {
    const passages = [passage(text, { title: own }), passage('?', { title: other })]
    assert.equal(ask(question, passages, language).answered, false, question)
    const same = [passage(text, { title: other }), passage('?', { title: own })]
    if (!question.includes('Lento')) assert.equal(ask(question, same, language).answered, true, question)
  }
})

test('a sentence with another word beside the same word is no answer', () => {
  const cases: [language: string, question: string, text: string, asked: string, other: string][] = [
    ['en', 'Who leads the plant stall?', 'Winifred leads the cake stall.', 'plant', 'cake'],
    ['de', 'Wann ist das Hallenbad West geöffnet?', 'Das Hallenbad Nord ist bis 21 Uhr geöffnet.', 'West', 'Nord'],
    ['it', 'Quanto costa l’abbonamento annuale?', 'L’abbonamento mensile costa 58 €.', 'annuale', 'mensile'],
    ['pl', 'Ile kosztuje wypożyczenie roweru?', 'Wypożyczenie kajaka kosztuje 40 zł.', 'roweru', 'kajaka'],
    ['ru', 'Сколько стоит аренда катера?', 'Аренда лодки стоит 500 рублей.', 'катера', 'лодки'],
    ['zh', '广州办事处的电话是多少？', '上海办事处的电话是55501200。', '广州', '上海'],
    ['ja', '神戸支店の定休日はいつですか。', '大阪支店の定休日は月曜日です。', '神戸', '大阪'],
  ]
  for (const [language, question, text, asked, other] of cases) {
    assert.equal(ask(question, [passage(text)], language).answered, false, question)
    assert.equal(ask(question, [passage(text.replace(other, asked))], language).answered, true, question)
  }
})

test('a noun of a condition such as "in case" or "en cas" names its thing elsewhere', () => {
  const cases = [
    ['en', 'How much is a case of cider?', 'A bottle of cider is 7 euros.', 'bottle', 'case'],
    ['fr', 'Combien coûte un cas de test ?', 'Un jeu de test coûte 30 €.', 'jeu', 'cas'],
  ] as const
  for (const [language, question, text, other, asked] of cases) {
    assert.equal(ask(question, [passage(text)], language).answered, false, question)
    assert.equal(ask(question, [passage(text.replace(other, asked))], language).answered, true, question)
  }
})

test('a definition of another thing, and what follows, is no answer', () => {
  const english = 'Solvira drops are taken before meals.\n\nPelanol is an ointment. It is rubbed in at night.'
  assert.equal(ask('How is Solvira ointment rubbed in?', [passage(english)]).answered, false)
  assert.equal(ask('How is Pelanol ointment rubbed in?', [passage(english)]).answered, true)
  const russian = 'Таблетки Солвира принимают утром.\n\nПеланол — это мазь. Её наносят тонким слоем на ночь.'
  assert.equal(ask('Как наносят мазь Солвира?', [passage(russian)], 'ru').answered, false)
})

test('a worse sentence does not replace one about a sibling that has more of the question', () => {
  const cameras = ['甲', '乙'].map((name) => passage(`轻便相机${name}。电池可拍五百张。`, { title: `相机${name}` }))
  const dry = passage('轻便相机丙。防水十米。', { title: '相机丙' })
  assert.equal(ask('相机乙防水吗？', [dry, ...cameras], 'zh').answered, false)
})

test('a later line without the name or code asked for is not quoted', () => {
  const records = passage('{"id":"R-7","state":"paid"}\n{"id":"R-8","state":"open"}\n{"id":"R-9","state":"lost"}')
  assert.deepEqual(quote('What is the state of R-7?', [records]).quotes, ['{"id":"R-7","state":"paid"}'])
  assert.deepEqual(quote('订单D-3付款了吗？', [passage('订单D-3已付款。\n订单D-4未付款。')], 'zh').quotes, [
    '订单D-3已付款。',
  ])
  const notes = passage('Ana Berg trains the juniors on Monday.\n\nThe juniors train in the gym on Monday.')
  assert.deepEqual(quote('When does Ana Berg train the juniors?', [notes]).quotes, [
    'Ana Berg trains the juniors on Monday.',
  ])
})
