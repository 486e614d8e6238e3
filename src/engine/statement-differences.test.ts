import assert from 'node:assert/strict'
import test from 'node:test'
import { areEditions } from './statement-differences.ts'

const sameWork = (question: string) => ({ question, isSameWork: true })
const otherWork = (question: string) => ({ question, isSameWork: false })

test('alike sentences with other values are editions, in any script', () => {
  for (const [one, other] of [
    ['Probation lasts three months.', 'Probation lasts six months.'],
    ['Refunds are paid within thirty days.', 'From March 2026 refunds are paid within fourteen days.'],
    ['Rękawice kosztują 4 zł.', 'Rękawice kosztują 6 zł.'],
    ['La cuota fija es de 4,10 € al mes.', 'La cuota fija es de 5,35 € al mes.'],
    ['试用期为三个月。', '试用期为六个月。'],
    ['申請は前日の午前9時までに行う。', '申請は前日の午後5時までに行う。'],
    ['Залог составляет 2000 рублей.', 'Залог составляет 3500 рублей.'],
    ['| Adult | 9 € |', '| Adult | 11 € |'],
    [
      'Möglich zum Ende des Schuljahres mit acht Wochen Frist.',
      'Möglich zum Ende eines Schulhalbjahres mit sechs Wochen Frist.',
    ],
    [
      'The boiler of the house is replaced on 4 May by Thermo Ltd.',
      'The boiler of the house is replaced on 18 May, as a part is missing at Thermo Ltd.',
    ],
  ] as const) {
    assert.equal(
      areEditions(one, other, sameWork(one.includes('boiler') ? 'When is it replaced?' : 'How long is it?')),
      true,
      other,
    )
  }
})

test('the opposite of a rule is an edition', () => {
  for (const [one, other] of [
    ['Dogs are allowed on the terrace.', 'Dogs are not allowed on the terrace.'],
    ['Les chiens sont admis dans le parc.', 'Les chiens ne sont pas admis dans le parc.'],
    ['试用期内可以远程办公。', '试用期内不可以远程办公。'],
  ] as const) {
    assert.equal(areEditions(one, other, otherWork('Are dogs allowed?')), true, other)
  }
})

test('another name is an edition only if the question asks for it', () => {
  const officers = ['The safety officer is Meera Sandhu.', 'The safety officer is Colm Reilly.'] as const
  assert.equal(areEditions(...officers, sameWork('Who is the safety officer?')), true)
  assert.equal(areEditions('Officer: Jonas Whit.', 'Officer: Meera Sandhu.', sameWork('Who is the officer?')), true)
  assert.equal(areEditions(...officers, sameWork('How long does the safety officer serve?')), false)
  const shops = ['The shop in Hull opens at nine.', 'The shop in Leeds opens at ten.'] as const
  assert.equal(areEditions(...shops, sameWork('When does the shop open?')), false)
  assert.equal(areEditions('东京店九点开门。', '大阪店十点开门。', sameWork('几点开门？')), false)
})

test('siblings, equal sentences and other matters are no editions', () => {
  for (const [one, other, question] of [
    ['Probation lasts three months.', 'Probation lasts three months.', 'How long is probation?'],
    ['Probation lasts three months.', 'Parking costs four euros.', 'How long is probation?'],
    ['Parking costs 4 euros.', 'Lunch costs 6 euros.', 'What do we pay to park?'],
    ['Zone 1 costs 5 euros.', 'Zone 2 costs 7 euros.', 'What does it cost?'],
    ['The pool costs 5 euros until 3 May.', 'The pool costs 5 euros until 9 June.', 'What does the pool cost?'],
    ['Sales in the first quarter were 5 tons.', 'Sales in the second quarter were 7 tons.', 'Sales, first quarter?'],
  ] as const) {
    assert.equal(areEditions(one, other, sameWork(question)), false, other)
  }
})
