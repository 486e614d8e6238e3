import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { ApiError } from '../../errors.ts'
import { createGivenUpFiles, createRecentFailures } from './given-up-files.ts'

const OWNER = { organizationId: 'org_a', keyId: 'key_1' }
const SENTENCE = 'Reading the file took more than 60 s and was stopped.'

async function openFiles(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-given-up-'))
  t.after(() => rm(folder, { recursive: true }))
  let atMs = 0
  const files = createGivenUpFiles(createRecentFailures({ keptMs: 15 * 60_000, now: () => atMs }))
  let written = 0
  const write = async (content: string) => {
    const path = join(folder, String(++written))
    await writeFile(path, content)
    return { path, bytes: content.length, filename: null, declaredType: null }
  }
  const pass = (ms: number) => {
    atMs += ms
  }
  return { files, write, pass }
}

async function* giveUp(onLimitExceeded: (sentence: string) => void) {
  yield { pageCount: 1 }
  onLimitExceeded(SENTENCE)
  throw new ApiError('unprocessable_document', { message: SENTENCE })
}

describe('a file that exceeded a limit', () => {
  it('is rejected with the reason and the remaining time', async (t) => {
    const { files, write, pass } = await openFiles(t)
    const source = await write('slow')
    await assert.rejects(async () => {
      for await (const _ of files.watch(source, OWNER, giveUp));
    }, ApiError)
    pass(60_000)
    await assert.rejects(files.requireReadable(await write('slow'), OWNER), (error) => {
      assert.ok(error instanceof ApiError)
      assert.equal(error.code, 'unprocessable_document')
      assert.equal(error.message, `${SENTENCE} The same file is not read again for 14 minutes.`)
      return true
    })
    pass(14 * 60_000)
    await files.requireReadable(await write('slow'), OWNER)
  })

  it('is recognised by content within its organization only', async (t) => {
    const { files, write } = await openFiles(t)
    await files.remember(await write('slow'), { owner: OWNER, message: SENTENCE })
    await files.requireReadable(await write('fast'), OWNER)
    await files.requireReadable(await write('slow'), { organizationId: 'org_b', keyId: 'key_1' })
    await assert.rejects(files.requireReadable(await write('slow'), { ...OWNER, keyId: 'key_2' }), ApiError)
  })

  it('is recognised as a whole or by page', async (t) => {
    const { files, write } = await openFiles(t)
    const source = await write('scan')
    await files.remember(source, { owner: OWNER, page: 3, message: SENTENCE })
    assert.match((await files.find(source, { owner: OWNER, page: 3 })) ?? '', /The same page is not read again/)
    assert.equal(await files.find(source, { owner: OWNER, page: 4 }), null)
    await files.requireReadable(source, OWNER)
  })

  it('is not hashed when no failure has its size', async (t) => {
    const { files } = await openFiles(t)
    const gone = { path: '/nowhere/file', bytes: 4, filename: null, declaredType: null }
    await files.requireReadable(gone, OWNER)
  })
})

describe('recent failures', () => {
  it('are bounded, and the oldest is evicted first', () => {
    const failures = createRecentFailures()
    for (let index = 0; index < 2_001; index++) {
      failures.remember({ organizationId: String(index), name: String(index), message: 'It failed.' })
    }
    assert.equal(failures.find('0'), null)
    assert.deepEqual(failures.find('2000'), { message: 'It failed.', minutes: 15 })
  })

  it('of an organization evict only its own', () => {
    const failures = createRecentFailures()
    failures.remember({ organizationId: 'org_b', name: 'of another', message: 'It failed.' })
    for (let index = 0; index < 2_001; index++) {
      failures.remember({ organizationId: 'org_a', name: String(index), message: 'It failed.' })
    }
    assert.notEqual(failures.find('of another'), null)
    assert.equal(failures.find('1800'), null)
    assert.notEqual(failures.find('1801'), null)
  })
})
