import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createWorkLimit } from './work-limit.ts'

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: { run(): void } }
}

/** `(module (func (export "run") (loop br 0)))` */
const ENDLESS = 'AGFzbQEAAAABBAFgAAADAgEABwcBA3J1bgAACgkBBwADQAwACws='

it('stops a loop in WebAssembly that has no end, and does the next work', async () => {
  const module = new WebAssembly.Module(Buffer.from(ENDLESS, 'base64'))
  const { exports } = new WebAssembly.Instance(module)
  const limit = createWorkLimit()
  let renewed = 0
  const renew = async () => void renewed++
  assert.equal(await limit.run(() => exports.run(), { limitMs: 50, renew }), null)
  assert.ok(renewed <= 2)
  assert.deepEqual(await limit.run(() => 'done', { limitMs: 10_000, renew }), { value: 'done' })
})

it('throws what the work throws', async () => {
  const fails = () => {
    throw new RangeError('no such thing')
  }
  const limits = { limitMs: 10_000, renew: async () => undefined }
  await assert.rejects(createWorkLimit().run(fails, limits), /no such thing/)
})
