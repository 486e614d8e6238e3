import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPageLimits } from './page-limits.ts'

function failTimes(limits: ReturnType<typeof createPageLimits>, times: number): void {
  for (let page = 0; page < times; page++) {
    limits.tookTooLong()
    limits.failed()
  }
}

describe('the limits of pages of a PDF', () => {
  it('leave less and less time behind pages that take too long', () => {
    const limits = createPageLimits({ fullMs: 2_000, pageCount: 20 })
    failTimes(limits, 1)
    assert.equal(limits.limitMs(), 1_000)
    failTimes(limits, 8)
    assert.equal(limits.limitMs(), 250)
  })

  it('give the time back behind pages that are read', () => {
    const limits = createPageLimits({ fullMs: 2_000, pageCount: 20 })
    failTimes(limits, 3)
    for (const expected of [500, 1_000, 2_000, 2_000]) {
      limits.succeeded()
      assert.equal(limits.limitMs(), expected)
    }
  })

  it('end a short document behind ten failures, and a long one behind a tenth of its pages', () => {
    for (const [pageCount, most] of [
      [20, 10],
      [300, 30],
    ] as const) {
      const limits = createPageLimits({ fullMs: 2_000, pageCount })
      failTimes(limits, most - 1)
      assert.equal(limits.refusal(), null)
      failTimes(limits, 1)
      assert.equal(limits.refusal(), `It stands behind ${most} that could not be read.`)
    }
  })
})
