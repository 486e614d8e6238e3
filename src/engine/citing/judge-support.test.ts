import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { judgeSupport } from './judge-support.ts'
import { resolveCitations } from './resolve-citations.ts'

const analyzer = createAnalyzer()

type Case = { source: string; question: string; text: string; languages?: readonly string[]; isTranslated?: boolean }

function judge({ source, question, text, languages = ['en'], isTranslated = false }: Case) {
  const sources = [source, 'The harbour crane lifts 40 tons.']
  const { answer, citations } = resolveCitations(text, sources.length)
  return judgeSupport(analyzer, { question, answer, citations, sources, languages, isTranslated })
}

const LEASE =
  'RESIDENTIAL LEASE\n\nThe lease begins on 1 March 2026 and ends on 28 February 2028.\n\nThe rent is GBP 1,450 a month. ' +
  'The rent may be raised once a year, not before 1 March 2027, and by no more than 4 percent.\n\n' +
  'The deposit is GBP 1,670. It is held by the Deposit Protection Service. Notice is three months. Pets are not allowed.'
const GERMAN =
  'Die Kaution beträgt 1.670 Euro. Sie wird von Erika Lindner verwahrt. Die Frist beträgt drei Monate zum Monatsende.'
const CHINESE = '住宿标准：一线城市每晚不超过500元。报销单须在出差结束后十五天内提交。负责人是李娜。'

const POLICY =
  'The daily allowance is EUR 1,250.50 from 1 to 15 May 2026. Flights over two hundred and fifty kilometres need the ' +
  'approval of Dr. Helen Baker. The fourth quarter of 2025 had 1.2 million visitors. Office hours are 9 a.m. to 5:30 p.m.'
const LOAN = 'Le prêt dure quatre-vingt-dix jours. La remise est de 12,5 %. La responsable à Lyon est Madame Lefèvre.'
const JAPANESE = '保証金は12万5千円です。期限は三十日以内です。'

describe('a supported answer', () => {
  const cases: readonly Case[] = [
    { source: POLICY, question: 'How much?', text: 'The daily allowance is 1 250.5 euros [1].' },
    { source: POLICY, question: 'When?', text: 'The allowance applies from May 1 to 15, 2026 [1].' },
    { source: POLICY, question: 'Which flights?', text: 'Flights over 250 km need the approval of Ms Baker [1].' },
    { source: POLICY, question: 'Visitors?', text: 'In Q4 2025 there were 1,200,000 visitors [1].' },
    { source: POLICY, question: 'Hours?', text: 'The office is open from 9 am to 5.30 pm [1].' },
    { source: POLICY, question: 'Hours?', text: 'The office hours are 09:00 to 17:30 [1].' },
    { source: LOAN, question: 'Combien ?', text: 'Le prêt dure 90 jours [1].', languages: ['fr'] },
    { source: LOAN, question: 'Combien ?', text: 'La remise est de 12,5 pour cent [1].', languages: ['fr'] },
    { source: JAPANESE, question: 'いくら？', text: '保証金は125,000円です[1]。', languages: ['ja'] },
    { source: JAPANESE, question: 'いくら？', text: '保証金は12万5000円です[1]。', languages: ['ja'] },
    { source: LEASE, question: 'How much is the deposit?', text: 'The deposit is GBP 1,670[1].' },
    { source: LEASE, question: 'How much is the deposit?', text: 'The deposit is GBP 1670.00 [1].' },
    { source: LEASE, question: 'How much is the deposit?', text: '£1 670 [1]' },
    { source: LEASE, question: 'Is the deposit GBP 2,000?', text: 'No, the deposit is GBP 1,670, not GBP 2,000 [1].' },
    { source: LEASE, question: 'When does the lease end?', text: 'The lease ends on 2028-02-28 [1].' },
    { source: LEASE, question: 'When does the lease end?', text: 'It ends on February 28, 2028 [1].' },
    { source: LEASE, question: 'When does the lease end?', text: 'The lease ends in February 2028 [1].' },
    { source: LEASE, question: 'What is the notice period?', text: 'Notice is 3 months [1].' },
    { source: LEASE, question: 'Who holds the deposit?', text: 'It is held by the Deposit Protection Service [1].' },
    { source: LEASE, question: 'Are pets allowed?', text: 'No, pets are not allowed [1].' },
    {
      source: LEASE,
      question: 'By how much may the rent rise?',
      text: 'The rent may be raised by at most 4 % a year [1].',
    },
    {
      source: LEASE,
      question: 'From when may the rent be raised?',
      text: 'The rent may be raised from 1 March 2027 [1].',
    },
    {
      source: LEASE,
      question: 'What does it say of rent and deposit?',
      text: 'There are 2 amounts:\n1. The rent is GBP 1,450 a month [1].\n2. The deposit is GBP 1,670 [1].',
    },
    {
      source: GERMAN,
      question: 'Wie hoch ist die Kaution?',
      text: 'Die Kaution beträgt 1670 Euro [1].',
      languages: ['de'],
    },
    { source: GERMAN, question: 'Wie lang ist die Frist?', text: 'Die Frist beträgt 3 Monate [1].', languages: ['de'] },
    { source: CHINESE, question: '多少钱？', text: '一线城市每晚不超过500元[1]。', languages: ['zh'] },
    { source: CHINESE, question: '几天内提交？', text: '报销单须在15天内提交[1]。', languages: ['zh'] },
    {
      source: LEASE,
      question: 'Wie hoch ist die Kaution?',
      text: 'Die Kaution beträgt 1.670 Pfund [1].',
      languages: ['en'],
      isTranslated: true,
    },
  ]
  for (const one of cases)
    it(one.text, () => {
      const { isSupported, unknown, isContradicted, grounding } = judge(one)
      assert.equal(isSupported, true, JSON.stringify({ unknown, isContradicted, grounding }))
    })
})

