/**
 * Generates a client from `openapi.json` with openapi-python-client in a separate environment, and
 * uses the client.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { useService } from '../spec/service.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'recollect-python-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const service = useService()

/** The reason why this machine cannot run the test; `false` where possible. */
function missing(): string | false {
  if (spawnSync('python3', ['-m', 'venv', folder]).status !== 0) return 'there is no Python with venv here'
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'openapi-python-client']
  const { status } = spawnSync(join(folder, 'bin/python'), install, { timeout: 240_000 })
  return status === 0 ? false : 'pip does not reach an index with openapi-python-client'
}

test('openapi-python-client makes a client that adds and finds', { skip: missing() }, async () => {
  const bin = join(folder, 'bin')
  const generate = ['generate', '--path', join(ROOT, 'openapi.json'), '--meta', 'none', '--output-path']
  // The generator calls its formatter.
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` }
  await run(join(bin, 'openapi-python-client'), [...generate, join(folder, 'recollect_client')], { env, cwd: folder })
  const script = join(import.meta.dirname, 'support/use-python-client.py')
  const { stdout } = await run(join(bin, 'python'), [script, folder, service.url, service.bootstrapKey])
  assert.equal(stdout.trim(), 'Lift|2|Refunds arrive within five working days.')
})
