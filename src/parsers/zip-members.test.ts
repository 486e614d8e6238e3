import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { decodeMemberName, readMemberName } from './zip-members.ts'

const NO_EXTRA = Buffer.alloc(0)

function unicodePath(name: string, { of, version = 1 }: { of: Buffer; version?: number }): Buffer {
  const field = Buffer.alloc(9)
  const utf8 = Buffer.from(name)
  field.writeUInt16LE(0x7075, 0)
  field.writeUInt16LE(5 + utf8.length, 2)
  field.writeUInt8(version, 4)
  field.writeUInt32LE(crc32(of), 5)
  return Buffer.concat([field, utf8])
}

test('decodes a name as flagged, as UTF-8 if valid, and otherwise in code page 437', () => {
  const utf8 = Buffer.from('Müller/Größe.txt')
  const dos = Buffer.from('M\x81ller\\Gr\x94\xe1e.txt', 'latin1')
  assert.equal(decodeMemberName({ rawName: utf8, hasUtf8Name: true, extra: NO_EXTRA }), 'Müller/Größe.txt')
  assert.equal(decodeMemberName({ rawName: utf8, hasUtf8Name: false, extra: NO_EXTRA }), 'Müller/Größe.txt')
  assert.equal(decodeMemberName({ rawName: dos, hasUtf8Name: false, extra: NO_EXTRA }), 'Müller\\Größe.txt')
})

test('prefers the Unicode path of the same name, behind other extra fields', () => {
  const rawName = Buffer.from('?.txt')
  const other = Buffer.from([0x55, 0x54, 1, 0, 9])
  const own = unicodePath('Ω.txt', { of: rawName })
  const read = (extra: Buffer) => decodeMemberName({ rawName, hasUtf8Name: false, extra })
  assert.equal(read(Buffer.concat([other, own])), 'Ω.txt')
  assert.equal(read(unicodePath('Ω.txt', { of: Buffer.from('renamed.txt') })), '?.txt')
  assert.equal(read(unicodePath('Ω.txt', { of: rawName, version: 2 })), '?.txt')
  assert.equal(read(own.subarray(0, 7)), '?.txt')
})

test('cleans a path to a name without drive, root, parents and control characters', () => {
  for (const [path, name] of [
    ['reports/2026/q1.pdf', 'reports/2026/q1.pdf'],
    ['/etc/passwd', 'etc/passwd'],
    ['..\\..\\windows\\a.txt', 'windows/a.txt'],
    ['C:\\temp\\a.txt', 'temp/a.txt'],
    ['a/./b/../c.txt', 'a/b/c.txt'],
    ['a\u202e\n/b\0.txt', 'a/b.txt'],
    [`${'folder/'.repeat(50)}a.txt`, `${'folder/'.repeat(35)}a.txt`],
    ['../..', 'unnamed'],
  ] as const) {
    assert.equal(readMemberName({ rawName: Buffer.from(path), hasUtf8Name: true, extra: NO_EXTRA }), name)
  }
})
