import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { longestTurn } from '../../support/longest-turn.ts'
import { openIngestHouse, textDocument } from './ingest-house.ts'

/** Far above what one turn takes that is shared, far below what all texts of these requests took in one. */
const MOST_MS = 100

/** What is loaded by the first texts is. */
async function openWarmHouse(t: TestContext) {
  const house = await openIngestHouse(t)
  await house.add({}, [textDocument('The crane is old.'), textDocument('The weir is older.')])
  return house
}

test('a request of many texts that a job is to add holds up nobody', async (t) => {
  const { add } = await openWarmHouse(t)
  const words = 'the herons nest at the old weir and leave with the first frost '.repeat(250)
  const texts = Array.from({ length: 3000 }, (_, index) => textDocument(`${index} ${words}`))
  const turn = await longestTurn(() => add({}, texts))
  assert.ok(turn < MOST_MS, `${turn} ms`)
})

test('a request of texts with all the tags and metadata that they may have holds up nobody', async (t) => {
  const { add, find } = await openWarmHouse(t)
  const tags = Array.from({ length: 100 }, (_, index) => `tag ${index}`)
  const metadata = Object.fromEntries(tags.map((name, index) => [name, index]))
  const texts = Array.from({ length: 500 }, (_, index) =>
    textDocument(`The heron ${index} is back.`, { tags, metadata }),
  )
  const turn = await longestTurn(() => add({}, texts))
  assert.ok(turn < MOST_MS, `${turn} ms`)
  const filter = { tags: ['tag 7'], documentIds: null, metadata: { 'tag 99': 99 } }
  assert.equal((await find('heron', { filter, limit: 3 })).hits.length, 3)
})
