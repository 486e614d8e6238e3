/** Examples that need further packages, installed into a temporary folder in known versions. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { missingRegistry, npm } from './support/npm.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = ['ai@7.0.173', 'zod@4.6.7', '@langchain/core@1.4.0']
const ANSWER = 'Refunds arrive within five working days.'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'recollect-examples-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const service = useService()

test('a LangChain retriever and a tool of the AI SDK find a passage in a memory', {
  skip: missingRegistry(folder),
}, async () => {
  writeFileSync(join(folder, 'package.json'), '{"name":"examples","private":true,"type":"module"}')
  await npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], folder)
  for (const name of ['ai-sdk-tool.mjs', 'langchain-retriever.mjs']) {
    copyFileSync(join(ROOT, 'examples', name), join(folder, name))
  }
  const program = join(folder, 'use-examples.mjs')
  copyFileSync(join(import.meta.dirname, 'support/use-examples.mjs'), program)
  const memory = await makeMemory(service, 'Handbook')
  await addText(service, memory, ANSWER)
  const { stdout } = await run(process.execPath, [program, service.url, service.bootstrapKey, memory])
  const { langchain, aiSdk, refused } = JSON.parse(stdout)
  assert.equal(langchain[0], ANSWER)
  assert.deepEqual([aiSdk[0], aiSdk[1]], ['told', ANSWER])
  assert.equal(aiSdk[2], langchain[1])
  assert.match(refused, /^invalid_api_key: /)
})
