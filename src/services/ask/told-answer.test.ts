import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToldAnswer } from './told-answer.ts'

/** What is told of a text that comes in pieces, and what is left for the end. */
function tell(pieces: readonly string[], answer: string): { tokens: string[]; rest: string } {
  const told = createToldAnswer(2)
  let text = ''
  const tokens = pieces.map((piece) => {
    text += piece
    return told.push(text)
  })
  return { tokens: tokens.filter((token) => token !== ''), rest: told.end(answer) }
}

test('the tokens and the rest are the answer, however it is cut', () => {
  const answer = 'The rent is 1,250 euros [1]. Notice: three months [1][2], in writing. [Sic] It is so (see [2]).'
  for (const size of [1, 2, 3, 7, 20, 200]) {
    const pieces = answer.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
    const { tokens, rest } = tell(pieces, answer)
    assert.equal(tokens.join('') + rest, answer, `pieces of ${size}`)
    if (size < 20) assert.ok(tokens.length > 3, `pieces of ${size}`)
  }
})

test('no token shows a citation that leads to no source', () => {
  const text = 'The rent is 1,250 euros [1][7]. Notice: three months (see [9]). Pets are allowed [2, 8].'
  const answer = 'The rent is 1,250 euros [1]. Notice: three months (see). Pets are allowed [2].'
  for (const size of [1, 2, 5, 200]) {
    const { tokens, rest } = tell(text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [], answer)
    assert.doesNotMatch(tokens.join('') + rest, /[789]\]/)
    assert.equal(tokens.join('') + rest, answer, `pieces of ${size}`)
  }
})

test('nothing is told of an answer that declines', () => {
  for (const text of ['NO_ANSWER', '**NO_ANSWER**', ' "NO_ANSWER."']) {
    const { tokens } = tell([...text], '')
    assert.deepEqual(tokens, [], text)
  }
  assert.deepEqual(tell(['The sources say nothing. NO', '_ANSWER'], '').tokens.join(''), 'The sources say nothing.')
})

test('an answer that becomes another than was told is not told twice', () => {
  assert.deepEqual(tell(['One thing is certain, and so is the other.'], 'Another.').rest, '')
})

test('garbage is told, and told fast', () => {
  for (const piece of ['[', ' ', '(', ']', '[1', 'A', '`', '[1]', '['.repeat(500)]) {
    const told = createToldAnswer(2)
    let text = ''
    for (let count = 0; count < 1000; count++) {
      text = (text + piece).slice(0, 20_000)
      told.push(text)
    }
  }
})
