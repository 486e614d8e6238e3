import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext, test } from 'node:test'
import { listFigures } from './figures.ts'
import { listWordFigures } from './plain-words.ts'
import { listProjectFiles, type ProjectFile } from './project-files.ts'

const root = join(import.meta.dirname, '../..')

/**
 * What the tree does not keep yet, and the bounds that it keeps instead; they may only come nearer.
 */
const NOT_YET: Readonly<Record<string, readonly [number, number]>> = {
  'production files': [0, 930],
  'lines of the median file': [80, 132],
  'lines at the 90th percentile': [0, 292],
  'exports with one importer, in percent': [0, 53],
  'files with one importer and under 60 lines': [0, 2],
  'pronouns in 1,000 words of comments': [0, 48],
}
const allFigures = (files: readonly ProjectFile[]) => [...listFigures(files), ...listWordFigures(files)]

describe('the figures of the tree', () => {
  for (const { name, value, holds, breaches } of allFigures(listProjectFiles())) {
    it(`hold: ${name}`, () => {
      const [min, max] = NOT_YET[name] ?? [0, -1]
      assert.ok(holds || (value >= min && value <= max), `${value}\n${breaches.slice(0, 20).join('\n')}`)
    })
  }
})

const file = (path: string, lines = 70, head = ''): ProjectFile => ({
  path,
  source: head + 'const a = 1\n'.repeat(lines),
})
const planted: readonly (readonly [string, ProjectFile[]])[] = [
  ['production files', Array.from({ length: 801 }, (_, index) => file(`src/jobs/f${index}.ts`))],
  ['lines of the median file', [file('src/jobs/a.ts', 10)]],
  ['lines at the 90th percentile', [file('src/jobs/a.ts', 281)]],
  ['lines of the largest file', [file('src/jobs/a.ts', 401)]],
  [
    'exports with one importer, in percent',
    [file('src/jobs/a.ts', 70, 'export const b = 1\n'), file('src/jobs/c.ts', 70, "import { b } from './a.ts'\n")],
  ],
  [
    'files with one importer and under 60 lines',
    [file('src/jobs/a.ts', 59), file('src/jobs/main.ts', 70, "import { b } from './a.ts'\n")],
  ],
  ['folders outside of 4 to 20 files', [file('src/jobs/a.ts')]],
  [
    'file names used twice below services and database',
    [file('src/services/a/jobs.ts'), file('src/database/b/jobs.ts')],
  ],
  ['files at the root of src that do not belong there', [file('src/other.ts')]],
  ['lines of code over 120 columns', [file('src/jobs/a.ts', 70, `const text = '${'x'.repeat(120)}'\n`)]],
  ['comment lines over 100 columns', [file('bench/a.ts', 1, `/** Returns ${'x'.repeat(100)}. */\n`)]],
  ['comment sentences over 25 words', [file('test/a.ts', 1, `// Returns${' one\n// word'.repeat(13)}.\n`)]],
  ['comments in 1,000 that open with a pronoun or question word', [file('src/a.ts', 1, '/** What a job does. */\n')]],
  ['pronouns in 1,000 words of comments', [file('src/a.ts', 1, '/** Returns those that it has. */\n')]],
  ['words of the deny list', [file('src/a.ts', 1, '/** Builds the index anew. */\n')]],
  ['words of the deny list', [file('src/a.ts', 1, "const text = 'The file stands in the folder.'\n")]],
  ['words of the deny list', [{ path: 'docs/a.md', source: '# Jobs\n\nThe job goes on.\n' }]],
  ['constants MOST_, LEAST_, LONGEST_ in place of MAX_ and MIN_', [file('src/a.ts', 1, 'const JSON_LEAST_ROWS = 3\n')]],
]

describe('a figure that is passed', () => {
  for (const [name, files] of planted) {
    it(`is seen: ${name}`, () => assert.equal(allFigures(files).find((figure) => figure.name === name)?.holds, false))
  }
  it('is not seen in plain comments, in code of documents and in data', () => {
    const plain = file('src/a.ts', 1, "/** Rebuilds the index. Costs 3 ms for 1,000 rows. */\nconst a = 'told'\n")
    const page = { path: 'docs/a.md', source: 'Run `told` first.\n\n```sh\necho anew\n```\n' }
    assert.deepEqual(
      listWordFigures([plain, page]).flatMap(({ breaches }) => breaches),
      [],
    )
  })
  it('is not seen in tests', () => {
    const figures = listFigures([file('src/jobs/a.test.ts', 900), file('test/spec/a.ts', 900)])
    assert.equal(figures.find(({ name }) => name === 'lines of the largest file')?.value, 0)
  })
})

/** Lints a file by the project's rules and returns the report. */
function lint(t: TestContext, source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-lint-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { linter } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ linter }))
  writeFileSync(join(folder, 'planted.ts'), source)
  const args = [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'lint', '--colors=off', 'planted.ts']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return stdout + stderr
}

test('the linter reports a function of over 60 lines and a function with four parameters', (t) => {
  const long = `export function a() {\n${'  a()\n'.repeat(61)}}\n`
  assert.match(lint(t, long), /noExcessiveLinesPerFunction/)
  assert.match(lint(t, 'export function a(b, c, d, e) {\n  return [b, c, d, e]\n}\n'), /useMaxParams/)
  assert.doesNotMatch(lint(t, 'export function a(b, c, d) {\n  return [b, c, d]\n}\n'), /useMaxParams/)
})

test('an unused export is reported', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-knip-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'knip.json'), '{"entry":["src/main.ts"],"project":["src/*.ts"]}')
  writeFileSync(join(folder, 'src/main.ts'), "import { used } from './a.ts'\nused()\n")
  writeFileSync(join(folder, 'src/a.ts'), 'export const used = () => 1\nexport const unused = () => 2\n')
  const knip = join(root, 'node_modules/knip/bin/knip.js')
  const args = [knip, '--no-progress', '--include=exports,types']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(stdout, /unused\s.*src\/a\.ts/)
  assert.doesNotMatch(stdout, /^used/m)
})
