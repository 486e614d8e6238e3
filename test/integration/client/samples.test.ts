/** The samples of the API reference, checked with the types of the clients. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { openapiDocument } from '../../../src/http/openapi-document.ts'
import { readOperations } from '../../../src/web/list-fields.ts'
import { writeSamples } from '../../../src/web/write-samples.ts'

const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'recollect-samples-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const { operations } = readOperations(openapiDocument({ version: '1.2.3' }))
const samples = operations.flatMap((operation) =>
  writeSamples(operation).map((sample) => ({ ...sample, id: operation.operationId })),
)

/** Writes the samples of a language, a file for each operation. */
function writeAll(language: string, extension: string): string {
  const place = join(folder, language)
  mkdirSync(place)
  const own = samples.filter((sample) => sample.language === language)
  assert.ok(own.length >= 50, `${own.length} samples`)
  for (const { id, code } of own) writeFileSync(join(place, `${id}.${extension}`), code)
  return place
}

test('every operation has a sample for curl, which reads its variables', () => {
  const shell = samples.filter(({ language }) => language === 'sh')
  assert.equal(shell.length, operations.length)
  for (const { id, code } of shell) {
    assert.doesNotMatch(code, /(mem|doc|job|prj|key|whk)_[0-9a-z]{26}/, id)
    assert.equal(spawnSync('bash', ['-n'], { input: code }).status, 0, id)
  }
})

test('the samples of the TypeScript client have its types', async () => {
  const place = writeAll('ts', 'ts')
  const paths = { '@recollect-memory/client': [join(ROOT, 'src/client/client.ts')] }
  const compilerOptions = {
    ...{
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'es2024',
      module: 'esnext',
      moduleResolution: 'bundler',
      skipLibCheck: true,
    },
    ...{ allowImportingTsExtensions: true, types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')], paths },
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  }
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '-p', place]).catch(({ stdout }) => assert.fail(stdout))
})

const python = join(ROOT, 'node_modules/.cache/python-client/bin/python')
const skip = existsSync(python) ? false : 'the packages of the Python client are not installed; .ci/run installs them'

test('the samples of the Python client have its types', { skip }, async () => {
  const place = writeAll('python', 'py')
  const env = { ...process.env, MYPYPATH: join(ROOT, 'clients/python/src') }
  const args = ['-m', 'mypy', '--strict', '--cache-dir', '/dev/null', '--scripts-are-modules', place]
  await run(python, args, { env, cwd: folder }).catch(({ stdout }) => assert.fail(stdout))
})
