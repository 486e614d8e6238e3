/** The attempts of a reader taken over by its file. */
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Tasks } from '../../../src/parsers/child/protocol.ts'

/**
 * The targets: a listening port, a folder writable by this user, and a file outside of the readable
 * places.
 */
export type Targets = { port: number; folder: string; outside: string }

/** The result of each attempt: the error of the system, or `done`. */
export type Tried = Record<keyof typeof TRIES, string>

const TRIES = {
  connect: ({ port }) => once(createConnection(port, '127.0.0.1'), 'connect'),
  listen: () => once(createServer().listen(0, '127.0.0.1'), 'listening'),
  'listen at a path': ({ folder }) => once(createServer().listen(join(folder, 'socket')), 'listening'),
  'send a packet': ({ port }) =>
    new Promise((resolve, reject) => {
      const socket = createSocket('udp4').on('error', reject)
      socket.send('x', port, '127.0.0.1', (error) => (error === null ? resolve(null) : reject(error)))
    }),
  'write a file': ({ folder }) => writeFileSync(join(folder, 'written'), 'x'),
  'write a file in the pool of threads': ({ folder }) => writeFile(join(folder, 'written'), 'x'),
  'add to a file': ({ folder }) => appendFileSync(join(folder, 'there'), 'x'),
  'remove a file': ({ folder }) => rmSync(join(folder, 'there')),
  'make a folder': ({ folder }) => mkdirSync(join(folder, 'made')),
  'start a program': () => {
    const { error } = spawnSync(process.execPath, ['--version'])
    if (error !== undefined) throw error
  },
  'signal the service': () => process.kill(process.ppid, 0),
  'read a file of others': ({ outside }) => readFile(outside),
  'read the names of files beside its own': ({ folder }) => readdirSync(folder),
  'read a file of others in a thread': ({ outside }) => readInThread(outside),
  'read the secrets of the service': () => readFileSync(`/proc/${process.ppid}/environ`),
} satisfies Record<string, (targets: Targets) => unknown>

/**
 * `try` takes {@link Targets} and returns {@link Tried}; `read` takes the path of a file and
 * returns its text.
 */
export const tasks: Tasks = {
  try: async function* (input: unknown) {
    const tried: Record<string, string> = {}
    for (const [name, attempt] of Object.entries(TRIES)) {
      tried[name] = await Promise.resolve()
        .then(() => attempt(input as Targets))
        .then(
          () => 'done',
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        )
    }
    return tried
  },
  // biome-ignore lint/correctness/useYield: the answer comes whole.
  read: async function* (input: unknown) {
    return await readFile(String(input), 'utf8')
  },
}

async function readInThread(path: string): Promise<void> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    require('node:fs').readFile(workerData, (error) => parentPort.postMessage(error?.code ?? null))`
  const [refusal] = await once(new Worker(code, { eval: true, workerData: path }), 'message')
  if (refusal !== null) throw Object.assign(new Error(refusal), { code: refusal })
}
