import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readMediaType, readResourceName } from './resource-name.ts'

const URL_WITH_NAME = new URL('https://public.example/files/from%20url.pdf?name=x')

describe('readResourceName', () => {
  const named: readonly (readonly [string | undefined, string | null])[] = [
    [undefined, 'from url.pdf'],
    ['inline', 'from url.pdf'],
    ['attachment; filename="report 1.pdf"', 'report 1.pdf'],
    ['attachment; filename=report.pdf; size=3', 'report.pdf'],
    ['attachment; filename="plain.pdf"; filename*=UTF-8\'\'na%C3%AFve%20%E2%82%AC.pdf', 'naïve €.pdf'],
    ["attachment; filename*=iso-8859-1'de'%E4.txt; filename=a.txt", 'ä.txt'],
    ["attachment; filename*=UTF-8''%FF.txt; filename=a.txt", 'a.txt'],
    [`attachment; filename="${Buffer.from('Prüfung.pdf').toString('latin1')}"`, 'Prüfung.pdf'],
    ['attachment; filename="Pr\xfcfung.pdf"', 'Prüfung.pdf'],
    ['attachment; filename="a%20b.pdf"', 'a b.pdf'],
    ['attachment; filename="say \\"hi\\".txt"', 'say "hi".txt'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="C:\\Users\\x\\a.doc"', 'a.doc'],
    ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", 'passwd'],
    ["attachment; filename*=UTF-8''gpj.%E2%80%AEfdp.exe", 'gpj.fdp.exe'],
    ["attachment; filename*=UTF-8''a%00b%0A.txt", 'ab.txt'],
    ['attachment; filename=".."', 'from url.pdf'],
    ['attachment; filename=""', 'from url.pdf'],
    [`attachment; filename="${'"; filename="'.repeat(5000)}`, 'from url.pdf'],
  ]
  for (const [header, expected] of named) {
    it(`takes ${expected} from ${String(header).slice(0, 60)}`, () => {
      assert.equal(readResourceName(header, URL_WITH_NAME), expected)
    })
  }

  it('is null without a name in header and path', () => {
    assert.equal(readResourceName(undefined, new URL('https://public.example/a/?b')), null)
    assert.equal(readResourceName('attachment', new URL('https://public.example')), null)
  })

  it('keeps at most 255 characters with the extension, and invalid percent encodings', () => {
    const long = readResourceName(`attachment; filename="${'a'.repeat(300)}.pdf"`, URL_WITH_NAME)
    assert.equal(long, `${'a'.repeat(251)}.pdf`)
    assert.equal(readResourceName(undefined, new URL('https://public.example/100%.txt')), '100%.txt')
  })
})

describe('readMediaType', () => {
  it('splits type and charset in lower case', () => {
    assert.deepEqual(readMediaType('Text/HTML; Charset="Windows-1252"'), { type: 'text/html', charset: 'windows-1252' })
    assert.deepEqual(readMediaType('application/pdf'), { type: 'application/pdf', charset: null })
  })

  it('is null for an invalid type', () => {
    for (const header of [undefined, '', 'pdf', 'a/b/c', '<b>/x', `${'a'.repeat(200)}/b`]) {
      assert.equal(readMediaType(header), null)
    }
  })
})
