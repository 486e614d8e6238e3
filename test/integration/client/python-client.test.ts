/**
 * The tests and the types of the Python client (`clients/python`), against a real service. They
 * need Python with the packages of the client: `.ci/run` installs both where it can.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { useService } from '../../spec/service.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CLIENT = join(ROOT, 'clients/python')
const run = promisify(execFile)
const service = useService()

const ENVIRONMENT = join(ROOT, 'node_modules/.cache/python-client/bin/python')
const python = existsSync(ENVIRONMENT) ? ENVIRONMENT : 'python3'

function whyNot(modules: string): string | false {
  if (spawnSync(python, ['--version']).status !== 0) return 'there is no Python here'
  const { status } = spawnSync(python, ['-c', `import ${modules}`])
  return status === 0 ? false : `this Python has no ${modules}; the first lines of .ci/run install them`
}

test('the Python client passes its tests', { skip: whyNot('httpx, pydantic') }, async () => {
  const environment = { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey }
  const { stderr } = await run(python, ['-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'], {
    cwd: CLIENT,
    env: { ...process.env, ...environment, PYTHONPATH: join(CLIENT, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
  })
  assert.match(stderr, /Ran [2-9]\d tests[\s\S]*\nOK/)
})

test('the types of the Python client hold', { skip: whyNot('mypy, httpx, langchain_core, llama_index') }, async () => {
  const { stdout } = await run(python, ['-m', 'mypy', '--cache-dir', '/dev/null'], { cwd: CLIENT })
  assert.match(stdout, /Success/)
})
