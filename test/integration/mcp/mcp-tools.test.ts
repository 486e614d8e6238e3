/**
 * The tools as seen by the protocol's official client, over both transports on one running service.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createClient } from '../../../src/client/client.ts'
import { PROGRAMS } from '../../spec/product.ts'
import { useService } from '../../spec/service.ts'
import { buildArchive } from '../../support/build-archive.ts'

const PLAYBOOK = 'P1 incidents are acknowledged within ten minutes. The duty officer decides about the escalation.'

/** The address of the server of files, which documents may be downloaded from. */
const FILES_HOST = '127.0.0.2'

type Result = { text: string; isError: boolean; facts: Record<string, unknown> }
type Transport = Parameters<McpClient['connect']>[0]

let playbooks = ''
const service = useService({ RECOLLECT_URL_ALLOW_PRIVATE: `${FILES_HOST}/32` }, async ({ url, bootstrapKey }) => {
  const client = createClient({ baseUrl: url, apiKey: bootstrapKey })
  playbooks = (await client.memories.create({ name: 'Playbooks' })).id
  await client.memories.create({ name: 'Recipes' })
  await client.documents.addTexts(playbooks, [{ title: 'P1 playbook', text: PLAYBOOK, tags: ['ops'] }])
})

function overHttp(key = service.bootstrapKey): Transport {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } }
  return new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), options) as Transport
}

function overStdio(key = service.bootstrapKey, url = service.url): Transport {
  const { command, cache } = PROGRAMS
  const settings = { RECOLLECT_URL: url, RECOLLECT_API_KEY: key }
  const env = { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: cache, ...settings }
  return new StdioClientTransport({ command: process.execPath, args: [command, 'mcp'], env, stderr: 'inherit' })
}

/** Connects, hands over how to call a tool, and hangs up. */
async function withTools(
  transport: Transport,
  use: (call: (name: string, args?: Record<string, unknown>) => Promise<Result>, client: McpClient) => Promise<void>,
): Promise<void> {
  const client = new McpClient({ name: 'test', version: '1' })
  await client.connect(transport)
  try {
    // The client validates results by the listed schema.
    await client.listTools()
    await use(async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args })
      const [content] = result.content as { type: string; text: string }[]
      const facts = (result.structuredContent ?? {}) as Record<string, unknown>
      return { text: content?.text ?? '', isError: result.isError === true, facts }
    }, client)
  } finally {
    await client.close()
  }
}

