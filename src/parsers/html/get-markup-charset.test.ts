import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getMarkupCharset } from './get-markup-charset.ts'

test('the charset of a page or of an XML file is the one it declares', () => {
  for (const [head, charset] of [
    ['<html><meta charset="Shift_JIS">', 'shift_jis'],
    ["<meta http-equiv='Content-Type' content='text/html; charset=windows-1251'>", 'windows-1251'],
    ['<?xml version="1.0" encoding="ISO-8859-2"?><a/>', 'iso-8859-2'],
    ['<!-- <meta charset=koi8-r> --><meta charset=big5>', 'big5'],
    ['<meta charset=utf-16>', null],
    ['<meta charset=nonsense>', null],
    ['<p>charset=utf-8', null],
  ] as const) {
    assert.equal(getMarkupCharset(Buffer.from(head)), charset, head)
  }
})
