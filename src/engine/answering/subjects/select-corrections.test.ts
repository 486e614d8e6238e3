import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../../analysis/analyzer.ts'
import { splitSentences } from '../split-sentences.ts'
import { selectCorrections } from './select-corrections.ts'

const analyzer = createAnalyzer()

type Compared = { language?: string; isLikely?: boolean }

function select(
  query: string,
  statements: readonly string[],
  texts: readonly string[],
  { language = 'en', isLikely = true }: Compared = {},
): number[] {
  const corrections = statements.map((statement, at) => ({
    ...{ statement, topics: [], createdAt: `2026-01-0${at + 1}`, boost: 1 },
    ...{ cosine: 0, isLikely },
  }))
  const passages = texts.map((text) => ({
    ...{ text, title: '', section: '' },
    ...{ sentences: splitSentences(text), cosines: [] },
  }))
  return selectCorrections({ analyzer, query, languages: [language] }, corrections, passages)
}

test('a correction about a sibling is dropped, one about the thing is kept', () => {
  const cases: [query: string, correction: string, text: string, language: string, isKept: boolean][] = [
    [
      'When does the kiosk in Bray open?',
      'The kiosk in Howth opens at 9:00 now.',
      'The kiosk in Bray opens at 10:00.',
      'en',
      false,
    ],
    [
      'When does the kiosk in Howth open?',
      'The kiosk in Howth opens at 9:00 now.',
      'The kiosk in Bray opens at 10:00.',
      'en',
      true,
    ],
    [
      'How many pills do adults take?',
      'Toddlers take one pill.',
      'Toddlers take two pills. Adults take four pills.',
      'en',
      false,
    ],
    ['Combien coûte l’entrée du zoo ?', 'L’entrée du parc coûte 7 €.', 'L’entrée du zoo coûte 3 €.', 'fr', false],
    ['Когда открывается музей?', 'Бассейн открывается в 8 часов.', 'Музей открывается в 9 часов.', 'ru', false],
    [
      '日曜の営業時間は何時までですか。',
      '平日の営業時間は午後8時までです。',
      '日曜の営業時間は午後5時までです。',
      'ja',
      false,
    ],
    [
      '平日の営業時間は何時までですか。',
      '平日の営業時間は午後8時までです。',
      '日曜の営業時間は午後5時までです。',
      'ja',
      true,
    ],
  ]
  for (const [query, correction, text, language, isKept] of cases)
    assert.deepEqual(select(query, [correction], [text], { language }), isKept ? [0] : [], query)
})

test('a newer correction of the same thing supersedes the older one', () => {
  const rents = ['The rent of room K1 is GBP 430 a month.', 'The rent of room K1 is GBP 445 a month.']
  assert.deepEqual(select('What is the rent of room K1?', rents, []), [1])
  const rooms = ['Room 5 closes at 8:00.', 'Room 6 closes at 9:00.']
  assert.deepEqual(select('When do the rooms close?', rooms, []), [0, 1])
})

/** A correction, the document, questions about the corrected statement, and others. */
type Replaced = { language: string; statement: string; text: string; about: string[]; other: string[] }

const REPLACED: Replaced[] = [
  {
    language: 'ja',
    statement: '東館の入場料は600円です。',
    text: '東館の入場料は500円です。東館は水曜日に休みます。西館の入場料は300円です。',
    about: ['東館の入場にいくら必要ですか。'],
    other: ['西館の入場にいくら必要ですか。', '東館は何曜日に休みますか。', '北館の入場料はいくらですか。'],
  },
  {
    language: 'zh',
    statement: '南门停车场每小时收费8元。',
    text: '南门停车场每小时收费6元。南门停车场有90个车位。北门停车场每小时收费5元。',
    about: ['南门停车场每小时要付多少钱？'],
    other: ['北门停车场每小时要付多少钱？', '南门停车场有多少个车位？'],
  },
  {
    language: 'ko',
    statement: '미술관은 오후 9시에 닫습니다.',
    text: '미술관은 오후 7시에 닫습니다. 박물관은 오후 6시에 닫습니다. 미술관의 관장은 윤서영입니다.',
    about: ['미술관은 오후 몇 시에 닫나요?'],
    other: ['박물관은 오후 몇 시에 닫나요?', '미술관의 관장은 누구인가요?'],
  },
]

test('a correction with a few words of the question replaces the statement that is nearest to it', () => {
  for (const { language, statement, text, about, other } of REPLACED) {
    const keep = (query: string) => select(query, [statement], [text], { language, isLikely: false })
    for (const query of about) assert.deepEqual(keep(query), [0], query)
    for (const query of other) assert.deepEqual(keep(query), [], query)
  }
})

test('a correction is dropped if another statement says more of what is asked', () => {
  const text = 'The gallery closes on 2 May for repairs. The repairs of the gallery take six weeks.'
  const correction = 'The gallery closes on 9 May for repairs.'
  assert.deepEqual(select('How long do the repairs of the gallery take?', [correction], [text]), [])
  assert.deepEqual(select('When does the gallery close for repairs?', [correction], [text]), [0])
})

test('a correction of one of several alike things is no answer about an unknown one', () => {
  const text = 'On Monday the paper is collected. On Friday the plastic is collected.'
  const correction = 'On Tuesday the paper is collected.'
  assert.deepEqual(select('On which day is the glass collected?', [correction], [text]), [])
  assert.deepEqual(select('On which day is the paper collected?', [correction], [text]), [0])
})
