import assert from 'node:assert/strict'
import test from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import type { EvaluateRequest } from '../../../src/services/search/evaluate-service.ts'
import { createEvaluateService } from '../../../src/services/search/evaluate-service.ts'
import type { SearchService } from '../../../src/services/search/search.ts'
import { addDocument, addStranger } from './fixtures.ts'
import { openIngestFixture } from './ingest-fixture.ts'

/** An evaluation of three questions over a search of the test's own. */
async function openEvaluation(
  t: Parameters<typeof openIngestFixture>[0],
  onRank: (asked: number, signal: AbortSignal | undefined) => unknown,
) {
  const { db, caller, memory, memories } = await openIngestFixture(t)
  const documentId = await addDocument(db, caller, memory.id)
  let asked = 0
  const warning = { code: 'semantic_unavailable', message: 'No meaning today.', param: null }
  const search = {
    async rank(...[, { signal }]: Parameters<SearchService['rank']>) {
      asked += 1
      await onRank(asked, signal)
      return { corrections: ['doc_other'], documents: ['doc_first', documentId], warnings: [warning] }
    },
  }
  const questions = ['a', 'b', 'c'].map((query) => ({ query, documentIds: [documentId], externalIds: [], grades: {} }))
  const request: EvaluateRequest = { questions, topK: 10, modes: ['hybrid', 'lexical'] }
  const service = createEvaluateService({ db, search })
  return {
    countAsked: () => asked,
    evaluate: (signal: AbortSignal) => service.evaluate(caller, memory.id, { ...request, signal }),
    async openOther() {
      const other = await addStranger(db)
      const { id } = await memories.create(other, { name: 'o', description: null, projectId: null, projectName: null })
      const externalId = 'theirs'
      await addDocument(db, other, id, { external_id: externalId })
      const theirs = questions.map((question) => ({ ...question, documentIds: [], externalIds: [externalId] }))
      return (signal: AbortSignal) => service.evaluate(other, id, { ...request, questions: theirs, signal })
    },
  }
}

test('an evaluation stops within a search when its client leaves', async (t) => {
  const leaving = new AbortController()
  const { evaluate, countAsked } = await openEvaluation(t, (asked, signal) => {
    if (asked === 2) leaving.abort(new ApiError('request_timeout'))
    signal?.throwIfAborted()
    assert.ok(asked < 2, 'searched on')
  })
  await assert.rejects(evaluate(leaving.signal), { code: 'request_timeout' })
  assert.equal(countAsked(), 2)
})

test('warnings of the searches in a mode are reported once, with their number', async (t) => {
  const { evaluate } = await openEvaluation(t, () => undefined)
  const { warnings, perQuestion } = await evaluate(new AbortController().signal)
  assert.deepEqual(
    warnings.map(({ code, message }) => [code, message]),
    ['hybrid', 'lexical'].map((mode) => ['semantic_unavailable', `3 of 3 searches in mode ${mode}: No meaning today.`]),
  )
  assert.ok(perQuestion.every(({ rank }) => rank === 2))
})

test('a third concurrent evaluation of an organization is refused temporarily, and none of another', async (t) => {
  const refusal = Promise.withResolvers<void>()
  // No request finishes before one is refused, however the statements interleave.
  const { evaluate, openOther } = await openEvaluation(t, () => refusal.promise)
  const { signal } = new AbortController()
  const evaluateOther = await openOther()
  const asked = [...Array.from({ length: 3 }, () => evaluate(signal)), evaluateOther(signal)]
  for (const one of asked) one.catch(() => refusal.resolve())
  const outcomes = await Promise.allSettled(asked)
  assert.equal(outcomes.at(-1)?.status, 'fulfilled')
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  assert.deepEqual(
    refused.map((reason) => reason instanceof ApiError && reason.code),
    ['rate_limited'],
  )
})
