/**
 * Counts the named functions of this project between the request handler and the first call of
 * Lance, and before the first SQL statement.
 */
import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import { connect, type Table } from '@lancedb/lancedb'
import { Kysely } from 'kysely'
import { startRealServer } from './real-server.ts'

const MAX_FRAMES = 11
const MAX_FILES_OF_FIND = 6
const MAX_FRAMES_TO_SQL = 5

type Frame = { name: string; file: string }

/**
 * A named frame of this project: ` at async findMatches
 * (file:///…/src/services/search/retrieve.ts:70:5)`.
 */
const OWN = /^\s+at (?:async )?(?:Object\.)?([\w.]+) \(.*\/src\/([^:]+):\d+:\d+\)$/

before(() => {
  Error.stackTraceLimit = 100
})

/** The prototype of all tables. */
async function tablePrototype(): Promise<Table> {
  const connection = await connect('memory://paths')
  const table = await connection.createTable('one', [{ id: 1 }])
  return Object.getPrototypeOf(table) as Table
}

/** Notes the frames of each call of these methods, the caller first. */
function recordPaths<Target extends object>(t: TestContext, target: Target, methods: readonly (keyof Target)[]) {
  const paths: Frame[][] = []
  const methodsOf = target as Record<keyof Target, (...given: unknown[]) => unknown>
  for (const method of methods) {
    const original = methodsOf[method]
    t.after(() => {
      methodsOf[method] = original
    })
    methodsOf[method] = function recorded(this: Target, ...given: unknown[]) {
      const lines = (new Error('here').stack ?? '').split('\n')
      paths.push(
        lines.flatMap((line) => {
          const [, name = '', file = ''] = OWN.exec(line) ?? []
          return name === '' ? [] : [{ name, file }]
        }),
      )
      return original.apply(this, given)
    }
  }
  return paths
}

/** The first path that begins in a handler, up to this. */
function fromHandler(paths: readonly Frame[][]): Frame[] {
  for (const path of paths) {
    const handler = path.findIndex(({ file }) => file.startsWith('http/routes/'))
    if (handler >= 0) return path.slice(0, handler + 1)
  }
  assert.fail(JSON.stringify(paths, null, 1))
}

function describe(t: TestContext, what: string, path: readonly Frame[]): void {
  const files = new Set(path.map(({ file }) => file))
  t.diagnostic(`${what}: ${path.length} functions in ${files.size} files: ${path.map(({ name }) => name).join(' < ')}`)
}

async function openServer(t: TestContext) {
  const server = await startRealServer(t)
  const text = 'Herons nest at the old weir, in the spring of each year.'
  const add = async () => {
    const response = await server.sendJson('POST', `${server.path}/documents`, { documents: [{ text }] })
    assert.equal(response.status, 200)
    return ((await response.json()) as { documentIds: string[] }).documentIds[0] ?? ''
  }
  return { ...server, add }
}

test('a find asks Lance within eleven functions of six files', async (t) => {
  const server = await openServer(t)
  await server.add()
  const find = () => server.sendJson('POST', `${server.path}/find`, { query: 'herons', options: { mode: 'lexical' } })
  assert.equal((await find()).status, 200)
  const paths = recordPaths(t, await tablePrototype(), ['query'])
  assert.equal((await find()).status, 200)
  const path = fromHandler(paths)
  describe(t, 'find', path)
  assert.ok(path.length <= MAX_FRAMES, JSON.stringify(path, null, 1))
  assert.ok(new Set(path.map(({ file }) => file)).size <= MAX_FILES_OF_FIND, JSON.stringify(path, null, 1))
})

test('an add and a delete ask Lance within eleven functions, with those behind the queue of writes', async (t) => {
  const server = await openServer(t)
  const id = await server.add()
  const lance = recordPaths(t, await tablePrototype(), ['schema', 'query', 'add', 'mergeInsert', 'delete', 'countRows'])
  const chunks = recordPaths(t, server.chunks, ['add', 'deleteDocuments'])
  const requests = { add: server.add, delete: () => server.send('DELETE', `${server.path}/documents/${id}`) }
  for (const [name, send] of Object.entries(requests)) {
    lance.length = 0
    chunks.length = 0
    await send()
    const path = [...(lance[0] ?? []), ...fromHandler(chunks)]
    describe(t, name, path)
    assert.ok(path.length <= MAX_FRAMES, JSON.stringify(path, null, 1))
  }
})

test('a find, an add and a delete ask the database within five functions', async (t) => {
  const server = await openServer(t)
  const sql = recordPaths(t, Kysely.prototype, ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'])
  const id = await server.add()
  const requests = {
    add: server.add,
    find: () => server.sendJson('POST', `${server.path}/find`, { query: 'herons', options: { mode: 'lexical' } }),
    delete: () => server.send('DELETE', `${server.path}/documents/${id}`),
  }
  for (const [name, send] of Object.entries(requests)) {
    sql.length = 0
    await send()
    const path = fromHandler(sql)
    describe(t, name, path)
    assert.ok(path.length <= MAX_FRAMES_TO_SQL, JSON.stringify(path, null, 1))
  }
})
