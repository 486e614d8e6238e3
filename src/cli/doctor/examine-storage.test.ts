import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fakeSurroundings } from '../../../test/support/fake-surroundings.ts'
import type { Damage } from '../../service/doctor/damage.ts'
import { runProgram } from '../run-program.ts'

const ORPHAN: Damage = { kind: 'forgotten_document', memoryId: 'mem_1', documentId: 'doc_1', detail: '2 chunks' }
const MISSING: Damage = { kind: 'missing_text', memoryId: 'mem_1', documentId: 'doc_2', detail: 'a title' }

/** A doctor who finds these, mends orphans, and says how often it was closed. */
function fakeDoctor(damages: readonly Damage[]) {
  const seen = { mended: 0, closed: 0 }
  const openStorageDoctor = async () => ({
    async *examine() {
      yield* damages
    },
    unchecked: () => ['Pages have no checksums.'],
    async mend({ kind }: Damage) {
      if (kind !== 'forgotten_document') return false
      seen.mended += 1
      return true
    },
    async close() {
      seen.closed += 1
    },
  })
  return { seen, ...fakeSurroundings({ openStorageDoctor }) }
}

describe('recollect doctor --storage', () => {
  it('ends well where all agrees', async () => {
    const { surroundings, written, seen } = fakeDoctor([])
    assert.equal(await runProgram(['doctor', '--storage'], surroundings), 0)
    assert.match(written.out, /agree/)
    assert.equal(seen.closed, 1)
  })

  it('names each damage, changes nothing, and says what --fix would do', async () => {
    const { surroundings, written, seen } = fakeDoctor([ORPHAN, MISSING])
    assert.equal(await runProgram(['doctor', '--storage'], surroundings), 1)
    assert.match(written.out, /forgotten_document: mem_1 doc_1: 2 chunks .* --fix removes them/)
    assert.match(written.out, /missing_text: mem_1 doc_2: a title .*Restore the object/)
    assert.match(written.error, /2 of 2 damages are left. 1 of them can be mended/)
    assert.deepEqual(seen, { mended: 0, closed: 1 })
  })

  it('mends with --fix what can be mended, and fails for the rest', async () => {
    const { surroundings, written, seen } = fakeDoctor([ORPHAN, MISSING])
    assert.equal(await runProgram(['doctor', '--storage', '--fix', '--json'], surroundings), 1)
    const { damages } = JSON.parse(written.out)
    assert.deepEqual(
      damages.map(({ mended }: { mended: boolean }) => mended),
      [true, false],
    )
    assert.equal(seen.mended, 1)
    assert.equal(await runProgram(['doctor', '--storage', '--fix'], fakeDoctor([ORPHAN]).surroundings), 0)
  })

  it('is what --fix and --memory alone mean', async () => {
    const { surroundings, seen } = fakeDoctor([ORPHAN])
    assert.equal(await runProgram(['doctor', '--fix'], surroundings), 0)
    assert.equal(seen.mended, 1)
    const one = fakeDoctor([])
    const args = ['doctor', '--memory', 'mem_01k00000000000000000000000']
    assert.equal(await runProgram(args, one.surroundings), 0)
    assert.equal(one.seen.closed, 1)
  })

  it('says what could not be looked at', async () => {
    const { surroundings, written } = fakeDoctor([])
    assert.equal(await runProgram(['doctor', '--storage'], surroundings), 0)
    assert.match(written.out, /Pages have no checksums\./)
  })

  it('mends nothing behind damage of the database that is left: what looks forgotten may be of a row that cannot be read', async () => {
    const database: Damage = { kind: 'damaged_database', memoryId: null, documentId: null, detail: 'Tree 6 page 6' }
    const { surroundings, written, seen } = fakeDoctor([database, ORPHAN])
    assert.equal(await runProgram(['doctor', '--fix'], surroundings), 1)
    assert.equal(seen.mended, 0)
    assert.match(written.out, /damaged_database: Tree 6 page 6 .*Restore all of the data from one backup/)
    assert.match(written.error, /2 of 2 damages are left. Those of the database come first/)
  })
})
