import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getSignature } from './signatures.ts'

test('detects binary formats by their first bytes', () => {
  const heads: readonly (readonly [string, string])[] = [
    ['%PDF-1.7\n', 'PDF'],
    ['\x89PNG\r\n\x1a\n', 'PNG image'],
    ['MM\0+\0\x08', 'TIFF image'],
    ['\xdb\xa5\x2d\0', 'DOC'],
    ['PK\x03\x04\x14\0 notes.txt', 'ZIP archive'],
    ['\0junk before %PDF-1.7\n', 'PDF'],
    ['PK\x03\x04\x14\0 a.pdf%PDF-1.7\n', 'ZIP archive'],
    ['\x1f\x8b\x08\0', 'gzip archive'],
    ['MZ\x90\0\x03', 'Windows executable'],
    ['\x7fELF\x02', 'ELF executable'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'WebP image'],
    ['{\\rtf1\\ansi', 'RTF'],
  ]
  for (const [head, name] of heads) assert.equal(getSignature(Buffer.from(head, 'latin1'))?.name, name)
})

test('treats texts that start like a binary format as text', () => {
  for (const head of ['MZ is a mark', 'BM25 ranks by words', 'GIF89a is a format', 'ID3 tags', '<html>', '{"a":1}']) {
    assert.equal(getSignature(Buffer.from(head)), null, head)
  }
})

test('detects a PDF of plain letters behind white space, a byte order mark or the header of a server', () => {
  const pdf = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'
  const leads = ['\n', '\xef\xbb\xbf', 'HTTP/1.1 200 OK\r\nServer: a\r\n\r\n', 'Content-Type: application/pdf\n\n']
  for (const lead of leads) assert.equal(getSignature(Buffer.from(lead + pdf, 'latin1'))?.name, 'PDF', lead)
  for (const text of [`A file begins so:\n${pdf}`, '\n%PDF-1.4 is a version', `From: Ada <ada@example.org>\n\n${pdf}`])
    assert.equal(getSignature(Buffer.from(text)), null, text)
})
