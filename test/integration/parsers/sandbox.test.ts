import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testSandbox } from '../../../src/parsers/child/child.ts'
import { createParserPool } from '../../../src/parsers/child/parser-pool.ts'
import type { Targets, Tried } from './sandboxed-tasks.ts'

const run = promisify(execFile)
const locate = (module: string) => fileURLToPath(new URL(module, import.meta.url))

/** Linux supports system call filters, except in kernels built without them. */
const isLinux = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
const hasFilters = isLinux && existsSync('/proc/sys/kernel/seccomp/actions_avail')
const skip = hasFilters ? false : 'this system has no seccomp'

/** The two errors of a refusal, with and without Landlock. */
const REFUSED = /^(?:EPERM|EACCES)$/

describe('the sandbox of processes that parse files', { skip }, () => {
  let folder = ''
  let targets: Targets
  let server: Server
  let isConnected = false

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-sandbox-'))
    writeFileSync(join(folder, 'there'), 'as it was')
    server = createServer(() => {
      isConnected = true
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    targets = { port, folder, outside: fileURLToPath(new URL('../../../README.md', import.meta.url)) }
  })

  after(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function makePool() {
    const said: string[] = []
    const say = (...facts: unknown[]) => void said.push(String(facts.at(-1)))
    const log = { debug: say, info: say, warn: say, error: say }
    const tasksModule = new URL('./sandboxed-tasks.ts', import.meta.url).href
    return { said, ...createParserPool({ size: 1, tasksModule, temporaryDirectory: folder, log }) }
  }

  it('closes network, disk, programs and other processes to them, and says so once', async () => {
    const pool = makePool()
    const tried = (await pool.run('try', targets)) as Tried
    await pool.run('read', join(folder, 'there'))
    await pool.close()
    for (const [name, outcome] of Object.entries(tried)) {
      if (name.startsWith('read')) continue
      assert.match(outcome, REFUSED, name)
    }
    assert.deepEqual(readdirSync(folder), ['there'])
    assert.equal(isConnected, false)
    assert.equal(pool.said.length, 1)
    assert.match(pool.said[0] ?? '', /cannot access the network, write files or start programs/)
  })

  it('can read only the given files and the program', async (test) => {
    const report = await testSandbox(folder)
    if (report?.reading !== null) return test.skip(`no Landlock: ${report?.reading}`)
    const pool = makePool()
    const tried = (await pool.run('try', targets)) as Tried
    for (const [name, outcome] of Object.entries(tried)) {
      if (name.startsWith('read')) assert.match(outcome, REFUSED, name)
    }
    assert.equal(await pool.run('read', join(folder, 'there')), 'as it was')
    await pool.close()
  })

  it('still applies after a child is killed during its start', async () => {
    const pool = makePool()
    const leaving = pool.run('read', join(folder, 'there'), { signal: AbortSignal.timeout(1) })
    await assert.rejects(leaving)
    const tried = (await pool.run('try', targets)) as Tried
    await pool.close()
    assert.match(tried.connect, REFUSED)
    assert.match(pool.said.join('\n'), /^File parsers cannot access the network/)
  })

  it('is left out where the system offers none, which the log says, and files are read all the same', async () => {
    const { stdout } = await run(process.execPath, [
      locate('./without-sandbox.ts'),
      locate('./sandbox-process.ts'),
      JSON.stringify(targets),
    ])
    const { said, tried } = JSON.parse(stdout) as { said: string[]; tried: Tried }
    assert.equal(tried['read a file of others'], 'done')
    assert.equal(said.length, 1)
    assert.match(said[0] ?? '', /the system does not support it \(seccomp|the system does not support it \(landlock/)
  })

  it('is named by the doctor, also where there is none', async () => {
    const doctor = async (before: readonly string[]) => {
      const given = [...before, locate('../../../src/cli/main.ts'), 'doctor', '--json']
      const environment = { RECOLLECT_URL: 'http://127.0.0.1:1', RECOLLECT_DATA_DIR: join(folder, 'none') }
      const { stdout } = await run(process.execPath, given, { env: environment }).catch((error) => error)
      const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; detail: string }[] }
      return findings.find(({ check }) => check === 'sandbox')
    }
    const without = await doctor([locate('./without-sandbox.ts')])
    assert.equal(without?.state, 'unknown')
    assert.match(without?.detail ?? '', /the system does not support it/)
    assert.match((await doctor([]))?.detail ?? '', /cannot access the network, write files or start programs/)
  })
})
