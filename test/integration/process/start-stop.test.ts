import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { bundleFolder } from '../../../scripts/bundle-folder.mjs'
import { assertStatus } from '../../spec/answer.ts'
import { spawnProduct } from '../../spec/product.ts'
import { prose } from '../../spec/prose.ts'
import { createService, type Service } from '../../spec/service.ts'
import type { Accepted } from '../../spec/shapes.ts'
import { addText, addTexts, endOfJob, find, listDocuments, makeMemory, readText, upload } from '../../spec/steps.ts'
import { isRunning, listFamily } from './processes.ts'

const MB = 1024 * 1024
const ROOT = join(import.meta.dirname, '..', '..', '..')
const PATIENCE_MS = 30_000

test('a second process on a data folder is refused with a clear message, and the first continues', async () => {
  await withService(async (service) => {
    const memoryId = await makeMemory(service)
    const second = spawnProduct({ RECOLLECT_DATA_DIR: service.dataDirectory, RECOLLECT_PORT: '0' })
    const listening = second.address(PATIENCE_MS).finally(() => second.end('SIGKILL'))
    await assert.rejects(listening, /ended with 1 .*Another Recollect process uses this data folder/s)
    const id = await addText(service, memoryId, 'The first process goes on.')
    assert.equal((await find(service, memoryId, 'first process')).hits[0]?.documentId, id)
  })
})

test('SIGTERM under load ends with 0, running answers finish, and the job is completed after the restart', async () => {
  await withService(async (service) => {
    const memoryId = await makeMemory(service)
    const job = await upload<Accepted>(service, memoryId, { content: prose(2.1 * MB), filename: 'long.txt' })
    assertStatus(job, 202)
    const acknowledged = new Map<string, string>()
    let isStopping = false
    const writers = Array.from({ length: 4 }, (_, writer) =>
      writeUntilStopped(service, memoryId, { writer, acknowledged, isStopping: () => isStopping }),
    )
    while (acknowledged.size < 8) await setTimeout(10)
    isStopping = true
    await service.stop()
    await Promise.all(writers)
    await service.start()
    assert.equal((await endOfJob(service, job.json.jobId)).status, 'completed')
    for (const [id, text] of acknowledged) assert.equal(await readText(service, memoryId, id), text)
    assert.equal((await listDocuments(service, memoryId)).total, acknowledged.size + 1)
  })
})

test('a stop that comes twice, as a supervisor sends it to a whole group, lets running answers finish and ends with 0', async () => {
  await withService(async (service) => {
    const memoryId = await makeMemory(service)
    let isOver = false
    const running = addTexts(service, memoryId, [{ title: 'Long', text: prose(1.5 * MB) }]).finally(() => {
      isOver = true
    })
    const first = await addText(service, memoryId, 'The add behind it has begun.')
    assert.ok(!isOver, 'the long add is at work')
    process.kill(service.pid, 'SIGINT')
    await service.stop()
    const { documentIds } = (await running).json
    await service.start()
    for (const id of [first, ...documentIds]) assert.notEqual(await readText(service, memoryId, id), '')
  })
})

test('half-written files of a killed process are removed at the start', async () => {
  await withService(async (service) => {
    const objects = join(service.dataDirectory, 'objects')
    await service.kill()
    const left = [
      join(service.dataDirectory, 'tmp', 'upload'),
      join(objects, 'temporary', 'object'),
      join(objects, 'objects', 'probe', 'probe'),
    ]
    for (const path of left) {
      await mkdir(join(path, '..'), { recursive: true })
      await writeFile(path, 'half')
    }
    await service.start()
    for (const path of left) assert.ok(!existsSync(path), path)
  })
})

test('npm start that is stopped by SIGTERM to npm leaves no process behind', async (context) => {
  if (!existsSync('/proc/self/stat')) return context.skip('needs the /proc of Linux')
  const folder = await mkdtemp(join(tmpdir(), 'recollect-npm-'))
  const settings = { RECOLLECT_DATA_DIR: join(folder, 'data'), RECOLLECT_PORT: '0' }
  const npm = spawn('npm', ['start'], { cwd: ROOT, env: { PATH: process.env['PATH'], HOME: folder, ...settings } })
  const family: number[] = []
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (piece) => (output += piece))
  try {
    await until(
      () => /is ready on http/.test(output),
      () => output,
    )
    family.push(...listFamily(npm.pid ?? assert.fail(output)))
    assert.ok(family.length > 2, 'npm, its shell and the service are there')
    const commands = family.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    assert.ok(
      commands.some((command) => command.includes(`${bundleFolder(ROOT)}/main.js`)),
      'the bundle runs',
    )
    npm.kill('SIGTERM')
    await until(
      () => !family.some(isRunning),
      () => `${family.filter(isRunning)} of ${family} still run:\n${output}`,
    )
    assert.ok((await readdir(join(folder, 'data'))).includes('recollect.sqlite'))
  } finally {
    for (const pid of family.filter(isRunning)) process.kill(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})

async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  const service = createService()
  await service.start()
  try {
    await work(service)
  } finally {
    await service.dispose()
  }
}

type Writing = { writer: number; acknowledged: Map<string, string>; isStopping: () => boolean }

/**
 * Adds texts in sequence; only after the stop begins may a request fail, with 503 or without an
 * answer.
 */
async function writeUntilStopped(service: Service, memoryId: string, writing: Writing): Promise<void> {
  const { writer, acknowledged, isStopping } = writing
  for (let index = 0; ; index += 1) {
    const text = prose(2000, 1000 * writer + index)
    try {
      const answer = await addTexts(service, memoryId, [{ title: 'Note', text }])
      if (isStopping() && answer.status === 503) return
      assertStatus(answer, 200)
      acknowledged.set(answer.json.documentIds[0] ?? '', text)
    } catch (error) {
      if (isStopping() && error instanceof TypeError) return
      throw error
    }
  }
}

async function until(isSo: () => boolean, otherwise: () => string): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!isSo()) {
    assert.ok(Date.now() < end, otherwise())
    await setTimeout(50)
  }
}
