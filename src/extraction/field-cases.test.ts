import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIELD_CASES } from '../../test/support/field-cases.ts'
import { runSync } from '../concurrency/event-loop-yield.ts'
import { createFieldFinder } from './find-field.ts'

/** Share of the fields of the table that must have the right value. */
const MIN_RIGHT = 0.95
const PASSAGE = { section: null, header: null, title: null, isFirst: true, isCorrection: false }

test('takes no sibling value for a field, and finds the stated values', () => {
  const results = FIELD_CASES.flatMap(({ name, language, text, fields }) => {
    const finder = createFieldFinder([language])
    const passage = { ...PASSAGE, text }
    return fields.map(([label, type, expected]) => {
      const field = { label, key: label, dataType: type, sectionName: '', context: null }
      const found = runSync(finder.find(field, [passage]))?.value ?? null
      const isRight = JSON.stringify(found) === JSON.stringify(expected)
      return { name, label, found, isRight, isWrong: !isRight && found !== null }
    })
  })
  assert.deepEqual(
    results.filter(({ isWrong }) => isWrong),
    [],
  )
  assert.ok(results.filter(({ isRight }) => isRight).length >= MIN_RIGHT * results.length)
})
