/** Failed files in `npm test`: each runs once more, alone, and a second failure fails the run. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'

const RUNNER = join(import.meta.dirname, '../../../scripts/test-files.ts')

/**
 * Runs files with these texts in one process; returns the status, and the files that failed once
 * and twice.
 */
function runTests(t: TestContext, texts: Readonly<Record<string, string>>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'recollect-tests-')))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
  const files = Object.keys(texts).filter((name) => name.includes('.test.'))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const stages = JSON.stringify([[{ batches: [files], atOnce: 1 }]])
  const code = `import { runStages } from '${RUNNER}'
    process.exitCode = await runStages(${stages}, { maxMinutes: 1, nodeOptions: [] })`
  const args = ['--input-type=module', '-e', code]
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' })
  const listed = (heading: RegExp) => (heading.exec(stdout)?.[1] ?? '').split('\n').map((line) => line.trim())
  const named = (heading: RegExp) => files.filter((name) => listed(heading).includes(name))
  return { status, flaky: named(/^Flaky, .*:\n((?: {2}.*\n?)+)/m), twice: named(/^Failed twice:\n((?: {2}.*\n?)+)/m) }
}

const GOOD = `import { test } from 'node:test'\ntest('a check', () => {})\n`
const BAD = `import { test } from 'node:test'\ntest('a check', () => { throw new Error('no') })\n`
const FLAKY = `import { existsSync, writeFileSync } from 'node:fs'\nimport { test } from 'node:test'
  const seen = import.meta.filename + '.seen'
  test('a check', () => { if (!existsSync(seen)) { writeFileSync(seen, ''); throw new Error('busy') } })\n`
/** Fails on every second run. */
const ONLY_ONCE = `import { existsSync, writeFileSync } from 'node:fs'\nimport { test } from 'node:test'
  const seen = import.meta.filename + '.seen'
  test('a check', () => { if (existsSync(seen)) throw new Error('again') ; writeFileSync(seen, '') })\n`

test('only the failing file of a shared process runs again, and a second failure fails the run', (t) => {
  const texts = { 'good.test.mjs': ONLY_ONCE, 'bad.test.mjs': BAD }
  assert.deepEqual(runTests(t, texts), { status: 1, flaky: [], twice: ['bad.test.mjs'] })
})

test('a file that breaks before its first test runs again and fails the run', (t) => {
  const texts = { 'good.test.mjs': GOOD, 'broken.test.mjs': "throw new Error('no')" }
  assert.deepEqual(runTests(t, texts), { status: 1, flaky: [], twice: ['broken.test.mjs'] })
})

test('a process that ends before its report fails all of its files', (t) => {
  const texts = { 'ends.test.mjs': 'process.exit(0)' }
  assert.deepEqual(runTests(t, texts), { status: 1, flaky: [], twice: ['ends.test.mjs'] })
})

test('a file that fails once is reported as flaky, and many of them fail the run', (t) => {
  assert.deepEqual(runTests(t, { 'once.test.mjs': FLAKY }), { status: 0, flaky: ['once.test.mjs'], twice: [] })
  const many = Object.fromEntries([1, 2, 3, 4].map((index) => [`once-${index}.test.mjs`, FLAKY]))
  assert.deepEqual(runTests(t, many), { status: 1, flaky: Object.keys(many), twice: [] })
})
