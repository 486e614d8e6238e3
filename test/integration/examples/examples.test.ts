/**
 * The programs of `examples` without external packages, run as their first lines say; `test/scale`
 * runs the others.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { useService } from '../../spec/service.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples')
const ANSWER = 'Refunds go back to the card that paid, within five working days.'

/** The limit for a program that waits endlessly. */
const PATIENCE_MS = 30_000

const run = promisify(execFile)
const service = useService()

const PROGRAMS = [
  { name: 'ask.sh', command: 'bash', needs: ['curl', '--version'] },
  { name: 'ask.py', command: 'python3', needs: ['python3', '-c', 'import requests'] },
  { name: 'fetch-with-retries.mjs', command: process.execPath, needs: [process.execPath, '--version'] },
] as const

for (const { name, command, needs } of PROGRAMS) {
  const [program, ...args] = needs
  const isThere = spawnSync(program, args).status === 0
  const skip = isThere ? false : `needs ${program}`
  test(`${name} adds a file and prints the answer to a question`, {
    skip,
  }, async (t) => {
    const file = await makeHandbook(t)
    const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name })
    const env = {
      ...process.env,
      RECOLLECT_URL: service.url,
      RECOLLECT_API_KEY: service.bootstrapKey,
      RECOLLECT_MEMORY: memory.id,
    }
    const { stdout } = await run(command, [join(EXAMPLES, name), 'When are "refunds" paid?', file], { env })
    assert.ok(stdout.includes(ANSWER), stdout)
  })
  if (name === 'ask.sh') continue
  test(`${name} gives up a first attempt that does not end`, { skip }, async (t) => {
    const file = await makeHandbook(t)
    const error = { code: 'idempotency_in_progress', message: 'It is still running.', remedy: 'Wait.' }
    // The total waiting time passes immediately.
    const busy = createServer((request, response) => {
      request.resume()
      response.writeHead(409, { 'retry-after': '3600' }).end(JSON.stringify({ error }))
    }).listen(0, '127.0.0.1')
    t.after(() => busy.close())
    await once(busy, 'listening')
    const { port } = busy.address() as AddressInfo
    const env = {
      ...process.env,
      RECOLLECT_URL: `http://127.0.0.1:${port}`,
      RECOLLECT_API_KEY: 'k',
      RECOLLECT_MEMORY: 'm',
    }
    const ended = run(command, [join(EXAMPLES, name), 'When?', file], { env, timeout: PATIENCE_MS })
    await assert.rejects(ended, ({ killed, stderr }) => !killed && /idempotency_in_progress: It is still/.test(stderr))
  })
}

/** A file with a name that needs quoting, removed after the test. */
async function makeHandbook(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-example-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'hand "book".md')
  await writeFile(file, `# Support handbook\n\n${ANSWER}\n`)
  return file
}
