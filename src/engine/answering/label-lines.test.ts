import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage } from '../../../test/support/ask-passages.ts'
import { isLabelLine } from './label-lines.ts'

const FORM = [
  'Alder Street Practice\n14 Alder Street, Renfield',
  'Telephone\n01482 550120\nFax\n01482 550129',
  'Practice manager\nMs Joan Whitby',
  'Patients bring their card.\nIt is free.',
].join('\n\n')

test('every second line of a block of a form is a label', () => {
  const form = passage(FORM)
  const labels = form.sentences.filter((_, place) => isLabelLine(form, place))
  assert.deepEqual(
    labels.map(({ start, end }) => FORM.slice(start, end)),
    ['Telephone', 'Fax', 'Practice manager'],
  )
})

test('a value answers for the label above, and a label never answers', () => {
  for (const [question, value] of [
    ['What is the fax number?', '01482 550129'],
    ['Who is the practice manager?', 'Ms Joan Whitby'],
    ['What is the telephone number?', '01482 550120'],
  ] as const)
    assert.deepEqual(ask(question, [passage(FORM)]).quotes, [value], question)
})

test('lines of names are no labels', () => {
  const list = passage('Present were these people.\n\nAnn Lee\nBo Lund\n\nCy Moss\nDi Falk')
  assert.ok(list.sentences.every((_, place) => !isLabelLine(list, place)))
})
