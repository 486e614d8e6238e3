import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createAskService } from '../../../src/services/ask/ask-service.ts'
import { createExtractiveGenerator } from '../../../src/services/ask/extractive-generator.ts'
import type { Caller } from '../../../src/services/caller.ts'
import { createCorrectionsService } from '../../../src/services/corrections/corrections-service.ts'
import { createExtractService } from '../../../src/services/extract/extract-service.ts'
import { createRuleReader } from '../../../src/services/extract/field-reader.ts'
import { createEvaluateService } from '../../../src/services/search/evaluate-service.ts'
import { createSearchService, openMemory } from '../../../src/services/search/search-service.ts'
import type { Services } from '../../../src/services/services.ts'
import { startServer } from '../http/running-server.ts'
import { openIngestFixture, textDocument, withOwn } from './ingest-fixture.ts'

const REQUEST = { query: 'When do herons nest?', limit: 10, mode: 'hybrid', highlight: false } as const
const { signal } = new AbortController()

/**
 * Services of one memory, with counts of file reads with and without priority over background work.
 */
async function openPriorityFixture(t: TestContext) {
  const base = await openIngestFixture(t)
  const { db, memoryFile: unwatched } = base.parts
  await base.add({}, [textDocument('Herons nest at the old weir, in the spring of each year.')])
  const reads = { first: 0, behind: 0 }
  let underWay = 0
  const priorityGate = {
    async foreground<Result>(work: () => Promise<Result>): Promise<Result> {
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
      }
    },
    yieldToForeground: async () => undefined,
  }
  const noted = <Asked extends unknown[], Result>(read: (...asked: Asked) => Result) => {
    return (...asked: Asked) => {
      reads[underWay > 0 ? 'first' : 'behind'] += 1
      return read(...asked)
    }
  }
  const memoryFile = withOwn(unwatched, {
    searchLexical: noted(unwatched.searchLexical),
    searchNear: noted(unwatched.searchNear),
    searchVector: noted(unwatched.searchVector),
    readRows: noted(unwatched.readRows),
  })
  const parts = { ...base.parts, memoryFile, priorityGate }
  const search = createSearchService({ ...parts, rerank: true })
  return {
    ...base,
    t,
    parts,
    search,
    reads,
    ask: createAskService({ ...parts, search, writer: createExtractiveGenerator(parts) }),
    corrections: createCorrectionsService({ ...parts, search }),
    evaluate: createEvaluateService({ db, search }),
    extract: createExtractService({ db, search, reader: createRuleReader() }),
  }
}

type Fixture = Awaited<ReturnType<typeof openPriorityFixture>>

const asked = { question: REQUEST.query, model: 'm', maxContextChunks: 10, includeSources: false }
const opened = ({ parts, caller, memory }: Fixture) => openMemory(parts.db, caller, memory.id)

const WAYS: Record<string, (fixture: Fixture) => Promise<unknown>> = {
  find: async (fixture) => fixture.search.find(await opened(fixture), REQUEST),
  search: async (fixture) => fixture.search.search(await opened(fixture), { query: REQUEST.query, limit: 10 }),
  rank: async (fixture) => fixture.search.rank(await opened(fixture), REQUEST),
  ask: async (fixture) => fixture.ask.ask(await opened(fixture), asked, signal),
  'ask, streamed': async (fixture) => {
    for await (const _ of await fixture.ask.streamAsk(await opened(fixture), asked, signal));
  },
  extract: ({ extract, caller, memory }) => {
    const fields = [{ key: 'season', label: 'Season', dataType: null }]
    const sections = [{ id: 'birds', name: 'Birds', fields }]
    return extract.extract(caller, memory.id, { sections, context: 'herons', signal })
  },
  corrections: ({ corrections, caller, memory }) => {
    const correction = { statement: 'Herons nest in the spring at the mill.', topics: [], boost: 2 }
    return corrections.add(caller, memory.id, { corrections: [correction], signal })
  },
  evaluate: async ({ evaluate, caller, memory, add }) => {
    const { documentIds } = await add({}, [textDocument('Storks nest on roofs.')])
    const questions = [{ query: REQUEST.query, documentIds, externalIds: [], grades: {} }]
    return evaluate.evaluate(caller, memory.id, { questions, topK: 10, modes: ['hybrid'], signal })
  },
  'the Model Context Protocol': ({ t, search, memories, caller, memory }) => {
    const tool = { name: 'find', arguments: { query: REQUEST.query, memory: memory.id } }
    return callTool(t, { caller, services: { search, memories } }, tool)
  },
}

async function callTool(
  t: TestContext,
  { caller, services }: { caller: Caller; services: Partial<Services> },
  params: object,
): Promise<void> {
  const server = await startServer(t, { anonymous: caller })
  Object.assign(server.services, services)
  const accept = 'application/json, text/event-stream'
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const answer = await server.sendJson('POST', '/mcp', message, { accept })
  assert.equal(answer.status, 200)
}

for (const [way, ask] of Object.entries(WAYS)) {
  test(`background work makes way for a search: ${way}`, async (t) => {
    const fixture = await openPriorityFixture(t)
    await ask(fixture)
    assert.equal(fixture.reads.behind, 0)
    assert.ok(fixture.reads.first > 0, 'the memory was not searched')
  })
}
