/** The programs of `examples` that need no package of others, run as their heads say; `test/scale` runs the others. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { useService } from '../../spec/service.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples')
const ANSWER = 'Refunds go back to the card that paid, within five working days.'

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
  test(`${name} adds a file and prints the answer to a question`, {
    skip: isThere ? false : `needs ${program}`,
  }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-example-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'hand "book".md')
    await writeFile(file, `# Support handbook\n\n${ANSWER}\n`)
    const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name })
    const env = {
      ...process.env,
      RECOLLECT_URL: service.url,
      RECOLLECT_API_KEY: service.bootstrapKey,
      RECOLLECT_MEMORY: memory.id,
    }
    const { stdout } = await run(command, [join(EXAMPLES, name), 'When do "refunds" arrive?', file], { env })
    assert.ok(stdout.includes(ANSWER), stdout)
  })
}
