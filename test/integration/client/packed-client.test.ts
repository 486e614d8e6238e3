/** The package of the TypeScript client, packed and used as programs use it. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { useService } from '../../spec/service.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PACKAGE = join(ROOT, 'clients/typescript')
const MAX_PACKED_BYTES = 40 * 1024
const run = promisify(execFile)

const PROGRAM = `
import { createClient, NotFoundError } from '@recollect-memory/client'

const client = createClient({ baseUrl: process.env.URL, apiKey: process.env.KEY })
const { id } = await client.memories.create({ name: 'Packed' })
const added = await client.documents.addFile(id, { path: 'crane.txt' })
if (!('documentsAdded' in added)) throw new Error('It was not added at once.')
const { hits } = await client.find(id, 'What does the crane lift?')
let streamed = ''
for await (const event of client.askStream(id, 'What does the crane lift?'))
  if (event.type === 'token') streamed += event.text
await client.memories.delete(id)
const missing = await client.memories.get(id).catch((error: unknown) => error instanceof NotFoundError)
console.log(JSON.stringify({ title: hits[0]?.title, streamed, missing }))
`

const service = useService()
const folder = mkdtempSync(join(tmpdir(), 'recollect-client-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const hasNpm = spawnSync('npm', ['--version']).status === 0

describe('the package of the TypeScript client', { skip: hasNpm ? false : 'there is no npm here' }, () => {
  let packed = ''

  before(async () => {
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PACKAGE })
    packed = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
    const installed = join(folder, 'node_modules/@recollect-memory/client')
    mkdirSync(installed, { recursive: true })
    await run('tar', ['-xzf', packed, '-C', installed, '--strip-components=1'])
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'crane.txt'), 'The crane lifts nine tonnes.')
    writeFileSync(join(folder, 'program.ts'), PROGRAM)
    writeFileSync(join(folder, 'program.mjs'), PROGRAM.replace('(error: unknown)', '(error)'))
  })

  it('is small, and has a readme, a licence and no dependencies', async () => {
    const bytes = statSync(packed).size
    assert.ok(bytes <= MAX_PACKED_BYTES, `${bytes} bytes`)
    const { stdout } = await run('tar', ['-tzf', packed])
    for (const name of ['README.md', 'LICENSE', 'dist/client.js', 'dist/client.d.ts'])
      assert.ok(stdout.includes(`package/${name}\n`), name)
    const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
    assert.deepEqual([manifest.dependencies, manifest.optionalDependencies], [undefined, undefined])
  })

  it('runs on the Node of the machine', async () => {
    const env = { ...process.env, URL: service.url, KEY: service.bootstrapKey }
    const { stdout } = await run('node', ['program.mjs'], { cwd: folder, env })
    const { title, streamed, missing } = JSON.parse(stdout)
    assert.deepEqual([title, missing], ['crane', true])
    assert.match(streamed, /nine tonnes/)
  })

  it('has types for programs of Node and of bundlers', async () => {
    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', 'node']
      const roots = ['--typeRoots', join(ROOT, 'node_modules/@types')]
      const args = [...options, ...roots, '--module', module, '--moduleResolution', moduleResolution, 'program.ts']
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      await assert.doesNotReject(
        run(process.execPath, [tsc, ...args], { cwd: folder }).catch(({ stdout }) => assert.fail(stdout)),
      )
    }
  })

  it('has the version of the service, like the Python client', () => {
    const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
    const { version } = JSON.parse(read('package.json'))
    assert.equal(JSON.parse(read('clients/typescript/package.json')).version, version)
    assert.match(read('clients/python/pyproject.toml'), new RegExp(`^version = "${version}"$`, 'm'))
    assert.match(read('clients/python/src/recollect_client/_version.py'), new RegExp(`^VERSION = "${version}"$`, 'm'))
  })
})
