import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getImageFormat } from './image-format.ts'

test('detects images by their first bytes', () => {
  const heads: readonly (readonly [string, string])[] = [
    ['\x89PNG\r\n\x1a\n\0\0', 'png'],
    ['\xff\xd8\xff\xe0', 'jpeg'],
    ['RIFF\x0a\0\0\0WEBPVP8 ', 'webp'],
    ['GIF89a', 'gif'],
    ['II*\0\x08\0\0\0', 'tiff'],
    ['MM\0+', 'tiff'],
    [`BM${'\0'.repeat(12)}\x28\0\0\0`, 'bmp'],
    [`BM${'\n'.repeat(12)}\x0c\0\0\0`, 'bmp'],
  ]
  for (const [head, format] of heads) assert.equal(getImageFormat(Buffer.from(head, 'latin1')), format)
})

test('returns null for anything else', () => {
  for (const head of [
    '',
    'BM',
    'BM25 ranks by words that it finds',
    '%PDF-1.7',
    '<svg xmlns=',
    'RIFF\0\0\0\0WAVE',
    'GIF90a',
  ])
    assert.equal(getImageFormat(Buffer.from(head, 'latin1')), null, head)
})
