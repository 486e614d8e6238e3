import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { createCitationStreamBuffer, parseModelAnswer } from './citation-stream.ts'

const analyzer = createAnalyzer()
const SOURCES = [
  'Pets are allowed. The rent is 1,250 euros a month.',
  'Notice has to be given three months ahead. It must be in writing.',
]

/** Streams an answer in pieces; returns the released tokens and the rest. */
function tell(pieces: readonly string[], answer: string): { tokens: string[]; rest: string } {
  const told = createCitationStreamBuffer(SOURCES)
  let text = ''
  const tokens = pieces.map((piece) => {
    text += piece
    return told.push(text)
  })
  return { tokens: tokens.filter((token) => token !== ''), rest: told.end(answer) }
}

test('releases tokens and a rest that add up to the answer, for any chunking', () => {
  const answer = 'The rent is 1,250 euros [1]. Notice: three months [1][2], in writing. [Sic] It is so (see [2]).'
  for (const size of [1, 2, 3, 7, 20, 200]) {
    const pieces = answer.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
    const { tokens, rest } = tell(pieces, answer)
    assert.equal(tokens.join('') + rest, answer, `pieces of ${size}`)
    if (size < 20) assert.ok(tokens.length > 3, `pieces of ${size}`)
  }
})

test('releases no token with a citation without a source', () => {
  const text = 'The rent is 1,250 euros [1][7]. Notice: three months (see [9]). Pets are allowed [2, 8].'
  const answer = 'The rent is 1,250 euros [1]. Notice: three months (see). Pets are allowed [2].'
  for (const size of [1, 2, 5, 200]) {
    const { tokens, rest } = tell(text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [], answer)
    assert.doesNotMatch(tokens.join('') + rest, /[789]\]/)
    assert.equal(tokens.join('') + rest, answer, `pieces of ${size}`)
  }
})

test('releases marks of other forms as they stand in the answer', async () => {
  const text = 'Rent: 1,250 euros【1†source】 a month (source 2), (source 9) `x[9]` due (in writing)[^1]. 500元[1]。'
  const { draft: answer = '' } = await read(text)
  assert.match(answer, /^Rent: 1,250 euros\[1\] a month \[2\], `x\[9\]` due \(in writing\)\[1\]\. 500元\[1\]。$/)
  for (const size of [1, 2, 3, 5, 200]) {
    const { tokens, rest } = tell(text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [], answer)
    assert.equal(tokens.join('') + rest, answer, `pieces of ${size}`)
  }
})

test('releases nothing of a declined answer', () => {
  for (const text of ['NO_ANSWER', '**NO_ANSWER**', ' "NO_ANSWER."']) {
    const { tokens } = tell([...text], '')
    assert.deepEqual(tokens, [], text)
  }
  assert.deepEqual(tell(['The sources say nothing. NO', '_ANSWER'], '').tokens.join(''), 'The sources say nothing.')
})

test('does not repeat an answer that differs from the released text', () => {
  assert.deepEqual(tell(['One thing is certain, and so is the other.'], 'Another.').rest, '')
})

test('releases garbage, in linear time', () => {
  for (const piece of ['[', ' ', '(', ']', '[1', 'A', '`', '[1]', '['.repeat(500)]) {
    const told = createCitationStreamBuffer(SOURCES)
    let text = ''
    for (let count = 0; count < 1000; count++) {
      text = (text + piece).slice(0, 20_000)
      told.push(text)
    }
  }
})

function read(text: string) {
  const output = { question: 'What about the rent?', text, sources: SOURCES, contexts: SOURCES, languages: ['en'] }
  return parseModelAnswer({ analyzer, detectLanguage: async () => null }, output)
}

function codes({ warnings }: { warnings: { code: string }[] }): string[] {
  return warnings.map(({ code }) => code)
}

test('cites the exact supporting text for each mark', async () => {
  const { answer, answered, citations, grounding, warnings } = await read(
    'The rent is 1,250 euros [1]. Notice is three months, in writing [2].',
  )
  assert.equal(answered, true)
  const shown = citations.map(({ index, start, end, answerStart, answerEnd }) => {
    return [answer.slice(answerStart, answerEnd), SOURCES[index - 1]?.slice(start, end)]
  })
  assert.deepEqual(shown, [
    ['[1]', 'The rent is 1,250 euros a month.'],
    ['[2]', 'Notice has to be given three months ahead. It must be in writing.'],
  ])
  assert.deepEqual([grounding?.unsupported, warnings], [[], []])
})

test('removes a citation without a source, with a warning', async () => {
  const found = await read('The rent is 1,250 euros [1][9]. Notice is three months [4].')
  assert.equal(found.answer, 'The rent is 1,250 euros [1]. Notice is three months.')
  assert.deepEqual(codes(found), ['citation_removed'])
  assert.match(found.warnings[0]?.message ?? '', /\[4\], \[9\]/)
})

test('adds citations to an uncited answer whose claims match a source', async () => {
  const found = await read('The rent is 1,250 euros.')
  assert.deepEqual([found.answered, found.answer], [true, 'The rent is 1,250 euros. [1]'])
  const [citation] = found.citations
  assert.equal(SOURCES[0]?.slice(citation?.start, citation?.end), 'The rent is 1,250 euros a month.')
})

test('withholds an uncited answer whose claims match no source', async () => {
  const found = await read('Paris is the capital of France [8].')
  assert.deepEqual([found.answered, found.answer, found.citations, found.grounding], [false, '', [], null])
  assert.deepEqual(codes(found), ['citation_removed', 'answer_withheld'])
  assert.equal(found.draft, 'Paris is the capital of France.')
})

test('recognises a declined answer with decoration', async () => {
  for (const text of [
    'NO_ANSWER',
    '**NO_ANSWER**',
    '"NO_ANSWER."',
    'NO_ANSWER\n\nThe sources say nothing.',
    'Sorry. NO_ANSWER',
  ]) {
    const found = await read(text)
    assert.deepEqual([found.answered, found.warnings], [false, []], text)
  }
})

test('removes the decline marker from a partial answer', async () => {
  const found = await read('The rent is 1,250 euros [1]. Of the deposit nothing is said: NO_ANSWER.')
  assert.deepEqual(
    [found.answered, found.answer],
    [true, 'The rent is 1,250 euros [1]. Of the deposit nothing is said:'],
  )
})

test('reports unsupported parts of the answer by their offsets', async () => {
  const text = 'The rent is 1,250 euros [1]. The landlord collects many old stamps [1].'
  const { answer, grounding } = await read(text)
  assert.deepEqual(
    grounding?.unsupported.map(({ start, end }) => answer.slice(start, end)),
    ['The landlord collects many old stamps [1].'],
  )
  assert.ok((grounding?.score ?? 1) < 1)
})

test('an answer that its citations do not support is a draft, with citations and a reason', async () => {
  for (const [text, reason] of [
    ['The rent is 9,999 euros [1].', /no source contains "9,999"/],
    ['The rent is not 1,250 euros a month [1].', /says the opposite/],
    ['The landlord collects many old stamps [1].', /only \d+ % of its words/],
  ] as const) {
    const found = await read(text)
    assert.deepEqual(
      [found.answered, found.answer, found.draft, codes(found)],
      [false, '', text, ['unsupported_answer']],
    )
    assert.match(found.warnings[0]?.message ?? '', reason)
    assert.equal(text.slice(found.citations[0]?.answerStart, found.citations[0]?.answerEnd), '[1]')
    assert.ok((found.grounding?.score ?? 1) < 1)
  }
  assert.equal('draft' in (await read('The rent is 1,250 euros [1].')), false)
})