describe('an unsupported answer', () => {
  const cases: readonly (Case & { unknown?: readonly string[] })[] = [
    {
      source: POLICY,
      question: 'When?',
      text: 'The allowance applies from 1 to 20 May 2026 [1].',
      unknown: ['1 to 20 May 2026'],
    },
    {
      source: POLICY,
      question: 'Visitors?',
      text: 'In Q3 2025 there were 1.2 million visitors [1].',
      unknown: ['Q3 2025'],
    },
    {
      source: LOAN,
      question: 'Combien ?',
      text: 'Le prêt dure quatre-vingts jours [1].',
      languages: ['fr'],
      unknown: ['quatre-vingts'],
    },
    {
      source: LOAN,
      question: 'Qui ?',
      text: 'Le responsable à Lyon est Monsieur Durand [1].',
      languages: ['fr'],
      unknown: ['Monsieur', 'Durand'],
    },
    { source: JAPANESE, question: 'いくら？', text: '保証金は13万円です[1]。', languages: ['ja'] },
    { source: LEASE, question: 'How much is the deposit?', text: 'The deposit is GBP 9,999 [1].', unknown: ['9,999'] },
    { source: LEASE, question: 'How much is the deposit?', text: 'The deposit is GBP 1,671 [1].', unknown: ['1,671'] },
    {
      source: LEASE,
      question: 'When does the lease end?',
      text: 'The lease ends on 28 March 2028 [1].',
      unknown: ['28 March 2028'],
    },
    {
      source: LEASE,
      question: 'When does the lease end?',
      text: 'The lease ends on 2028-03-28 [1].',
      unknown: ['2028-03-28'],
    },
    { source: LEASE, question: 'What is the notice period?', text: 'Notice is 6 months [1].', unknown: ['6'] },
    { source: LEASE, question: 'What is the notice period?', text: 'Notice is six months [1].', unknown: ['six'] },
    {
      source: LEASE,
      question: 'Who holds the deposit?',
      text: 'The deposit is held by the Lloyds Bank [1].',
      unknown: ['Lloyds', 'Bank'],
    },
    { source: LEASE, question: 'How much is the deposit?', text: 'The deposit is not GBP 1,670 [1].', unknown: [] },
    { source: LEASE, question: 'Are pets allowed?', text: 'Pets are allowed [1].', unknown: [] },
    { source: LEASE, question: 'How much is the deposit?', text: 'The deposit is GBP 1,670 [2].', unknown: [] },
    {
      source: LEASE,
      question: 'What does the landlord do?',
      text: 'The landlord collects old stamps [1].',
      unknown: [],
    },
    {
      source: GERMAN,
      question: 'Wer verwahrt die Kaution?',
      text: 'Die Kaution wird von Franz Huber verwahrt [1].',
      languages: ['de'],
      unknown: ['Franz Huber'],
    },
    { source: CHINESE, question: '负责人是谁？', text: '负责人是张伟[1]。', languages: ['zh'], unknown: [] },
    {
      source: CHINESE,
      question: '几天内提交？',
      text: '报销单须在20天内提交[1]。',
      languages: ['zh'],
      unknown: ['20'],
    },
    {
      source: LEASE,
      question: 'Wie hoch ist die Kaution?',
      text: 'Die Kaution beträgt 9.999 Pfund [1].',
      isTranslated: true,
      unknown: ['9.999'],
    },
  ]
  for (const { unknown, ...one } of cases)
    it(one.text, () => {
      const verdict = judge(one)
      assert.equal(verdict.isSupported, false, JSON.stringify(verdict))
      if (unknown !== undefined) assert.deepEqual(verdict.unknown, unknown)
    })
})

describe('the opposite of a source', () => {
  it('is not grounded, however many words it shares', () => {
    const { grounding, isContradicted } = judge({
      source: LEASE,
      question: 'How much is the deposit?',
      text: 'The deposit is not GBP 1,670 [1].',
    })
    assert.ok(isContradicted && grounding.score < 0.5 && grounding.unsupported.length === 1)
  })

  it('is not seen where a negation belongs to something else', () => {
    const source = 'Pets are allowed but not in the kitchen. Guests pay no more than 5 euros.'
    const question = 'Are pets allowed?'
    assert.equal(judge({ source, question, text: 'Pets are allowed [1].' }).isContradicted, false)
    assert.equal(judge({ source, question, text: 'Guests pay 5 euros [1].' }).isContradicted, false)
  })

  it('is seen in other languages', () => {
    for (const [language, source, text] of [
      ['de', 'Haustiere sind in der Wohnung nicht erlaubt.', 'Haustiere sind in der Wohnung erlaubt [1].'],
      ['fr', 'Les animaux ne sont pas admis dans le logement.', 'Les animaux sont admis dans le logement [1].'],
      ['es', 'Los animales están permitidos en el piso.', 'Los animales no están permitidos en el piso [1].'],
      ['ru', 'Животные в квартире разрешены.', 'Животные в квартире не разрешены [1].'],
    ] as const)
      assert.equal(judge({ source, question: '?', text, languages: [language] }).isContradicted, true, text)
  })
})
