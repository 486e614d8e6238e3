import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readQuestions } from '../../../src/client/read-questions.ts'
import { SAMPLE_DOCUMENTS, SAMPLE_QUESTIONS } from '../../../src/console/sample.ts'

test("the sample's questions are those of the console, and name documents of the sample", async () => {
  const text = await readFile(join(import.meta.dirname, '../../../examples/sample-questions.jsonl'), 'utf8')
  assert.equal(text, SAMPLE_QUESTIONS)
  const known = SAMPLE_DOCUMENTS.map(({ externalId }) => externalId)
  const named = readQuestions(text).flatMap(({ externalIds = [] }) => externalIds)
  assert.ok(named.length >= 9 && named.every((id) => known.includes(id)))
})
