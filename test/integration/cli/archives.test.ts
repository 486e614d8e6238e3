import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import type { CliContext } from '../../../src/cli/cli-context.ts'
import { runProgram } from '../../../src/cli/program.ts'
import { useService } from '../../spec/service.ts'
import { fakeCliContext } from '../../support/fake-cli-context.ts'

const folder = mkdtempSync(join(tmpdir(), 'recollect-archives-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const service = useService({}, async ({ post }) => {
  const { json } = await post<{ id: string }>('/v1/memories', { name: 'Harbour' })
  await post(`/v1/memories/${json.id}/documents`, { documents: [{ title: 'Crane', text: 'It lifts nine tonnes.' }] })
})

async function run(args: string[], parts: Partial<CliContext> = {}) {
  const { context, written } = fakeCliContext({
    environment: { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey },
    fetch: globalThis.fetch,
    ...parts,
  })
  return { status: await runProgram(args, context), ...written }
}

/** Exports to a pipe; returns the output. */
async function exportToPipe(): Promise<Buffer> {
  const output = new PassThrough()
  const piped = buffer(output)
  const { status, out } = await run(['export', 'Harbour', '-'], { stdio: { input: new PassThrough(), output } })
  output.end()
  assert.deepEqual([status, out], [0, ''])
  return piped
}

describe('recollect export and import', () => {
  it('write a memory to a new file, and create a memory from it with the id printed', async () => {
    const file = join(folder, 'harbour.tar.gz')
    const exported = await run(['export', 'Harbour', file])
    assert.equal(exported.status, 0, exported.error)
    assert.match(exported.out, /^exported {2}.*harbour\.tar\.gz {2}\d+ bytes\n$/)
    assert.deepEqual(readdirSync(folder), ['harbour.tar.gz'])
    const again = await run(['export', 'Harbour', file])
    assert.equal(again.status, 1)
    assert.match(again.error, /already exists; use --force to replace it/)
    assert.equal((await run(['export', 'Harbour', file, '--force'])).status, 0)
    const imported = await run(['import', file, '--name', 'Quay'])
    assert.equal(imported.status, 0, imported.error)
    const { out } = await run(['find', '-m', imported.out.trim(), 'what does the crane lift'])
    assert.match(out, /It lifts nine tonnes/)
    assert.match((await run(['memories', 'show', 'Quay'])).out, /documents +1/)
  })

  it('go through a pipe, and give JSON where it is asked for', async () => {
    const archive = await exportToPipe()
    const stdio = { input: Readable.from([archive]), output: new PassThrough() }
    const { status, out } = await run(['import', '-', '--json', '--name', 'Piped'], { stdio })
    assert.equal(status, 0)
    assert.deepEqual([JSON.parse(out).name, JSON.parse(out).documentCount], ['Piped', 1])
    const file = join(folder, 'json.tar.gz')
    const written = JSON.parse((await run(['export', 'Harbour', file, '--json'])).out)
    assert.deepEqual([written.file, written.bytes], [file, readFileSync(file).length])
  })

  it('report a file that is not an archive, and fail', async () => {
    const file = join(folder, 'text.tar.gz')
    writeFileSync(file, 'hello')
    const { status, error } = await run(['import', file])
    assert.equal(status, 1)
    assert.match(error, /is not a memory archive/)
    const missing = join(folder, 'nowhere.tar.gz')
    assert.deepEqual(await run(['import', missing]), { status: 2, out: '', error: `There is no file ${missing}.\n` })
    const aFolder = await run(['import', folder])
    assert.deepEqual([aFolder.status, aFolder.error], [2, `${folder} is a folder; name the archive.\n`])
    const nowhere = await run(['export', 'Harbour', join(folder, 'none', 'harbour.tar.gz')])
    assert.deepEqual([nowhere.status, nowhere.error], [2, `There is no folder ${join(folder, 'none')}.\n`])
    const onFolder = await run(['export', 'Harbour', folder, '--force'])
    assert.deepEqual([onFolder.status, onFolder.error], [2, `${folder} is a folder; name a file in it.\n`])
    const inFile = await run(['export', 'Harbour', join(file, 'harbour.tar.gz')])
    assert.deepEqual([inFile.status, inFile.error], [2, `There is no folder ${file}.\n`])
    for (const command of ['evaluate', 'extract']) {
      const { status, error } = await run([command, '--memory', 'Harbour', folder])
      assert.deepEqual([status, error], [2, `${folder} is a folder; name a file.\n`])
      const beyond = await run([command, '--memory', 'Harbour', join(file, 'questions')])
      assert.deepEqual([beyond.status, beyond.error], [2, `There is no file ${join(file, 'questions')}.\n`])
    }
  })

  it('write no archive to a terminal, and leave no beginning of one behind', async () => {
    assert.equal((await run(['export', 'Harbour', '-'], { isTerminal: true })).status, 2)
    const file = join(folder, 'broken.tar.gz')
    const broken: typeof fetch = async (...request) => {
      const answer = await fetch(...request)
      if (!answer.url.endsWith('/export')) return answer
      const body = new ReadableStream({
        pull: (controller) => controller.error(new Error('the line is cut')),
      })
      return new Response(body, answer)
    }
    assert.equal((await run(['export', 'Harbour', file], { fetch: broken })).status, 1)
    assert.deepEqual([existsSync(file), existsSync(`${file}.part`)], [false, false])
  })
})
