/** How far it is from the handler of a request to the first call of Lance: own functions that the stack names there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type Table } from '@lancedb/lancedb'
import { startRealServer } from './real-server.ts'

const MAX_FRAMES = 11
const MAX_FILES = 6

/** A frame of our own source that has a name: `    at async findMatches (file:///…/src/services/search/retrieve.ts:70:5)`. */
const OWN = /^\s+at (?:async )?(?:Object\.)?([\w.]+) \(.*\/src\/([^:]+):\d+:\d+\)$/

/** Names and files from the function that calls Lance up to the handler. */
function readPath(stack: string): { name: string; file: string }[] {
  const frames = stack.split('\n').flatMap((line) => {
    const [, name = '', file = ''] = OWN.exec(line) ?? []
    return name === '' ? [] : [{ name, file }]
  })
  const handler = frames.findIndex(({ file }) => file.startsWith('http/routes/'))
  assert.ok(handler >= 0, stack)
  return frames.slice(0, handler + 1)
}

/** What all tables are made of. */
async function tablePrototype(): Promise<Table> {
  const connection = await connect('memory://paths')
  const table = await connection.createTable('one', [{ id: 1 }])
  return Object.getPrototypeOf(table) as Table
}

test('a find asks Lance within eleven functions of six files', async (t) => {
  const server = await startRealServer(t)
  const text = 'Herons nest at the old weir, in the spring of each year.'
  await server.sendJson('POST', `${server.path}/documents`, { documents: [{ text }] })
  const find = () => server.sendJson('POST', `${server.path}/find`, { query: 'herons', options: { mode: 'lexical' } })
  assert.equal((await find()).status, 200)
  const prototype = await tablePrototype()
  const stacks: string[] = []
  const { query } = prototype
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  t.after(() => {
    Error.stackTraceLimit = stackTraceLimit
  })
  t.mock.method(prototype, 'query', function asked(this: Table) {
    stacks.push(new Error('here').stack ?? '')
    return query.call(this)
  })
  assert.equal((await find()).status, 200)
  const path = readPath(stacks[0] ?? '')
  const files = new Set(path.map(({ file }) => file))
  t.diagnostic(`${path.length} functions in ${files.size} files: ${path.map(({ name }) => name).join(' < ')}`)
  assert.ok(path.length <= MAX_FRAMES && files.size <= MAX_FILES, JSON.stringify(path, null, 1))
})
