/** The message at the start about the limit of open files. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { PROGRAMS } from '../../spec/product.ts'

const root = await mkdtemp(join(tmpdir(), 'recollect-files-'))
after(() => rm(root, { recursive: true, force: true }))

function command(maxFiles: number, name: string) {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: PROGRAMS.cache,
    RECOLLECT_PORT: '0',
    RECOLLECT_DATA_DIR: join(root, name),
  }
  return { args: ['-c', `ulimit -n ${maxFiles} && exec '${process.execPath}' '${PROGRAMS.service}'`], env }
}

/** The address, and the log lines before. */
async function untilStarted(child: ChildProcess): Promise<{ url: string; lines: string[] }> {
  const lines: string[] = []
  assert.ok(child.stdout)
  for await (const line of createInterface(child.stdout)) {
    const url = /is ready on (http:\S+?)"/.exec(line)?.[1]
    if (url !== undefined) return { url, lines }
    lines.push(line)
  }
  throw new Error('it did not start')
}

test('with the minimum of open files it starts, warns and is ready', {
  skip: process.platform !== 'linux',
}, async () => {
  const { args, env } = command(512, 'few')
  const child = spawn('bash', args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  try {
    const { url, lines } = await untilStarted(child)
    child.stdout?.resume()
    assert.match(lines.join('\n'), /"maxOpenFiles":512.*Raise the limit to 4096 or more/)
    assert.equal((await fetch(`${url}/health/ready`)).status, 200)
  } finally {
    child.kill('SIGTERM')
    await exited
  }
})

test('fewer refuse the start with what to do', { skip: process.platform !== 'linux' }, () => {
  const { args, env } = command(300, 'too-few')
  const { status, stderr } = spawnSync('bash', args, { env, timeout: 60_000 })
  assert.equal(status, 1)
  assert.match(
    stderr.toString(),
    /cannot start: the process may open 300 files, and needs 512 at least; raise the limit/,
  )
})
