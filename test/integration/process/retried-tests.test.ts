/** What `npm test` makes of files that fail: each is run once more, alone, and one that fails twice fails all. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'

const RUNNER = join(import.meta.dirname, '../../../scripts/test.ts')

/** Runs files with the text of each, and gives the status and which failed twice. */
function runTests(t: TestContext, texts: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-tests-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
  const files = Object.keys(texts).filter((name) => name.includes('.test.'))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = [RUNNER, 'all', ...files.map((name) => join(folder, name))]
  const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const listed = (which: string) => (new RegExp(`${which}: (.*)`).exec(stdout)?.[1] ?? '').split(' ').filter(Boolean)
  const named = (which: string) => files.filter((name) => listed(which).includes(join(folder, name)))
  return { status, once: named('Failed once'), twice: named('Failed twice') }
}

const DEFINES = `import { test } from 'node:test'\nexport const check = (work) => test('a check', work)\n`
const use = (work: string) => `import { check } from './defines.mjs'\ncheck(() => { ${work} })\n`

test('a file whose test is defined in another file is the one that is run again, and fails all', (t) => {
  const texts = { 'defines.mjs': DEFINES, 'good.test.mjs': use(''), 'bad.test.mjs': use("throw new Error('no')") }
  assert.deepEqual(runTests(t, texts), { status: 1, once: ['bad.test.mjs'], twice: ['bad.test.mjs'] })
})

test('a file that breaks before its first test is run again, and fails all', (t) => {
  const texts = { 'defines.mjs': DEFINES, 'good.test.mjs': use(''), 'broken.test.mjs': "throw new Error('no')" }
  assert.deepEqual(runTests(t, texts), { status: 1, once: ['broken.test.mjs'], twice: ['broken.test.mjs'] })
})

test('a file that fails once and not again fails nothing', (t) => {
  const once = `import { existsSync, writeFileSync } from 'node:fs'\nimport { check } from './defines.mjs'
    const seen = import.meta.filename + '.seen'
    check(() => { if (!existsSync(seen)) { writeFileSync(seen, ''); throw new Error('busy') } })\n`
  assert.deepEqual(runTests(t, { 'defines.mjs': DEFINES, 'once.test.mjs': once }), {
    status: 0,
    once: ['once.test.mjs'],
    twice: [],
  })
})
