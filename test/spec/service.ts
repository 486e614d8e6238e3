/**
 * The service as a black box: a child process on the project's Node, with a free loopback port and
 * a temporary data folder. Tests use only HTTP.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { type Answer, assertRulesOfEveryAnswer, type ErrorAnswer, readAnswer } from './answer.ts'
import { type Child, spawnProduct } from './product.ts'

const KEY = /rcl_[0-9A-Za-z]{46}/g
const START_MS = 120_000

/** Options of a request. `key` defaults to the bootstrap key; `null` sends no key. */
export type Request = {
  /** Objects are sent as JSON; text, bytes, streams and forms unchanged. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  key?: string | null
}

export type Service = Awaited<ReturnType<typeof createService>>

/**
 * A service for the tests of one file, started and prepared before and stopped after the tests.
 * Stopping fails when SIGTERM does not end the process, or when the log contains a key from a
 * request or response of the file.
 */
export function useService(
  settings: Readonly<Record<string, string>> = {},
  prepare: (service: Service) => Promise<void> = async () => {},
  launch = spawnProduct,
): Service {
  const service = createService(settings, launch)
  // One hook for both steps: `node:test` does not run the hooks of a file in sequence.
  before(async () => {
    await service.start()
    await prepare(service)
  })
  after(() => service.dispose())
  return service
}

const shared = { service: null as Service | null, started: null as Promise<void> | null, users: 0 }

/**
 * A service shared by the test files of a process. For files without settings that count nothing
 * outside their memories, and neither stop nor fill the service. Starts with the first file and
 * stops after the last.
 */
export function useSharedService(prepare: (service: Service) => Promise<void> = async () => {}): Service {
  shared.service ??= createService()
  const { service } = shared
  shared.users += 1
  before(async () => {
    shared.started ??= service.start()
    await shared.started
    await prepare(service)
  })
  after(async () => {
    shared.users -= 1
    if (shared.users === 0) await service.dispose()
  })
  return service
}

/** A service not yet started; the caller starts and disposes of it. */
export function createService(settings: Readonly<Record<string, string>> = {}, launch = spawnProduct) {
  const keys = new Set<string>()
  const bootstrapKey = settings['RECOLLECT_BOOTSTRAP_KEY'] ?? `spec-${randomUUID()}`
  if (bootstrapKey !== '') keys.add(bootstrapKey)
  let log = ''
  let child: Child | null = null
  let url = ''
  let folder = ''

  async function start(): Promise<void> {
    if (folder === '') folder = await mkdtemp(join(tmpdir(), 'recollect-spec-'))
    const chosen = { RECOLLECT_DATA_DIR: join(folder, 'data'), RECOLLECT_PORT: '0', RECOLLECT_LOG_LEVEL: 'debug' }
    child = launch({ ...chosen, RECOLLECT_BOOTSTRAP_KEY: bootstrapKey, ...settings })
    url = await child.address(START_MS)
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (child === null) return
    const { code, output } = await child.end(signal)
    log += output
    child = null
    if (signal === 'SIGTERM') assert.equal(code, 0, `ended with ${code} after SIGTERM:\n${output.slice(-2000)}`)
  }

  async function call<Body = ErrorAnswer>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    const response = await fetch(url + path, fetchOptions(method, request, request.key ?? bootstrapKey))
    const answer = await readAnswer<Body>(response)
    for (const key of answer.text.match(KEY) ?? []) keys.add(key)
    if (typeof request.key === 'string') keys.add(request.key)
    assertRulesOfEveryAnswer(`${method} ${path}`, answer)
    return answer
  }

  return {
    start,
    call,
    get: <Body = ErrorAnswer>(path: string, request?: Request) => call<Body>('GET', path, request),
    post: <Body = ErrorAnswer>(path: string, body: unknown, request?: Request) =>
      call<Body>('POST', path, { body, ...request }),
    delete: (path: string, request?: Request) => call('DELETE', path, request),
    /** Stops in the orderly way and starts again on the same data. */
    async restart(): Promise<void> {
      await end('SIGTERM')
      await start()
    },
    /** Kills without warning and starts again on the same data. */
    async crash(): Promise<void> {
      await end('SIGKILL')
      await start()
    },
    stop: () => end('SIGTERM'),
    /** Kills without warning. */
    kill: () => end('SIGKILL'),
    /** Stops, checks the log for keys, removes the data. */
    async dispose(): Promise<void> {
      await end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
      for (const key of keys) assert.ok(!log.includes(key), `the log holds the key ${key.slice(0, 8)}…`)
    },
    /** The output so far. */
    output: () => log + (child?.output() ?? ''),
    /** A key made outside, to be looked for in the log as well. */
    watchKey: (key: string) => void keys.add(key),
    get url() {
      return url
    },
    get dataDirectory() {
      return join(folder, 'data')
    },
    /** The process id, 0 while stopped. */
    get pid() {
      return child?.pid ?? 0
    },
    bootstrapKey,
  }
}

function fetchOptions(method: string, request: Request, key: string): RequestInit {
  const authorization = request.key === null ? {} : { authorization: `Bearer ${key}` }
  const { body } = request
  if (body === undefined) return { method, headers: { ...authorization, ...request.headers } }
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData) {
    return { method, headers: { ...authorization, ...request.headers }, body: body as string | FormData }
  }
  const headers = { ...authorization, 'content-type': 'application/json', ...request.headers }
  return { method, headers, body: JSON.stringify(body) }
}
