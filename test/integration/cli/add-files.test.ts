import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { listSources, type Outcome } from '../../../src/cli/add/list-sources.ts'
import type { CliContext } from '../../../src/cli/cli-context.ts'
import { UsageError } from '../../../src/cli/failures.ts'
import { runProgram } from '../../../src/cli/program.ts'
import { useService } from '../../spec/service.ts'
import { asAnotherUser } from '../../support/as-another-user.ts'
import { buildArchive } from '../../support/build-archive.ts'
import { drawPicture } from '../../support/draw-picture.ts'
import { fakeCliContext } from '../../support/fake-cli-context.ts'

const service = useService({ RECOLLECT_URL_ALLOW_PRIVATE: '127.0.0.0/8' })
const folder = await mkdtemp(join(tmpdir(), 'recollect-add-'))
const path = (name: string) => join(folder, name)
const journal = path('journal.jsonl')
let memory = ''

after(() => rm(folder, { recursive: true, force: true }))

async function run(args: string[], parts: Partial<CliContext> = {}) {
  const environment = { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey }
  const { context, written } = fakeCliContext({ environment, fetch: globalThis.fetch, ...parts })
  const status = await runProgram(args, context)
  return { status, ...written }
}

async function add(what: string[], parts: Partial<CliContext> = {}) {
  const { status, out, error } = await run(['add', '-m', memory, '--journal', journal, '--json', ...what], parts)
  const outcomes = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Outcome]))
  return { status, error, outcomes, told: outcomes.map((each) => `${each.status} ${each.source}`).sort() }
}

async function countDocuments(): Promise<number> {
  const { json } = await service.get<{ documentCount: number }>(`/v1/memories/${memory}`)
  return json.documentCount
}

