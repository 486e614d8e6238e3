import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { lockData } from './data-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'recollect-lock-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('a lock is held until it is given back', () => {
  const path = join(folder, 'held.lock')
  const unlock = lockData(path)
  assert.throws(() => lockData(path), /^Error: Another Recollect process uses this data folder; stop it, or set/)
  unlock()
  lockData(path)()
})

test('only what is no lock is to be removed', () => {
  const path = join(folder, 'text.lock')
  writeFileSync(path, 'no database, and longer than the header of one is. '.repeat(100))
  assert.throws(() => lockData(path), /text\.lock cannot be locked: file is not a database; remove it\.$/)
})

test('a lock that cannot be opened is a matter of rights: whoever removed it would serve one folder twice', () => {
  const path = join(folder, 'folder.lock')
  mkdirSync(path)
  const advice =
    /cannot be locked: unable to open database file; give it and its folder to the user who runs Recollect\.$/
  assert.throws(() => lockData(path), advice)
})
