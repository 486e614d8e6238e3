/**
 * Every example of the README and the guides, run like a reader would: in a shell, in a temporary
 * folder, against a real service.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { PROGRAMS } from '../../spec/product.ts'
import { useService } from '../../spec/service.ts'
import { buildArchive } from '../../support/build-archive.ts'
import { buildPdf, lines } from '../../support/build-pdf.ts'
import { makeSamplePictures, makeScannedPdf } from '../../support/sample-pictures.ts'
import { differences, type Example, pageExamples, pairIds } from './page-examples.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The command line in pages about a checkout; other pages use `recollect`. */
const FROM_CHECKOUT = 'npm run -s cli --'
const CLIENT = pathToFileURL(join(ROOT, 'src/client/client.ts')).href
const GUIDES = (await readdir(join(ROOT, 'docs/guides'))).map((name) => `docs/guides/${name}`)
const DOCS = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'))
const HANDBOOK =
  '# Support handbook\n\n## Refunds\n\nRefunds go back to the card that paid, within five working days.\n'

const ADMIN_KEY = 'an admin key for the examples'
const service = useService({ RECOLLECT_ADMIN_KEY: ADMIN_KEY })
const hasCurl = spawnSync('curl', ['--version']).status === 0
const givenFiles = makeFiles()
const PYTHON_ENVIRONMENT = join(ROOT, 'node_modules/.cache/python-client/bin/python')
const python = existsSync(PYTHON_ENVIRONMENT) ? PYTHON_ENVIRONMENT : 'python3'
const canImport = (modules: string) => spawnSync(python, ['-c', `import ${modules}`]).status === 0
const hasRequests = canImport('requests')
const canUseClient = canImport('httpx, pydantic')

/**
 * Runs the examples of a page in sequence and compares their output with the page. Examples share
 * variables and files.
 */
async function runPage(page: string, environment: Record<string, string>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-page-'))
  const ids = new Map<string, string>()
  try {
    const markdown = await readFile(join(ROOT, page), 'utf8')
    const program = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAMS.command}' "$@"\n`
    await writeFile(join(folder, 'recollect'), program, { mode: 0o755 })
    await mkdir(join(folder, 'docs'))
    for (const name of DOCS) await copyFile(join(ROOT, 'docs', name), join(folder, 'docs', name))
    for (const [name, content] of await givenFiles) {
      if (markdown.includes(`@${name}`)) await writeFile(join(folder, name), content)
    }
    const examples = pageExamples(markdown).filter(canRun)
    for (const example of examples) {
      const actual = await runExample(example, { folder, environment, ids })
      if (example.expected === null) continue
      assert.deepEqual(differences(example.expected, actual), [], `${page}:${example.line} shows what does not come`)
      for (const [shown, came] of pairIds(example.expected, actual)) ids.set(shown, came)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function canRun({ language, code }: Example): boolean {
  // The service of this test replaces the one that the page starts, and these tests already run.
  if (code.startsWith('npm ') && !code.startsWith(FROM_CHECKOUT)) return false
  if (language !== 'python') return true
  return code.includes('recollect_client') ? canUseClient : hasRequests
}

/** The files that the pages mention. */
async function makeFiles(): Promise<[name: string, content: Uint8Array][]> {
  const pages = Array.from({ length: 8 }, (_, index) => ({ scan: `Clause ${index + 1} of the contract` }))
  const [sign] = Object.values(await makeSamplePictures())
  return [
    ['contract.pdf', await makeScannedPdf(pages)],
    ['handbook.pdf', buildPdf([{ content: lines([HANDBOOK], { x: 72, y: 700 }) }])],
    ['sign.png', sign?.content ?? Buffer.alloc(0)],
    ['reports.zip', makeReports()],
  ]
}

/** An archive that contains another. */
function makeReports(): Buffer {
  const old = buildArchive([{ name: '2019.txt', content: 'Ten incidents.' }])
  return buildArchive([
    { name: '2026/q1.txt', content: 'Two incidents in the first quarter.' },
    { name: '2026/old.zip', content: old },
  ])
}

type Place = { folder: string; environment: Record<string, string>; ids: ReadonlyMap<string, string> }

async function runExample({ language, code, line }: Example, { folder, environment, ids }: Place): Promise<string> {
  let script = code.replaceAll('http://127.0.0.1:8080', service.url).replace(/rcl_\w{46}/g, service.bootstrapKey)
  script = script.replaceAll(FROM_CHECKOUT, 'recollect').replaceAll('/backups/', `${folder}/`)
  for (const [shown, came] of ids) script = script.replaceAll(shown, came)
  const file = join(folder, `example.${language}`)
  await writeFile(file, script.replaceAll("'@recollect-memory/client'", `'${CLIENT}'`))
  const state = `${folder}/.variables`
  const command =
    language === 'sh'
      ? `set -ea; touch ${state}; . ${state}; . ${file}; export -p > ${state}`
      : `set -ea; touch ${state}; . ${state}; ${language === 'ts' ? process.execPath : python} ${file}`
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: {
      ...process.env,
      ...environment,
      PYTHONPATH: join(ROOT, 'clients/python/src'),
      PATH: `${folder}:${process.env['PATH']}`,
    },
  })
  const [output, complaint, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ])
  assert.equal(status, 0, `line ${line}: ${script}\n${complaint}`)
  assert.ok(!/^\{"error":/m.test(output), `line ${line}: ${script}\n${output}`)
  return output
}

/** The preconditions of a page: a memory with the handbook of the quick start. */
async function prepare(): Promise<Record<string, string>> {
  const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name: 'Support KB' })
  const form = new FormData()
  form.set('file', new File([HANDBOOK], 'handbook.md'))
  await service.post(`/v1/memories/${memory.id}/documents`, form)
  const commandLine = { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey }
  const settings = { RECOLLECT_DATA_DIR: service.dataDirectory, RECOLLECT_BOOTSTRAP_KEY: service.bootstrapKey }
  return { URL: service.url, KEY: service.bootstrapKey, ADMIN_KEY, ID: memory.id, ...settings, ...commandLine }
}

for (const page of ['README.md', 'docs/quick-start.md', 'docs/supported-files.md', 'docs/backup.md', ...GUIDES]) {
  test(`the examples of ${page} do what the page shows`, {
    skip: hasCurl ? false : 'there is no curl here',
  }, async () => {
    await runPage(page, await prepare())
  })
}

test('an example with different output is reported', () => {
  assert.equal(differences('{"a":1,"b":[{"c":null}]}', '{"a":2,"b":[{"c":null}]}').length, 0)
  assert.equal(differences('{"a":1}', '{"a":"1"}').length, 1)
  assert.equal(differences('{"a":1}', '{"a":1,"b":2}').length, 1)
  assert.equal(differences('{"a":1,…}', '{"b":1}').length, 1)
  assert.equal(differences('the same', 'another').length, 1)
})
