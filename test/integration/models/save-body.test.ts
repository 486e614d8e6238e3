import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { saveBody } from '../../../src/url-fetch/save-body.ts'

it('a body may take longer than the time between two of its pieces may be', { timeout: 30_000 }, async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'recollect-body-'))
  const path = join(directory, 'body')
  context.after(() => rm(directory, { recursive: true }))
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const response = Object.assign(new Readable({ read() {} }), { headers: {} }) as unknown as IncomingMessage
  const limits = { maxBytes: 100, idleMs: 1000 }
  const saving = saveBody(response, { path, limits, signal: new AbortController().signal })
  let failed = false
  saving.catch(() => {
    failed = true
  })
  for (let piece = 1; piece <= 3; piece += 1) {
    response.push('x')
    // Until the file contains the piece, so the piece was seen.
    while (!failed && (await readFile(path, 'utf8').catch(() => '')).length < piece) await turn()
    context.mock.timers.tick(900)
  }
  response.push(null)
  assert.equal(await saving, 3)
})
