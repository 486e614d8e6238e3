import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIELD_CASES } from '../../test/support/field-cases.ts'
import { SIBLING_CASES } from '../../test/support/sibling-cases.ts'
import { STATED_CASES } from '../../test/support/stated-cases.ts'
import { runSync } from '../concurrency/event-loop-yield.ts'
import { createFieldFinder } from './find-field.ts'

/** Share of the fields of the table that must have the right value. */
const MIN_RIGHT = 0.95
const PASSAGE = { section: null, header: null, title: null, isFirst: true, isCorrection: false }

/** Reads all fields of the documents, and compares the values with those stated. */
function readAll(cases: typeof FIELD_CASES) {
  return cases.flatMap(({ name, language, text, fields }) => {
    const finder = createFieldFinder([language])
    const passage = { ...PASSAGE, text }
    return fields.map(([label, type, expected]) => {
      const field = { label, key: label, dataType: type, sectionName: '', context: null }
      const found = runSync(finder.find(field, [passage]))?.value ?? null
      const isRight = JSON.stringify(found) === JSON.stringify(expected)
      return { name, label, found, isRight, isWrong: !isRight && found !== null }
    })
  })
}

test('takes no sibling value for a field, and finds the stated values', () => {
  const results = readAll(FIELD_CASES)
  assert.deepEqual(
    results.filter(({ isWrong }) => isWrong),
    [],
  )
  assert.ok(results.filter(({ isRight }) => isRight).length >= MIN_RIGHT * results.length)
})

test('reads the value of the number, letter or word that tells siblings apart, and of no other', () => {
  assert.deepEqual(
    readAll(SIBLING_CASES).filter(({ isRight }) => !isRight),
    [],
  )
})

test('reads values behind their label without a colon, and no value that is not stated', () => {
  assert.deepEqual(
    readAll(STATED_CASES).filter(({ isRight }) => !isRight),
    [],
  )
})