for (const [name, connect] of [
  ['over HTTP', overHttp],
  ['over standard input and output', overStdio],
] as const) {
  describe(`the Model Context Protocol ${name}`, () => {
    it('lists every tool with a description, schemas and its effects', async () => {
      await withTools(connect(), async (_call, client) => {
        const { tools } = await client.listTools()
        const names = [
          ...['find', 'ask', 'read_passage', 'list_memories', 'list_documents'],
          ...['add_text', 'add_url', 'correct', 'create_memory', 'delete_document'],
        ]
        assert.deepEqual(
          tools.map((tool) => tool.name),
          names,
        )
        for (const { description, inputSchema, outputSchema, annotations } of tools) {
          assert.ok((description ?? '').length > 100)
          assert.equal(inputSchema.type, 'object')
          assert.equal(outputSchema?.type, 'object')
          assert.equal(typeof annotations?.readOnlyHint, 'boolean')
        }
        assert.match(client.getInstructions() ?? '', /never follow instructions/)
      })
    })

    it('finds passages with all that a citation needs, and reads on around one', async () => {
      await withTools(connect(), async (call) => {
        const { text, facts } = await call('find', { query: 'Who decides about escalation?', memory: 'Playbooks' })
        const [hit] = facts['hits'] as Record<string, never>[]
        assert.ok(hit !== undefined)
        const { documentId, chunkId, startOffset, endOffset } = hit
        assert.equal(PLAYBOOK.slice(startOffset, endOffset), hit['text'])
        for (const fact of [
          'P1 playbook',
          String(documentId),
          String(chunkId),
          `characters ${startOffset}-${endOffset}`,
          PLAYBOOK,
        ]) {
          assert.ok(text.includes(fact), `${fact} in ${text}`)
        }
        const offsets = { startOffset: 3, endOffset: 12, context: 3 }
        assert.equal(hit['duplicates'], undefined)
        const strict = { query: 'What else is decided about the lunch?', memory: 'Playbooks', minScore: 1 }
        assert.deepEqual((await call('find', strict)).facts['hits'], [])
        const passage = await call('read_passage', { documentId, memory: playbooks, ...offsets })
        assert.equal(passage.facts['text'], PLAYBOOK.slice(0, 15))
        assert.equal(passage.facts['nextOffset'], 15)
        assert.match(passage.text, /call again with startOffset 15/)
      })
    })

    it('answers a question with its citations, and says when nothing is known', async () => {
      await withTools(connect(), async (call) => {
        const asked = { question: 'Within how many minutes are P1 incidents acknowledged?', memory: playbooks }
        const { text, facts } = await call('ask', asked)
        assert.match(text, /ten minutes[\s\S]*\n\[1\] P1 playbook \(doc_/)
        assert.equal(facts['answered'], true)
        assert.ok(Number(facts['confidence']) > 0.25)
        assert.equal((await call('ask', { ...asked, minConfidence: 1 })).facts['answered'], false)
        const nothing = await call('ask', { question: 'How is sourdough proofed?', memory: 'Recipes' })
        assert.equal(nothing.facts['answered'], false)
      })
    })

    it('adds a searchable text, replaces it by its external id, and lists it', async () => {
      await withTools(connect(), async (call) => {
        const note = { memory: 'Recipes', externalId: `rye ${name}`, tags: [name], title: 'Rye' }
        await call('add_text', { ...note, text: 'Rye bread rests for a day.' })
        const { text, facts } = await call('add_text', { ...note, text: 'Rye bread rests for two days.' })
        assert.match(text, /^Added: Rye \(doc_/)
        assert.equal(facts['jobId'], null)
        const found = await call('find', { memory: 'Recipes', query: 'rye bread rests', tags: [name] })
        assert.deepEqual(
          (found.facts['hits'] as { text: string }[]).map((hit) => hit.text),
          ['Rye bread rests for two days.'],
        )
        const listed = await call('list_documents', { memory: 'Recipes', tag: name })
        assert.deepEqual([listed.facts['total'], listed.facts['nextCursor']], [1, null])
        assert.match(listed.text, /- Rye \(doc_\w+, ready, 29 characters, tags: /)
      })
    })

    it('skips duplicates on request, and finds by metadata', async () => {
      await withTools(connect(), async (call) => {
        const note = { title: 'Oats', text: `Oats soak over night (${name}).`, memory: 'Recipes', deduplicate: true }
        const first = await call('add_text', { ...note, metadata: { shelf: 4, kept: name } })
        const second = await call('add_text', note)
        assert.match(second.text, /^Skipped: Oats is already in .*, as doc_/)
        assert.deepEqual([second.facts['duplicateOf']], first.facts['documentIds'])
        const found = await call('find', { query: 'oats', memory: 'Recipes', metadata: { shelf: 4, kept: name } })
        assert.equal((found.facts['hits'] as unknown[]).length, 1)
        const none = await call('find', { query: 'oats', memory: 'Recipes', metadata: { shelf: 5 } })
        assert.deepEqual(none.facts['hits'], [])
      })
    })

    it('brings a correction before all documents', async () => {
      await withTools(connect(), async (call) => {
        const statement = `Salt goes into the rye dough last (${name}).`
        await call('add_text', { title: 'Salt', text: 'Salt goes into the rye dough first.', memory: 'Recipes' })
        const corrected = await call('correct', { statement, topics: ['salt'], memory: 'Recipes' })
        assert.match(String(corrected.facts['correctionId']), /^doc_/)
        assert.match(
          corrected.text,
          /It outranks these passages:\n[\s\S]*- Salt \(doc_\w+\): Salt goes into the rye dough first\./,
        )
        const found = await call('find', { query: 'When does salt go into the dough?', memory: 'Recipes' })
        assert.match(found.text, /^\[1\] Correction of \d{4}-\d\d-\d\d: /)
        const asked = await call('ask', { question: 'Does salt go into the rye dough last?', memory: 'Recipes' })
        const [citation] = asked.facts['citations'] as { correction: unknown }[]
        assert.ok(citation?.correction, asked.text)
      })
    })

    it('ends a correction on request, and lists it as expired', async () => {
      await withTools(connect(), async (call) => {
        const correction = { statement: `The oven is broken (${name}).`, memory: 'Recipes' }
        const expiresAt = '2099-05-31T20:00:00+02:00'
        const { text, facts } = await call('correct', { ...correction, expiresAt })
        assert.equal(facts['expiresAt'], '2099-05-31T18:00:00.000Z')
        assert.match(text, /until 2099-05-31T18:00:00\.000Z/)
        const listed = await call('list_documents', { memory: 'Recipes', sourceType: 'correction', limit: 1 })
        const [{ correction: told } = { correction: null }] = listed.facts['documents'] as { correction: unknown }[]
        const { topics, boost } = facts
        assert.deepEqual(told, { statement: correction.statement, topics, boost, expiresAt: facts['expiresAt'] })
        const found = await call('find', { query: 'Is the oven broken?', memory: 'Recipes' })
        assert.match(found.text, /Correction of \S+ until 2099-05-31: /)
        for (const wrong of ['2001-01-01T00:00:00Z', 'tomorrow']) {
          const refused = await call('correct', { ...correction, expiresAt: wrong })
          assert.ok(refused.isError)
          assert.match(refused.text, /^validation_failed: .*expiresAt/)
        }
      })
    })

    it('reports a failure as a tool result, with what to do', async () => {
      await withTools(connect(), async (call) => {
        const failures = [
          await call('find', { query: 'x' }),
          await call('find', { query: 'x', memory: 'Nowhere' }),
          await call('find', { query: '', memory: playbooks }),
          await call('find', { query: 'x', memory: 'mem_01h455vb4pex5vsknk084sn02q' }),
          await call('read_passage', { documentId: 'doc_01h455vb4pex5vsknk084sn02q', memory: playbooks }),
          await call('add_url', { url: 'http://127.0.0.1:9/', memory: playbooks }),
          await call('ask', { memory: playbooks }),
          await call('list_documents', { memory: playbooks, cursor: 'x' }),
        ]
        for (const { isError } of failures) assert.ok(isError)
        const [unnamed, unknown, empty, absent, document, forbidden, missing, cursor] = failures.map(({ text }) => text)
        assert.match(unnamed ?? '', /Several memories match: pass the id as memory\. .*mem_\w+ "Playbooks"/)
        assert.match(unknown ?? '', /No memory has this name.*"Recipes"/)
        assert.match(
          empty ?? '',
          /^validation_failed: query .*characters\. Correct the argument and call the tool again\.$/,
        )
        assert.match(absent ?? '', /^memory_not_found: .* Call list_memories to find a valid memory\.$/)
        assert.match(document ?? '', /^document_not_found: .* Call list_documents to find valid document ids\.$/)
        assert.match(forbidden ?? '', /^url_not_allowed: /)
        assert.match(missing ?? '', /^validation_failed: .*question/)
        assert.match(cursor ?? '', /^invalid_cursor: cursor is not one this list gave out\. [^\n]+$/)
      })
    })

    it('adds the files of an archive by URL, and gives the reason for each other file once', async () => {
      const archive = buildArchive([
        { name: 'tides.txt', content: `High water ${name} is at nine.` },
        { name: 'old.zip', content: buildArchive([{ name: 'a.txt', content: 'x' }]) },
      ])
      const files = createServer((_, response) => void response.end(archive)).listen(0, FILES_HOST)
      await once(files, 'listening')
      try {
        await withTools(connect(), async (call) => {
          const url = `http://${FILES_HOST}:${(files.address() as AddressInfo).port}/tides.zip`
          const { text, facts } = await call('add_url', { url, memory: 'Recipes' })
          assert.match(text, /^Added: tides \(doc_\w+, 1 passage\)/)
          assert.deepEqual(facts['warnings'], [
            '1 of 2 members were not added. old.zip: An archive in an archive is not opened.',
          ])
        })
      } finally {
        files.close()
      }
    })

    it('names unknown arguments beside the answer', async () => {
      await withTools(connect(), async (call) => {
        const asked = { query: 'escalation', memory: playbooks }
        const { text, isError } = await call('find', { ...asked, tag: 'none', topK: 3, page: null })
        assert.equal(isError, false)
        assert.match(
          text,
          /P1 playbook[\s\S]*\n\nIgnored unknown arguments of find: tag, topK, page\. Known arguments: query, .*tags/,
        )
        assert.doesNotMatch((await call('find', { ...asked, tags: null })).text, /Ignored/)
      })
    })

    it('limits a memory key to its memory, which then needs no name', async () => {
      const client = createClient({ baseUrl: service.url, apiKey: service.bootstrapKey })
      const { key } = await client.keys.create({ name: name, scope: 'memory', memoryId: playbooks })
      const [other] = (await client.memories.listPage()).memories.filter(({ id }) => id !== playbooks)
      await withTools(connect(key ?? ''), async (call) => {
        assert.equal((await call('find', { query: 'escalation' })).isError, false)
        const { text } = await call('find', { query: 'rye', memory: other?.id })
        assert.match(text, /^memory_not_found: /)
      })
    })

    it('creates a memory, lists it, and has its documents as resources until they are deleted', async () => {
      await withTools(connect(), async (call, client) => {
        const created = await call('create_memory', { name: `Shelf ${name}` })
        const memory = String(created.facts['memoryId'])
        const listed = await call('list_memories', { name: `Shelf ${name}` })
        assert.deepEqual((listed.facts['memories'] as { memoryId: string }[])[0]?.memoryId, memory)
        const added = await call('add_text', { title: 'Atlas', text: 'All the seas.', memory })
        const [documentId] = added.facts['documentIds'] as string[]
        const { resources } = await client.listResources()
        const atlas = resources.find(({ name: id }) => id === documentId)
        assert.equal(atlas?.title, 'Atlas')
        const { contents } = await client.readResource({ uri: atlas?.uri ?? '' })
        assert.deepEqual(contents, [{ uri: atlas?.uri, mimeType: 'text/plain', text: 'All the seas.' }])
        assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1)
        const deleted = await call('delete_document', { documentId, memory })
        assert.match(deleted.text, /^Deleted "Atlas" \(doc_/)
        await assert.rejects(client.readResource({ uri: atlas?.uri ?? '' }), /Document not found/)
      })
    })

    it('cuts long answers and says how to continue', async () => {
      await withTools(connect(), async (call) => {
        // Equal passages would be one hit.
        const lines = Array.from(
          { length: 1000 },
          (_, day) => `The lighthouse keeper writes the weather of day ${day} into the log. `,
        )
        const { facts } = await call('add_text', { title: 'Log', text: lines.join(''), memory: 'Recipes' })
        const [documentId] = facts['documentIds'] as string[]
        const passage = await call('read_passage', { documentId, memory: 'Recipes', endOffset: 60_000 })
        assert.equal(String(passage.facts['text']).length, 20_000)
        assert.equal(passage.facts['nextOffset'], 20_000)
        const found = await call('find', { query: 'lighthouse keeper', memory: 'Recipes', limit: 25 })
        assert.ok(JSON.stringify(found).length < 6000, `${found.text.length}`)
        const next = found.facts['nextCursor']
        assert.match(found.text, new RegExp(`call again with cursor ${next}\\.`))
        const more = await call('find', { query: 'lighthouse keeper', memory: 'Recipes', limit: 25, cursor: next })
        assert.equal((more.facts['hits'] as { rank: number }[])[0]?.rank, Number(next) + 1)
      })
    })
  })
}

it('a process without a service to speak to says so in each result and lives on', async () => {
  await withTools(overStdio('none', 'http://127.0.0.1:9'), async (call) => {
    for (let time = 0; time < 2; time += 1) {
      const { isError, text } = await call('list_documents')
      assert.ok(isError)
      assert.match(text, /cannot be reached.*recollect serve/)
    }
  })
})
