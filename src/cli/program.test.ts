import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fakeCliContext } from '../../test/support/fake-cli-context.ts'
import type { KeyResource } from '../api/key.ts'
import { ConfigError } from '../config.ts'
import { ApiError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { OpenKeys } from './cli-context.ts'
import { runProgram } from './program.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const MEMORY = newId('mem')
const OTHER = newId('mem')

function keyResource(index: number): KeyResource {
  return {
    id: newId('key'),
    name: `key ${index}`,
    keyPreview: 'rcl_ab12…wxyz',
    scope: 'organization',
    role: 'admin',
    memoryId: null,
    memoryIds: [],
    createdAt: NOW.toISOString(),
    lastUsedAt: null,
    expiresAt: null,
  }
}

/** A data folder of keys in memory, with a record of calls. */
function fakeKeys(count = 0) {
  const stored = Array.from({ length: count }, (_, index) => keyResource(index))
  const seen = { created: [] as object[], revoked: [] as string[], closed: 0 }
  const open: OpenKeys = {
    caller: {
      organizationId: 'org',
      keyId: null,
      keyName: null,
      scope: 'organization',
      memoryIds: null,
      role: 'admin',
      planId: 'free',
    },
    keys: {
      async create(_caller, input) {
        seen.created.push(input)
        const { role, memoryIds, ...rest } = input
        const rights = { role: role ?? 'admin', memoryIds: [...(memoryIds ?? [])] }
        return { ...keyResource(0), ...rest, ...rights, key: 'rcl_the-key' }
      },
      async list(_caller, { limit, cursor }) {
        const from = Number(cursor ?? 0)
        const keys = stored.slice(from, from + limit)
        const hasMore = from + limit < stored.length
        return { keys, hasMore, nextCursor: hasMore ? String(from + limit) : null, total: stored.length }
      },
      rename: async (_caller, id, name) => ({ ...keyResource(0), id, name }),
      async revoke(_caller, id) {
        if (!stored.some((key) => key.id === id)) throw new ApiError('key_not_found')
        seen.revoked.push(id)
      },
    },
    organizations: {
      async create({ name, plan }) {
        seen.created.push({ name, plan })
        const made = { id: 'org_second', name, plan: plan ?? 'free', createdAt: NOW.toISOString() } as const
        return { ...made, keyId: 'key_0', key: 'rcl_the-key' }
      },
      async list() {
        const organization = {
          id: 'org_second',
          name: 'Ac\u001bme',
          plan: 'free',
          createdAt: NOW.toISOString(),
        } as const
        return { organizations: [organization], hasMore: false, nextCursor: null, total: 1 }
      },
    },
    async close() {
      seen.closed += 1
    },
  }
  return { open, stored, seen, steps: [] as string[] }
}

async function run(args: string[], keys = fakeKeys(), serve: () => Promise<void> = async () => {}) {
  const { context, written } = fakeCliContext({
    now: () => NOW,
    serve,
    migrate: async () => keys.steps,
    openKeys: async () => keys.open,
  })
  const status = await runProgram(args, context)
  return { status, ...written, ...keys }
}

describe('recollect help', () => {
  const help = async (...names: string[]) => {
    const { context, written } = fakeCliContext({})
    return { status: await runProgram(['help', ...names], context), ...written }
  }

  it('shows the help of the program, of a command and of one in a group', async () => {
    assert.match((await help()).out, /^Usage: recollect \[options\] \[command\]/)
    assert.match((await help('backup')).out, /^Usage: recollect backup /)
    assert.match((await help('keys', 'create')).out, /^Usage: recollect keys create /)
    assert.equal((await help('keys', 'create')).status, 0)
  })

  it('says of a command that there is not that it is unknown', async () => {
    for (const names of [['foo'], ['keys', 'foo'], ['find', 'foo']]) {
      const { status, out, error } = await help(...names)
      assert.deepEqual([status, out], [2, ''])
      assert.match(error, /^error: unknown command 'foo'\n/)
    }
  })
})

describe('recollect', () => {
  it('shows examples in its help', async () => {
    const { status, out } = await run(['--help'])
    assert.equal(status, 0)
    assert.match(out, /Usage: recollect/)
    assert.match(out, /recollect ask -m Handbook/)
    assert.match((await run(['keys', 'create', '--help'])).out, /recollect keys create --memory/)
  })

  it('says of a command that there is not that it is unknown, also where its help is asked for', async () => {
    for (const flag of ['--help', '-h']) {
      const { status, out, error } = await run(['kyes', flag])
      assert.deepEqual([status, out], [2, ''])
      assert.match(error, /unknown command 'kyes'[\s\S]*Did you mean keys\?/)
    }
  })

  it('says its version', async () => assert.match((await run(['--version'])).out, /^\d+\.\d+\.\d+\n$/))

  it('ends with 2 on wrong usage, with the nearest command and a way to the help', async () => {
    const { status, error } = await run(['kyes'])
    assert.equal(status, 2)
    assert.match(error, /Did you mean keys\?[\s\S]*--help/)
    assert.equal((await run([])).status, 2)
  })

  it('ends with 78 when the settings are wrong', async () => {
    const wrong = async () => {
      throw new ConfigError(['RECOLLECT_PORT must be a whole number.'])
    }
    const { status, error } = await run(['serve'], undefined, wrong)
    assert.equal(status, 78)
    assert.match(error, /RECOLLECT_PORT must be a whole number/)
  })

  it('starts the service', async () => {
    let started = 0
    const serve = async () => {
      started += 1
    }
    assert.equal((await run(['serve'], undefined, serve)).status, 0)
    assert.equal(started, 1)
  })
})

describe('recollect migrate', () => {
  it('says which steps were taken', async () => {
    const keys = { ...fakeKeys(), steps: ['0001-first-tables', '0002-nodes'] }
    const { status, out, error } = await run(['migrate'], keys)
    assert.deepEqual([status, out, error], [0, '', 'Done: 0001-first-tables, 0002-nodes.\n'])
  })

  it('says that there was nothing to do', async () => {
    assert.match((await run(['migrate'])).error, /up to date/)
  })
})

describe('recollect keys', () => {
  it('create puts the key alone on standard output', async () => {
    const { status, out, error, seen } = await run(['keys', 'create', '--name', 'laptop'])
    assert.deepEqual([status, out], [0, 'rcl_the-key\n'])
    assert.match(error, /"laptop", admin for the whole organization/)
    assert.deepEqual(seen.created, [{ name: 'laptop', memoryIds: null, role: null, expiresAt: null }])
    assert.equal(seen.closed, 1)
  })

  it('create makes a reader of two memories that ends', async () => {
    const { seen, error } = await run([
      'keys',
      'create',
      '--memory',
      MEMORY,
      OTHER,
      '--role',
      'reader',
      '--expires',
      '1d',
    ])
    const rights = { memoryIds: [MEMORY, OTHER], role: 'reader' }
    const expected = { name: 'command line', ...rights, expiresAt: '2026-11-22T10:00:00.000Z' }
    assert.deepEqual(seen.created, [expected])
    assert.match(error, new RegExp(`reader for ${MEMORY}, ${OTHER}, until 2026-11-22`))
  })

  it('create --json prints the record with the key', async () => {
    const { out } = await run(['keys', 'create', '--json'])
    assert.equal(JSON.parse(out).key, 'rcl_the-key')
  })

  it('create refuses what is no memory id and no time before it opens anything', async () => {
    for (const args of [
      ['--memory', 'mem_1'],
      ['--expires', 'yesterday'],
    ]) {
      const { status, seen } = await run(['keys', 'create', ...args])
      assert.deepEqual([status, seen.closed], [2, 0])
    }
  })

  it('list shows every key, however many pages there are', async () => {
    const { out } = await run(['keys', 'list'], fakeKeys(250))
    assert.equal(out.trimEnd().split('\n').length, 251)
    const json = await run(['keys', 'list', '--json'], fakeKeys(250))
    assert.equal(JSON.parse(json.out).keys.length, 250)
  })

  it('list keeps control characters of names from the terminal', async () => {
    const keys = fakeKeys(1)
    Object.assign(keys.stored[0] ?? {}, { name: 'red\u001b[31m' })
    assert.match((await run(['keys', 'list'], keys)).out, /red·\[31m/)
  })

  it('revoke says what it did, and what to do about an unknown key', async () => {
    const keys = fakeKeys(1)
    const id = keys.stored[0]?.id ?? ''
    assert.equal((await run(['keys', 'revoke', id], keys)).status, 0)
    assert.deepEqual(keys.seen.revoked, [id])
    const unknown = await run(['keys', 'revoke', 'key_nothing'], keys)
    assert.equal(unknown.status, 1)
    assert.match(unknown.error, /Key not found\. List the keys/)
    assert.equal(keys.seen.closed, 2)
  })
})

describe('recollect organizations', () => {
  it('makes one with its plan, and gives its first key alone to standard output', async () => {
    const { status, out, error, seen } = await run(['organizations', 'create', 'Acme', '--plan', 'starter'])
    assert.deepEqual([status, out], [0, 'rcl_the-key\n'])
    assert.match(error, /org_second "Acme", plan starter/)
    assert.deepEqual([seen.created, seen.closed], [[{ name: 'Acme', plan: 'starter' }], 1])
    assert.match((await run(['organizations', 'create', 'Acme', '--plan', 'gold'])).error, /Allowed choices are free/)
  })

  it('lists them without what a terminal would obey', async () => {
    assert.match((await run(['organizations', 'list'])).out, /org_second +free +2\d{3}-.* Ac·me/)
    assert.match((await run(['organizations', 'list', '--json'])).out, /"organizations": \[/)
  })
})
