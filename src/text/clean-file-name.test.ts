import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanFileName } from './clean-file-name.ts'

test('folders, control characters and direction marks are left out of a name', () => {
  assert.equal(cleanFileName('../../etc/passwd'), 'passwd')
  assert.equal(cleanFileName('C:\\temp\\a\u0000b\u202etxt.exe'), 'abtxt.exe')
  assert.equal(cleanFileName('Übersicht 2026.md'), 'Übersicht 2026.md')
})

test('a name of nothing is none', () => {
  for (const name of [undefined, '', '..', 'a/', '\r\n']) assert.equal(cleanFileName(name), null)
})

test('a long name keeps its extension', () => {
  const name = cleanFileName(`${'x'.repeat(400)}.markdown`)
  assert.equal(name?.length, 255)
  assert.ok(name?.endsWith('.markdown'))
})
