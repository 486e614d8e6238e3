/**
 * The npm package, installed as documented: unpacked, with the dependencies of its lockfile from
 * the registry, and linked into a project.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { type LockedPackage, type Lockfile, lockfileFaults } from '../../scripts/lockfile-faults.ts'
import { drawPicture } from '../support/draw-picture.ts'
import { missingRegistry, npm, OUTSIDE_OF_NPM } from './support/npm.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The limit for a start and for a stop. */
const PATIENCE_MS = 120_000
const KEY = `package-${randomUUID()}`
/**
 * A schema validator for the bill of materials; the other packages are optional dependencies that
 * the validator needs.
 */
const CYCLONEDX = [
  '@cyclonedx/cyclonedx-library@10.3.0',
  'ajv@8.20.0',
  'ajv-formats@3.0.1',
  'ajv-formats-draft2019@1.6.1',
]
const run = promisify(execFile)

const folder = mkdtempSync(join(tmpdir(), 'recollect-package-'))
const unpacked = join(folder, 'recollect')
const app = join(folder, 'app')
const environment: NodeJS.ProcessEnv = {
  ...OUTSIDE_OF_NPM,
  HOME: folder,
  RECOLLECT_DATA_DIR: join(folder, 'data'),
  RECOLLECT_BOOTSTRAP_KEY: KEY,
  RECOLLECT_PORT: '0',
}

type Packed = { filename: string; files: readonly { path: string }[] }

after(() => rmSync(folder, { recursive: true, force: true }))

const skip = missingRegistry(folder)

