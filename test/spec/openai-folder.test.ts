import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import OpenAI from 'openai'
import { runCommandLine, spawnProduct } from './product.ts'
import { verifies } from './verifies.ts'

const MAX_MS = 180_000
const ONE_KEY = /rcl_[0-9A-Za-z]{46}/

test('a user of OpenAI’s client has a chat over a folder within five commands and three minutes', async (t) => {
  verifies('openai.folder')
  const folder = await mkdtemp(join(tmpdir(), 'recollect-folder-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'lease.md'), '# Lease\n\nThe rent of the workshop is 1,250 euros a month.')
  await writeFile(join(folder, 'harbour.txt'), 'The harbour crane lifts up to 40 tons.')
  const started = performance.now()
  // 1: npm start
  const child = spawnProduct({ RECOLLECT_DATA_DIR: join(folder, 'data'), RECOLLECT_PORT: '0' })
  t.after(() => child.end('SIGTERM'))
  const url = await child.address(MAX_MS)
  const key = await child.printed(ONE_KEY, MAX_MS)
  const settings = { RECOLLECT_URL: url, RECOLLECT_API_KEY: key }
  // 2: recollect memories create
  const made = await runCommandLine(settings, ['memories', 'create', 'Papers'])
  assert.equal(made.code, 0, made.output)
  // 3: recollect sync
  const synced = await runCommandLine(settings, ['sync', folder, '-m', 'Papers', '--exclude', 'data/'])
  assert.equal(synced.code, 0, synced.output)
  // 4: the client
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'How much is the rent of the workshop?' }]
  const answer = await client.chat.completions.create({ model: 'Papers', messages })
  assert.match(answer.choices[0]?.message.content ?? '', /1,250 euros a month\. \[1\]/)
  const [annotation] = answer.choices[0]?.message.annotations ?? []
  assert.equal(annotation?.url_citation.title, 'Lease')
  assert.ok(performance.now() - started < MAX_MS)
})
