import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { createServer, type ServerOptions } from '../../../src/http/server.ts'
import type { Services } from '../../../src/services/services.ts'
import { type Calls, createFakeServices, ORGANIZATION_KEY } from './fake-services.ts'

type Logged = { level: string; facts: Record<string, unknown>; message: string }

export type RunningServer = {
  services: Services
  calls: Calls
  logged: Logged[]
  port: number
  close(): Promise<void>
  /** Sends with the organization key, unless the headers say something else. */
  send(
    method: string,
    path: string,
    init?: { headers?: Record<string, string>; body?: RequestInit['body'] },
  ): Promise<Response>
  sendJson(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  /** Writes these bytes to a new connection and returns the whole response. */
  sendRaw(...pieces: string[]): Promise<string>
  /** The files in the upload folder. */
  uploads(): Promise<string[]>
}

/**
 * A server on a free port of the loopback with fake services; closed and cleared when the test
 * ends.
 */
export async function startServer(t: TestContext, overrides: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const { services, calls } = createFakeServices()
  const logged: Logged[] = []
  const write = (level: string) => (facts: object, message: string) =>
    void logged.push({ level, facts: { ...facts }, message })
  const temporaryDirectory = await mkdtemp(join(tmpdir(), 'recollect-http-'))
  const app = createServer({
    services,
    log: {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    } as ServerOptions['log'],
    version: '0.0.0',
    now: () => new Date(),
    console: { get: async () => null },
    docs: { get: async () => null },
    anonymous: null,
    temporaryDirectory,
    rateLimitPerMinute: 0,
    ...overrides,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  t.after(async () => {
    await app.close()
    await rm(temporaryDirectory, { recursive: true, force: true })
  })
  const send: RunningServer['send'] = (method, path, { headers = {}, body = null } = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${ORGANIZATION_KEY}`, ...headers },
      body,
    })
  return {
    services,
    calls,
    logged,
    port,
    close: () => app.close(),
    send,
    sendJson: (method, path, body, headers = {}) =>
      send(method, path, { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }),
    sendRaw: (...pieces) => sendRaw(port, pieces),
    uploads: () => readdir(temporaryDirectory),
  }
}

async function sendRaw(port: number, pieces: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  for (const piece of pieces) socket.write(piece)
  return text(socket)
}

/** Status and error code of an answer with a valid error body. */
export async function readError(
  response: Response,
): Promise<{ status: number; code: string; param: string | null; message: string }> {
  const { error } = (await response.json()) as { error: Record<string, unknown> }
  for (const field of ['code', 'message', 'remedy', 'requestId']) {
    if (typeof error[field] !== 'string' || error[field] === '') throw new Error(`the error has no ${field}`)
  }
  if (!Array.isArray(error['details'])) throw new Error('the error has no details')
  if (response.headers.get('x-request-id') !== error['requestId']) throw new Error('the request ids differ')
  return {
    status: response.status,
    code: String(error['code']),
    param: error['param'] as string | null,
    message: String(error['message']),
  }
}
