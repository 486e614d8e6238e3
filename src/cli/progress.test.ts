import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { fakeCliContext } from '../../test/support/fake-cli-context.ts'
import { createProgress, describeEnd } from './progress.ts'

/** A terminal of 40 columns that records its output. */
function fakeTerminal() {
  let drawn = ''
  const stream = new Writable({
    write(piece: Buffer, _, done) {
      drawn += piece.toString('utf8')
      done()
    },
  })
  return { stream: Object.assign(stream, { isTTY: true, columns: 40, rows: 20 }), drawn: () => drawn }
}

describe('progress', () => {
  it('in a pipe is a line for each end, and where it is asked for, for each step that is new', () => {
    const { context, written } = fakeCliContext()
    for (const tellsSteps of [false, true]) {
      const task = createProgress(context, { tellsSteps }).begin('a.pdf')
      for (const fraction of [0.5, 0.501, 0.9]) task.update(fraction, 'reading')
      task.end('added  a.pdf')
    }
    assert.equal(written.out, 'added  a.pdf\na.pdf  50% reading\na.pdf  90% reading\nadded  a.pdf\n')
  })

  it('on a terminal is a bar, and above it a line for each end, folded to the columns there are', () => {
    const { stream, drawn } = fakeTerminal()
    const { context, written } = fakeCliContext({ barStream: stream, isTerminal: true })
    const progress = createProgress(context, { tellsSteps: false })
    const [first, second] = [progress.begin('first.pdf'), progress.begin('second.pdf')]
    second.update(0.5, 'reading')
    first.end(`failed  first.pdf  ${'why '.repeat(10)}`)
    progress.close()
    assert.match(drawn(), /failed {2}first\.pdf {2}(why ){5}w\nhy /)
    assert.match(drawn(), /second\.pdf +█+░+ +50% reading/)
    assert.equal(written.out, '')
  })

  it('has a bar over all tasks, with the time of the end', () => {
    const { stream, drawn } = fakeTerminal()
    stream.columns = 120
    const { context } = fakeCliContext({ barStream: stream, isTerminal: true })
    const progress = createProgress(context, { tellsSteps: false, total: 12 })
    for (const name of ['a', 'b', 'c']) progress.begin(name).end(name)
    progress.close()
    assert.match(drawn(), /3 of 12 +█+░+ +25% about 0 s left, until \d\d:\d\d/)
  })

  it('estimates the end from the tasks that ended', () => {
    const estimate = (ended: number, nowMs: number) => describeEnd({ ended, total: 10, startedMs: 0, nowMs })
    assert.equal(estimate(2, 2000), '')
    assert.match(estimate(5, 50_000), /^about 50 s left, until /)
    assert.match(estimate(5, 300_000), /^about 5 min left, until /)
    assert.match(estimate(5, 20_000_000), /^about 6 h left, until /)
    assert.equal(estimate(10, 2000), '')
  })

  it('never hides a line from a program that reads standard output', () => {
    const { stream } = fakeTerminal()
    const { context, written } = fakeCliContext({ barStream: stream })
    const progress = createProgress(context, { tellsSteps: false })
    progress.begin('a.pdf').end('added  a.pdf')
    progress.close()
    assert.equal(written.out, 'added  a.pdf\n')
  })
})
