import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, spawnProduct } from '../../spec/product.ts'
import { makeTargets } from './make-targets.ts'
import type { Targets } from './targets.ts'

/** The organization's first key. */
const KEY = 'a-key-for-attacks-0123456789'
const START_MS = 60_000

/** Parsed JSON. */
export type Json = Record<string, unknown>

/** The real service as a process, with one resource of every kind. */
export type AttackedService = {
  child: Child
  url: URL
  key: string
  dataDirectory: string
  targets: Targets
  /** Sends a request that must succeed; returns its JSON, or `null` without a body. */
  ask(method: string, path: string, body?: unknown): Promise<Json>
  /** All items of a list, over all pages. */
  listAll(path: string, name: string): Promise<Json[]>
  stop(): Promise<void>
  remove(): Promise<void>
}

/** Starts the service and creates the targets of requests. */
export async function startAttackedService(): Promise<AttackedService> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-fuzz-'))
  const dataDirectory = join(folder, 'data')
  const child = spawnProduct({
    RECOLLECT_DATA_DIR: dataDirectory,
    RECOLLECT_PORT: '0',
    RECOLLECT_BOOTSTRAP_KEY: KEY,
    RECOLLECT_LOG_LEVEL: 'info',
  })
  const url = new URL(await child.address(START_MS))

  async function ask(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path} answered ${response.status} ${text.slice(0, 500)}`)
    return text === '' ? {} : (JSON.parse(text) as Json)
  }

  async function listAll(path: string, name: string): Promise<Json[]> {
    const items: Json[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100${next}`)
      items.push(...(page[name] as Json[]))
      cursor = page['nextCursor'] as string | null
    }
    return items
  }

  return {
    child,
    url,
    key: KEY,
    dataDirectory,
    targets: await makeTargets(KEY, ask),
    ask,
    listAll,
    async stop() {
      const { code, output } = await child.end('SIGTERM')
      assert.equal(code, 0, output.slice(-2000))
    },
    async remove() {
      await child.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
