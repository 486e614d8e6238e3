import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { lockData } from './data-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'recollect-lock-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('holds the lock until it is released', () => {
  const path = join(folder, 'held.lock')
  const unlock = lockData(path)
  assert.throws(() => lockData(path), /^Error: Another Recollect process uses this data folder; stop it, or set/)
  unlock()
  lockData(path)()
})

test('suggests deleting a file only if it is not a lock', () => {
  const path = join(folder, 'text.lock')
  writeFileSync(path, 'no database, and longer than the header of one is. '.repeat(100))
  assert.throws(() => lockData(path), /text\.lock cannot be locked: file is not a database; delete the file\.$/)
})

test('reports missing permissions for a lock that cannot be opened, and does not suggest deleting it', () => {
  const path = join(folder, 'folder.lock')
  mkdirSync(path)
  const advice =
    /cannot be locked: unable to open database file; make the user who runs Recollect the owner of the file and its folder\.$/
  assert.throws(() => lockData(path), advice)
})