describe('the package', { skip }, () => {
  let packed: Packed
  let service: ChildProcess
  let url = ''
  let log = ''

  before(async () => {
    const { stdout } = await npm(['pack', '--json', '--pack-destination', folder], ROOT)
    packed = toPacked(JSON.parse(stdout.slice(stdout.search(/^[[{]/m))))
    mkdirSync(unpacked)
    await run('tar', ['-xzf', join(folder, packed.filename), '-C', unpacked, '--strip-components=1'])
    await npm(['ci', '--omit=dev', '--no-audit', '--no-fund'], unpacked)
    mkdirSync(app)
    writeFileSync(join(app, 'package.json'), '{"name":"app","private":true,"type":"module"}')
    await npm(['install', '--no-audit', '--no-fund', unpacked], app)
    // A separate process group, so all processes of npx end together.
    service = spawn('npx', ['recollect', 'serve'], { cwd: app, env: environment, detached: true })
    service.stdout?.on('data', (piece: Buffer) => {
      log += piece.toString('utf8')
    })
    url = await readAddress(service)
  })

  after(async () => {
    if (service?.pid === undefined || service.exitCode !== null) return
    const group = -service.pid
    process.kill(group, 'SIGTERM')
    const late = setTimeout(() => process.kill(group, 'SIGKILL'), PATIENCE_MS)
    await new Promise((resolve) => service.once('close', resolve))
    clearTimeout(late)
  })

  it('contains runtime files, and no tests, sources, source maps or leftover lockfile', () => {
    const paths = packed.files.map(({ path }) => path)
    for (const path of [
      'dist/cli/main.js',
      'dist/client/client.d.ts',
      'dist/console/index.html',
      'dist/web/search-index.gz',
      'dist/bom.cdx.json',
      'docs/licences.md',
      'docs/site/search.js',
      'npm-shrinkwrap.json',
    ]) {
      assert.ok(paths.includes(path), `${path} is missing`)
    }
    const strange = paths.filter((path) =>
      /(^|\/)(test|src|bench|scripts|node_modules)\/|\.test\.|\.map$|\.tsx?$/.test(path),
    )
    assert.deepEqual(
      strange.filter((path) => !/^dist\/client\/[a-z-]+\.d\.ts$/.test(path)),
      [],
    )
    assert.ok(!existsSync(join(ROOT, 'npm-shrinkwrap.json')))
  })

  it('installs the tested versions, and nothing that downloads or builds', () => {
    const unwanted = ['onnxruntime-node', 'typescript', 'esbuild', '@biomejs/biome', 'playwright-core']
    const { packages: locked } = readJson(join(ROOT, 'package-lock.json'))
    const { packages } = readJson(join(unpacked, 'node_modules/.package-lock.json'))
    for (const name of unwanted) assert.ok(!(`node_modules/${name}` in packages), `${name} was installed`)
    const toFacts = ({ version, integrity }: LockedPackage = {}) => `${version} ${integrity}`
    const paths = Object.keys(packages)
    assert.ok(paths.length > 200)
    assert.deepEqual(
      paths.filter((path) => toFacts(packages[path]) !== toFacts(locked[path])),
      [],
    )
    assert.deepEqual(Object.keys(readJson(join(app, 'node_modules/.package-lock.json')).packages), [
      '../recollect',
      'node_modules/recollect',
    ])
  })

  it('contains the lockfile with a hash of every package', () => {
    const shrinkwrap = readJson(join(unpacked, 'npm-shrinkwrap.json'))
    assert.deepEqual(shrinkwrap, readJson(join(ROOT, 'package-lock.json')))
    const { allowScripts } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
    assert.deepEqual(lockfileFaults(shrinkwrap, Object.keys(allowScripts)), [])
  })

  it('brings a bill of materials that holds to the schema of CycloneDX', async () => {
    const validator = join(folder, 'validator')
    mkdirSync(validator)
    writeFileSync(join(validator, 'package.json'), '{"name":"validator","private":true,"type":"module"}')
    await npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...CYCLONEDX], validator)
    writeFileSync(
      join(validator, 'validate.js'),
      `import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
      import { readFileSync } from 'node:fs'
      const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
      for (const text of [readFileSync(process.argv[2], 'utf8'), '{"bomFormat":"CycloneDX","specVersion":"1.6","components":1}'])
        console.log(JSON.stringify(await validator.validate(text)))`,
    )
    const bill = join(unpacked, 'dist/bom.cdx.json')
    const { stdout } = await run(process.execPath, ['validate.js', bill], { cwd: validator })
    const [faults, faultsOfWrong] = stdout.split('\n')
    assert.equal(faults, 'null')
    assert.match(faultsOfWrong ?? '', /"instancePath":"\/components"/)
  })

  it('serves the console it was built with', async () => {
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
    const answer = await fetch(new URL(script, url))
    assert.equal(answer.status, 200)
    assert.ok((await answer.text()).length > 10_000)
  })

  it('serves the documentation with the search index of its build', async () => {
    const page = await (await fetch(new URL('/docs/guides/corrections', url))).text()
    assert.match(page, /<h1[^>]*>Corrections/)
    const index = Buffer.from(await (await fetch(new URL('/docs/site/search-index.gz', url))).arrayBuffer())
    assert.ok(index.equals(readFileSync(join(unpacked, 'dist/web/search-index.gz'))))
    assert.match(gunzipSync(index).toString(), /"Corrections"/)
  })

  it('reads markup and pictures in child processes, and finds their text', async () => {
    const settings = { ...environment, RECOLLECT_URL: url, RECOLLECT_API_KEY: KEY }
    const recollect = async (...args: string[]) =>
      (await run('npx', ['recollect', ...args], { cwd: app, env: settings })).stdout
    writeFileSync(join(folder, 'tides.html'), '<h1>Tides</h1><p>The tide table hangs beside the wheelhouse door.</p>')
    await (await drawPicture(['The crane lifts nine tonnes.'])).png().toFile(join(folder, 'crane.png'))
    const added = await recollect(
      'add',
      '-m',
      'Harbour',
      '--create',
      join(folder, 'tides.html'),
      join(folder, 'crane.png'),
    )
    assert.equal(added.match(/^added /gm)?.length, 2, added)
    assert.match(await recollect('find', 'Where is the tide table?'), /wheelhouse door/)
    assert.match(await recollect('ask', 'How much does the crane lift?'), /nine tonnes[\s\S]*\[1\]/)
    assert.match(await recollect('doctor'), /a service is using the folder/)
  })

  it('indexes a large text in one thread, and detects its language in another', async () => {
    const ask = async (method: string, path: string, body: object | null = null) => {
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
      const answer = await fetch(new URL(path, url), { method, headers, body: body && JSON.stringify(body) })
      assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
      return (await answer.json()) as Record<string, unknown>
    }
    const { id } = await ask('POST', '/v1/memories', { name: 'Kessel' })
    const text = 'Der Kessel wurde im März gewartet, und im Bericht steht, welche der Ventile ersetzt werden. '.repeat(
      1000,
    )
    await ask('POST', `/v1/memories/${id}/documents`, { documents: [{ title: 'Kessel', text }] })
    // A failing thread is replaced, and the log reports this before the request.
    for (let tries = 0; !/"route":"\/v1\/memories\/:id\/documents"/.test(log) && tries < 1000; tries += 1)
      await pause(10)
    assert.match(log, /"route":"\/v1\/memories\/:id\/documents"/)
    assert.doesNotMatch(log, /thread failed/)
  })

  it('gives programs a client, with its types', async () => {
    const program = `
      import { type AskAnswer, type Hit, createClient, NotFoundError } from 'recollect/client'
      const client = createClient({ baseUrl: ${JSON.stringify(url)}, apiKey: ${JSON.stringify(KEY)} })
      const { id } = await client.memories.create({ name: 'Programs' })
      await client.documents.addTexts(id, [{ title: 'Ropes', text: 'Ropes are kept in the loft.' }])
      const { hits } = await client.find(id, 'ropes')
      const [first]: Hit[] = hits
      const answer: AskAnswer = await client.ask(id, 'Where are ropes kept?')
      const gone = await client.memories.get('mem_00000000000000000000000000').catch((error: unknown) => error)
      console.log(JSON.stringify([first?.text, answer.answered, gone instanceof NotFoundError]))
    `
    writeFileSync(join(app, 'app.ts'), program)
    // Deliberately wrong: missing types would accept everything.
    writeFileSync(
      join(app, 'wrong.ts'),
      `import { createClient } from 'recollect/client'\ncreateClient({ baseUrl: 1 })\n`,
    )
    const options = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2024',
    ]
    const libraries = ['--lib', 'es2024,dom,dom.iterable,dom.asynciterable', '--types', '']
    const check = (file: string) => {
      const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, ...libraries, file]
      return spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' })
    }
    assert.equal(check('app.ts').stdout, '')
    assert.match(check('wrong.ts').stdout, /TS2322/)
    const { stdout } = await run(process.execPath, ['app.ts'], { cwd: app, env: environment })
    assert.deepEqual(JSON.parse(stdout), ['Ropes are kept in the loft.', true, true])
  })
})

function readJson(path: string): Lockfile {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** npm 11 returns an array, newer versions an object by package name. */
function toPacked(answer: readonly Packed[] | Record<string, Packed>): Packed {
  const [only] = Object.values(answer)
  assert.ok(only !== undefined)
  return only
}

function readAddress(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`recollect serve does not start:\n${output}`)), PATIENCE_MS)
    const read = (piece: Buffer) => {
      output += piece.toString('utf8')
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (address === undefined) return
      clearTimeout(late)
      resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('close', (code) => reject(new Error(`recollect serve ended with ${code}:\n${output}`)))
  })
}
