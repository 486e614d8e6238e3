import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fakeCliContext } from '../../../test/support/fake-cli-context.ts'
import type { IntegrityIssue } from '../../services/doctor/integrity-issues.ts'
import { runProgram } from '../program.ts'

const ORPHAN: IntegrityIssue = {
  kind: 'forgotten_document',
  memoryId: 'mem_1',
  documentId: 'doc_1',
  detail: '2 chunks',
}
const WRONG_ROW: IntegrityIssue = {
  ...{ kind: 'wrong_row', memoryId: 'mem_1', documentId: 'doc_3', detail: '' },
  row: { table: 'documents', id: 'doc_3' },
}
const MISSING: IntegrityIssue = { kind: 'missing_text', memoryId: 'mem_1', documentId: 'doc_2', detail: 'a title' }

/** A doctor with these damages that repairs orphans and terms, and counts its closing. */
function fakeDoctor(damages: readonly IntegrityIssue[]) {
  const seen = { mended: 0, accepted: 0, closed: 0 }
  const openStorageDoctor = async () => ({
    async *examine() {
      yield* damages
    },
    unchecked: () => ['Pages have no checksums.'],
    async repair({ kind }: IntegrityIssue) {
      if (kind !== 'forgotten_document' && kind !== 'wrong_terms') return false
      seen.mended += 1
      return true
    },
    async accept({ row }: IntegrityIssue) {
      if (row !== undefined) seen.accepted += 1
      return row !== undefined
    },
    async close() {
      seen.closed += 1
    },
  })
  return { seen, ...fakeCliContext({ openStorageDoctor }) }
}

describe('recollect doctor --storage', () => {
  it('ends well where all agrees', async () => {
    const { context, written, seen } = fakeDoctor([])
    assert.equal(await runProgram(['doctor', '--storage'], context), 0)
    assert.match(written.out, /agree/)
    assert.equal(seen.closed, 1)
  })

  it('names each damage, changes nothing, and says what --fix would do', async () => {
    const { context, written, seen } = fakeDoctor([ORPHAN, MISSING])
    assert.equal(await runProgram(['doctor', '--storage'], context), 1)
    assert.match(written.out, /forgotten_document: mem_1 doc_1: 2 chunks .* --fix deletes them/)
    assert.match(written.out, /missing_text: mem_1 doc_2: a title .*Restore the object/)
    assert.match(written.error, /2 of 2 damages are left. 1 of them can be repaired/)
    assert.deepEqual(seen, { mended: 0, accepted: 0, closed: 1 })
  })

  it('repairs with --fix what it can, and fails for the rest', async () => {
    const { context, written, seen } = fakeDoctor([ORPHAN, MISSING])
    assert.equal(await runProgram(['doctor', '--storage', '--fix', '--json'], context), 1)
    const { damages } = JSON.parse(written.out)
    assert.deepEqual(
      damages.map(({ mended }: { mended: boolean }) => mended),
      [true, false],
    )
    assert.equal(seen.mended, 1)
    assert.equal(await runProgram(['doctor', '--storage', '--fix'], fakeDoctor([ORPHAN]).context), 0)
  })

  it('is what --fix and --memory alone mean', async () => {
    const { context, seen } = fakeDoctor([ORPHAN])
    assert.equal(await runProgram(['doctor', '--fix'], context), 0)
    assert.equal(seen.mended, 1)
    const one = fakeDoctor([])
    const args = ['doctor', '--memory', 'mem_01k00000000000000000000000']
    assert.equal(await runProgram(args, one.context), 0)
    assert.equal(one.seen.closed, 1)
  })

  it('says what could not be looked at', async () => {
    const { context, written } = fakeDoctor([])
    assert.equal(await runProgram(['doctor', '--storage'], context), 0)
    assert.match(written.out, /Pages have no checksums\./)
  })

  it('repairs nothing while the database is damaged, because orphans may belong to an unreadable row', async () => {
    const database: IntegrityIssue = {
      kind: 'damaged_database',
      memoryId: null,
      documentId: null,
      detail: 'Tree 6 page 6',
    }
    const { context, written, seen } = fakeDoctor([database, ORPHAN])
    assert.equal(await runProgram(['doctor', '--fix'], context), 1)
    assert.equal(seen.mended, 0)
    assert.match(written.out, /damaged_database: Tree 6 page 6 .*Restore all data from one backup/)
    assert.match(written.error, /2 of 2 damages are left. Repair the database first/)
  })

  it('removes nothing while a row is wrong, leaves what depends on it, and repairs the rest', async () => {
    const terms = (memoryId: string, documentId: string): IntegrityIssue => ({
      ...{ kind: 'wrong_terms', memoryId, documentId, detail: 'x' },
    })
    const damages = [WRONG_ROW, ORPHAN, terms('mem_1', 'doc_3'), terms('mem_1', 'doc_4'), terms('mem_2', 'doc_5')]
    const { context, written, seen } = fakeDoctor(damages)
    assert.equal(await runProgram(['doctor', '--fix'], context), 1)
    assert.equal(seen.mended, 2)
    assert.match(written.out, /wrong_row: mem_1 doc_3: documents doc_3 .*recollect doctor --accept-rows/)
    assert.match(written.out, /DAMAGE {4}wrong_terms: mem_1 doc_3/)
    assert.match(written.error, /3 of 5 damages are left. While rows are wrong, nothing is removed/)
    const ofMemory = { ...WRONG_ROW, documentId: null }
    const other = fakeDoctor([ofMemory, terms('mem_1', 'doc_4'), terms('mem_2', 'doc_5')])
    assert.equal(await runProgram(['doctor', '--fix'], other.context), 1)
    assert.equal(other.seen.mended, 1)
  })

  it('takes wrong rows as they are with --accept-rows, and changes nothing else', async () => {
    const { context, written, seen } = fakeDoctor([WRONG_ROW, ORPHAN])
    assert.equal(await runProgram(['doctor', '--accept-rows'], context), 1)
    assert.deepEqual(seen, { mended: 0, accepted: 1, closed: 1 })
    assert.match(written.out, /repaired {2}wrong_row: mem_1 doc_3: documents doc_3/)
    const index: IntegrityIssue = { kind: 'damaged_database_index', memoryId: null, documentId: null, detail: 'x' }
    const blocked = fakeDoctor([index, WRONG_ROW])
    assert.equal(await runProgram(['doctor', '--accept-rows'], blocked.context), 1)
    assert.equal(blocked.seen.accepted, 0)
    const both = fakeDoctor([WRONG_ROW])
    assert.notEqual(await runProgram(['doctor', '--accept-rows', '--fix'], both.context), 0)
    assert.match(both.written.error, /in a separate run/)
    assert.equal(both.seen.accepted, 0)
  })
})
