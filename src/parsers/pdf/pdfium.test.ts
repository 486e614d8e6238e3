import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPageLimits, createWorkLimit } from './pdfium.ts'

function failTimes(limits: ReturnType<typeof createPageLimits>, times: number): void {
  for (let page = 0; page < times; page++) {
    limits.tookTooLong()
    limits.failed()
  }
}

describe('time limits of PDF pages', () => {
  it('shrink after pages that take too long', () => {
    const limits = createPageLimits({ fullMs: 2_000, pageCount: 20 })
    failTimes(limits, 1)
    assert.equal(limits.limitMs(), 1_000)
    failTimes(limits, 8)
    assert.equal(limits.limitMs(), 250)
  })

  it('recover after pages that are read', () => {
    const limits = createPageLimits({ fullMs: 2_000, pageCount: 20 })
    failTimes(limits, 3)
    for (const expected of [500, 1_000, 2_000, 2_000]) {
      limits.succeeded()
      assert.equal(limits.limitMs(), expected)
    }
  })

  it('stop a short document after ten failures, a long one after a tenth of its pages', () => {
    for (const [pageCount, most] of [
      [20, 10],
      [300, 30],
    ] as const) {
      const limits = createPageLimits({ fullMs: 2_000, pageCount })
      failTimes(limits, most - 1)
      assert.equal(limits.refusal(), null)
      failTimes(limits, 1)
      assert.equal(limits.refusal(), `Skipped after ${most} pages that could not be read.`)
    }
  })
})

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: { run(): void } }
}

/** `(module (func (export "run") (loop br 0)))` */
const ENDLESS = 'AGFzbQEAAAABBAFgAAADAgEABwcBA3J1bgAACgkBBwADQAwACws='

it('stops an endless WebAssembly loop and runs the next work', async () => {
  const module = new WebAssembly.Module(Buffer.from(ENDLESS, 'base64'))
  const { exports } = new WebAssembly.Instance(module)
  const limit = createWorkLimit()
  let renewed = 0
  const renew = async () => void renewed++
  assert.equal(await limit.run(() => exports.run(), { limitMs: 50, renew }), null)
  assert.ok(renewed <= 2)
  assert.deepEqual(await limit.run(() => 'done', { limitMs: 10_000, renew }), { value: 'done' })
})

it('rethrows errors of the work', async () => {
  const fails = () => {
    throw new RangeError('no such thing')
  }
  const limits = { limitMs: 10_000, renew: async () => undefined }
  await assert.rejects(createWorkLimit().run(fails, limits), /no such thing/)
})
