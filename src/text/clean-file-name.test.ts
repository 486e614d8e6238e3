import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanFileName } from './clean-file-name.ts'

test('removes folders, control characters and direction marks', () => {
  assert.equal(cleanFileName('../../etc/passwd'), 'passwd')
  assert.equal(cleanFileName('C:\\temp\\a\u0000b\u202etxt.exe'), 'abtxt.exe')
  assert.equal(cleanFileName('Übersicht 2026.md'), 'Übersicht 2026.md')
})

test('returns null for an empty name', () => {
  for (const name of [undefined, '', '..', 'a/', '\r\n']) assert.equal(cleanFileName(name), null)
})

test('keeps the extension of a long name', () => {
  const name = cleanFileName(`${'x'.repeat(400)}.markdown`)
  assert.equal(name?.length, 255)
  assert.ok(name?.endsWith('.markdown'))
})
