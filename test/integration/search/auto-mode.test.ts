import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import {
  type AutoMemory,
  fillAutoMemory,
  listMisses,
  type Miss,
  mostMisses,
  readAutoQueries,
} from '../../../bench/relevance/auto-set.ts'
import { type Service, startService } from '../../../bench/service.ts'
import { chooseMode } from '../../../src/engine/ranking/identifiers.ts'

const bySort = Map.groupBy(readAutoQueries(), ({ sort }) => sort)
const folder = mkdtempSync(join(tmpdir(), 'recollect-auto-'))
let service: Service
let memory: AutoMemory

before(async () => {
  service = await startService(folder)
  memory = await fillAutoMemory(service)
})
after(async () => {
  try {
    await service.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** The queries of a sort that miss when the mode is chosen in some way, and how many may. */
async function missesOf(sort: string, modeOf: (query: string) => string): Promise<{ misses: Miss[]; allowed: number }> {
  const queries = bySort.get(sort) ?? []
  const misses = await listMisses(service, memory, { queries, modeOf })
  return { misses, allowed: mostMisses(sort, queries.length) }
}

const reversed = (query: string) => (chooseMode(query) === 'lexical' ? 'semantic' : 'lexical')

describe('auto', () => {
  for (const sort of bySort.keys()) {
    it(`puts first what must come first: ${sort}`, async () => {
      const { misses, allowed } = await missesOf(sort, () => 'auto')
      const told = misses.map(({ query, mode, documents, says, filename }) => {
        return `${query} (${mode}): ${filename} instead of ${documents.join(' or ')} ${says}`
      })
      assert.ok(misses.length <= allowed, told.join('\n'))
    })
  }

  it('would not, did it always take the meaning', async () => {
    for (const sort of ['identifier', 'number', 'phrase', 'one rare word']) {
      const { misses, allowed } = await missesOf(sort, () => 'semantic')
      assert.ok(misses.length > allowed, sort)
    }
  })

  it('would not, did it choose the other way round', async () => {
    for (const sort of ['identifier', 'typing mistake', 'question in other words']) {
      const { misses, allowed } = await missesOf(sort, reversed)
      assert.ok(misses.length > allowed, sort)
    }
  })
})