describe('recollect add', () => {
  beforeEach(async () => {
    await rm(journal, { force: true })
    memory = (await run(['memories', 'create', `Harbour ${Math.random()}`])).out.trim()
    await mkdir(path('docs/sub'), { recursive: true })
    await writeFile(path('docs/tides.txt'), 'The tide table hangs beside the wheelhouse door.')
    await writeFile(path('docs/sub/ropes.md'), '# Ropes\n\nRopes are kept in the loft.')
  })

  it('adds the files of a folder once, however often it runs', async () => {
    const first = await add([path('docs')])
    assert.deepEqual(
      [first.status, first.told],
      [0, [`added ${path('docs/sub/ropes.md')}`, `added ${path('docs/tides.txt')}`]],
    )
    const second = await add([path('docs')])
    assert.ok(second.outcomes.every(({ status, message }) => status === 'skipped' && message === 'there already'))
    assert.equal(await countDocuments(), 2)
    assert.equal((await add([path('docs'), '--again'])).outcomes.filter(({ status }) => status === 'added').length, 2)
  })

  it('adds a ZIP archive once, and names the members that were not added', async () => {
    const members = [
      { name: 'a.txt', content: 'The tide table hangs in the loft.' },
      { name: 'b.txt', content: 'Ropes are kept beside the wheelhouse.' },
      { name: 'c.exe', content: 'MZ\0\0' },
    ]
    await writeFile(path('all.zip'), buildArchive(members))
    const [first] = (await add([path('all.zip')])).outcomes
    assert.deepEqual([first?.status, first?.documentIds.length], ['added', 2])
    assert.match(first?.message ?? '', /^1 of 3 members were not added\. c\.exe: The file type is not supported/)
    await service.delete(`/v1/memories/${memory}/documents/${first?.documentIds[0]}`)
    const [second] = (await add([path('all.zip')])).outcomes
    assert.deepEqual([second?.status, await countDocuments()], ['skipped', 1])

    const locked = { name: 'd.txt', content: 'x', flags: 1 }
    await writeFile(
      path('large.zip'),
      buildArchive([{ name: 'l.txt', content: 'A keeper sleeps. '.repeat(200_000) }, locked]),
    )
    const [third] = (await add([path('large.zip')])).outcomes
    assert.deepEqual([third?.status, third?.documentIds.length], ['partial', 1])
    assert.match(third?.message ?? '', /d\.txt: The file is password protected/)
  })

  it('adds changed files and files deleted from the memory', async () => {
    const { outcomes } = await add([path('docs')])
    const tides = outcomes.find(({ source }) => source.endsWith('tides.txt'))?.documentIds[0]
    await service.delete(`/v1/memories/${memory}/documents/${tides}`)
    await writeFile(path('docs/sub/ropes.md'), '# Ropes\n\nRopes are kept in the shed.')
    const again = await add([path('docs')])
    assert.deepEqual(
      again.outcomes.map(({ status }) => status),
      ['added', 'added'],
    )
  })

  it('sends one of several files with the same content', async () => {
    await writeFile(path('docs/copy.txt'), await readFile(path('docs/tides.txt')))
    const { told, outcomes } = await add([path('docs')])
    assert.equal(told.filter((line) => line.startsWith('added')).length, 2)
    assert.match(outcomes.find(({ status }) => status === 'skipped')?.message ?? '', /the same content as/)
    await rm(path('docs/copy.txt'))
  })

  it('adds nothing twice when restarted after an interruption', async () => {
    const broken = new AbortController()
    // The response is lost: the command is interrupted on arrival.
    const losing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      if (init?.method !== 'POST') return answer
      await answer.text()
      broken.abort()
      throw new TypeError('the connection broke')
    }
    const first = await add([path('docs/tides.txt')], { fetch: losing, signal: broken.signal })
    assert.deepEqual([first.status, first.outcomes.length, await countDocuments()], [130, 0, 1])
    // A crash within a line must not damage other lines.
    await appendFile(journal, '{"id":"sha2')
    const second = await add([path('docs/tides.txt')])
    assert.deepEqual([second.status, second.outcomes[0]?.status, await countDocuments()], [0, 'added', 1])
    assert.equal((await add([path('docs/tides.txt')])).outcomes[0]?.status, 'skipped')
  })

  it('says what to do when the journal cannot be written, and adds nothing', async () => {
    const environment = { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey }
    // Node's own recursive mkdir tries for ever in the first.
    for (const state of ['/proc', path('docs/tides.txt')]) {
      const parts = { environment: { ...environment, XDG_STATE_HOME: state } }
      const { status, error } = await run(['add', '-m', memory, path('docs')], parts)
      assert.equal(status, 1)
      assert.match(error, /What was added .*cannot be (noted|read): .*Name another file with --journal/)
    }
    assert.equal(await countDocuments(), 0)
  })

  it('reports the failure of one file, adds the others, and fails', async () => {
    await writeFile(path('docs/broken.pdf'), '%PDF-1.4 and no more')
    const { status, outcomes, error } = await add([path('docs')])
    await rm(path('docs/broken.pdf'))
    assert.equal(status, 1)
    assert.match(error, /1 failed/)
    assert.match(outcomes.find((each) => each.status === 'failed')?.message ?? '', /damaged/)
    assert.equal(await countDocuments(), 2)
  })

  it('waits for the job of a large file, or prints its id without waiting', async () => {
    await writeFile(path('large.txt'), 'A line of the log of the harbour master.\n'.repeat(52_000))
    const accepted = await add([path('large.txt'), '--no-wait'])
    assert.equal(accepted.outcomes[0]?.status, 'accepted')
    const jobId = accepted.outcomes[0]?.jobId ?? ''
    const waited = await add([path('large.txt')])
    assert.ok(['added', 'skipped'].includes(waited.outcomes[0]?.status ?? ''), waited.error)
    assert.match((await run(['jobs', 'watch', jobId])).out, new RegExp(`${jobId}  completed`))
    assert.equal(await countDocuments(), 1)
  })

  it('adds a URL once, and a picture by its text', async () => {
    const site = createServer((_, answer) => answer.end('The pilot boat leaves at dawn.')).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/pilot.txt`
    await (await drawPicture(['Berth seven is free.'])).png().toFile(path('berth.png'))
    await (await drawPicture([])).png().toFile(path('blank.png'))
    const { told, outcomes } = await add([url, path('berth.png'), path('blank.png')])
    assert.deepEqual(told, [`added ${path('berth.png')}`, `added ${url}`, `skipped ${path('blank.png')}`])
    assert.match(outcomes.find(({ status }) => status === 'skipped')?.message ?? '', /no text/)
    const again = await add([url, path('berth.png'), path('blank.png')])
    assert.ok(again.outcomes.every(({ status }) => status === 'skipped'))
    assert.match((await run(['find', '-m', memory, 'berth seven'])).out, /Berth seven is free/)
    site.close()
  })

  it('adds standard input under the name it is given', async () => {
    const readInput = async () => Buffer.from('# Cranes\n\nThe crane lifts nine tonnes.')
    const { told } = await add(['-', '--name', 'cranes.md'], { readInput })
    assert.deepEqual(told, ['added cranes.md'])
    assert.match((await run(['find', '-m', memory, 'crane'])).out, /Cranes[\s\S]*nine tonnes/)
  })

  it('creates the memory on request, and otherwise lists existing memories', async () => {
    const name = `New ${Math.random()}`
    const unknown = await run(['add', '-m', name, path('docs'), '--journal', journal])
    assert.deepEqual([unknown.status, /There is no memory .*There are:/.test(unknown.error)], [1, true])
    const created = await run(['add', '-m', name, '--create', path('docs'), '--journal', journal])
    assert.deepEqual([created.status, created.out.match(/^added /gm)?.length], [0, 2])
  })
})

describe('listSources', () => {
  const options = { inputName: 'input.txt', readInput: async () => Buffer.alloc(0) }
  const list = async (...names: string[]) => {
    const { sources, passedOver } = await listSources(names, options)
    return { names: sources.map(({ name }) => name.replace(`${folder}/`, '')), passedOver }
  }

  it('continues beside an unreadable folder, which alone fails', async () => {
    await chmod(folder, 0o755)
    await mkdir(path('guarded/barred'), { recursive: true })
    await writeFile(path('guarded/quay.txt'), 'The quay is long.')
    await chmod(path('guarded/barred'), 0)
    const listed = await asAnotherUser(() => list(path('guarded')))
    await chmod(path('guarded/barred'), 0o700)
    assert.deepEqual(listed, { names: ['guarded/quay.txt', 'guarded/barred'], passedOver: 0 })
  })

  it('takes of a folder what is read, and nothing hidden', async () => {
    await mkdir(path('mixed/.git/x'), { recursive: true })
    const packed = ['app.log.gz', 'files.tar.gz']
    for (const name of ['b.txt', 'a.PDF', 'c.exe', '.hidden.txt', '.git/x/d.txt', 'scan.png', ...packed]) {
      await writeFile(path(`mixed/${name}`), 'x')
    }
    await symlink(path('mixed'), path('mixed/loop'))
    assert.deepEqual(await list(path('mixed')), {
      names: ['mixed/a.PDF', 'mixed/app.log.gz', 'mixed/b.txt', 'mixed/scan.png'],
      passedOver: 2,
    })
  })

  it('accepts a named file of any type, each once', async () => {
    assert.deepEqual(await list(path('mixed/c.exe'), path('mixed/b.txt'), path('mixed/*.txt')), {
      names: ['mixed/c.exe', 'mixed/b.txt'],
      passedOver: 0,
    })
  })

  it('distinguishes URLs and standard input from files', async () => {
    const { sources } = await listSources(['https://example.org/a', '-'], options)
    assert.deepEqual(
      sources.map(({ kind }) => kind),
      ['url', 'input'],
    )
  })

  it('refuses what names nothing', async () => {
    await assert.rejects(list(path('nothing.txt')), UsageError)
    await assert.rejects(list(path('nothing-*.txt')), /No file matches/)
    await assert.rejects(list('/dev/null'), /is neither a file nor a folder\. .* recollect add -/)
    await symlink(path('endless'), path('endless'))
    await assert.rejects(list(path('endless')), /cannot be read: ELOOP/)
  })
})
