import assert from 'node:assert/strict'
import { test } from 'node:test'
import CFB from 'cfb'
import {
  buildDocx,
  buildPptx,
  buildXlsx,
  links,
  sheetRows,
  slideShape,
  wordParagraph,
  xml,
} from '../../../test/support/build-office.ts'
import { buildPptFile, textShape } from '../../../test/support/build-ppt-file.ts'
import { buildWordFile } from '../../../test/support/build-word-file.ts'
import { buildZip } from '../../../test/support/build-zip.ts'
import { readOffice } from '../../../test/support/read-office.ts'

async function refuses(bytes: Buffer, message: RegExp): Promise<void> {
  await assert.rejects(readOffice(bytes), { code: 'unprocessable_document', message })
}

test('files of the strict form of the standard are read like the others', async () => {
  const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
  const bytes = buildZip({
    '_rels/.rels': links({ rId1: ['officeDocument', '/word/document.xml'] }, strict),
    'word/document.xml':
      '<document xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"><body><p><r><t>Strict</t></r></p></body></document>',
  })
  assert.equal((await readOffice(bytes)).text, 'Strict\n\n')
})

test('a file without relationships is found by the usual names', async () => {
  const document = xml('w:document', `<w:body>${wordParagraph('Bare')}</w:body>`)
  assert.equal((await readOffice(buildZip({ 'word/document.xml': document }))).text, 'Bare\n\n')
})

test('parts in UTF-16 and in a declared single-byte encoding are decoded', async () => {
  const document = '<document><body><p><r><t>Größe</t></r></p></body></document>'
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(document, 'utf16le')])
  const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${document}`, 'latin1')
  for (const bytes of [utf16, latin]) {
    assert.equal((await readOffice(buildZip({ 'word/document.xml': bytes }))).text, 'Größe\n\n')
  }
})

test('a compound file with an encrypted package is told as a password', () =>
  refuses(
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(3000),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]),
    /password protected/,
  ))

test('files that are none of the three, or have no text, say so', async () => {
  await refuses(Buffer.alloc(0), /empty/)
  await refuses(buildZip({ 'readme.txt': 'hello' }), /zip archive, but no Word/)
  await refuses(buildDocx('<w:p/>'), /no text/)
  await refuses(buildPptx([{ shapes: '' }]), /no text/)
  await refuses(buildXlsx([{ name: 'Empty', content: sheetRows([]) }]), /no text/)
  await refuses(
    buildZip({ '_rels/.rels': links({ r: ['officeDocument', 'xl/workbook.bin'] }), 'xl/workbook.bin': 'x' }),
    /XLSB/,
  )
})

test('broken XML names the part and the line, and what came before it stays read', async () => {
  const bytes = buildZip({ 'word/document.xml': `<w:document>\n<w:body>${wordParagraph('Kept')}\n<w:p </w:body>` })
  await refuses(bytes, /word\/document\.xml is broken at line 3, column \d+/)
})

test('a broken part that the text can do without is a warning', async () => {
  const bytes = buildDocx(
    wordParagraph('Text'),
    { 'word/styles.xml': '<w:styles><' },
    { rId1: ['styles', 'styles.xml'] },
  )
  const { text, warnings } = await readOffice(bytes)
  assert.equal(text, 'Text\n\n')
  assert.match(warnings.join(), /word\/styles\.xml is broken/)
})

test('an embedded file that cannot be read is a warning', async () => {
  const object = '<w:p><w:r><w:t>Host</w:t><o:OLEObject r:id="r1"/></w:r></w:p>'
  const bytes = buildDocx(
    object,
    { 'word/in.docx': Buffer.from('PK\x03\x04 nonsense') },
    { r1: ['package', 'in.docx'] },
  )
  const { text, warnings } = await readOffice(bytes)
  assert.equal(text, 'Host\n\n')
  assert.match(warnings.join(), /An embedded file was not read\. The file is damaged/)
})

test('an embedded object of the older kind is unwrapped', async () => {
  const container = CFB.utils.cfb_new()
  CFB.utils.cfb_add(container, '/Package', buildDocx(wordParagraph('Wrapped')))
  const object = '<w:p><w:r><w:t>Host</w:t><w:object><o:OLEObject r:id="r1"/></w:object></w:r></w:p>'
  const wrapper = Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)
  const bytes = buildDocx(object, { 'word/oleObject1.bin': wrapper }, { r1: ['oleObject', 'oleObject1.bin'] })
  assert.equal((await readOffice(bytes)).text, 'Host\n\nWrapped\n\n')
})

test('the text of a Word and of a PowerPoint file from before 2007 inside a newer one is read', async () => {
  const word = buildWordFile({ stories: { 0: 'Minutes of the orchard\r' } })
  const slides = buildPptFile({ slides: [{ shapes: [textShape(0, 'Harvest plan')] }] })
  const objects = ['r1', 'r2'].map(
    (id) => `<w:p><w:r><w:t>Host</w:t><w:object><o:OLEObject r:id="${id}"/></w:object></w:r></w:p>`,
  )
  const bytes = buildDocx(
    objects.join(''),
    { 'word/oleObject1.bin': word, 'word/oleObject2.bin': slides },
    { r1: ['oleObject', 'oleObject1.bin'], r2: ['oleObject', 'oleObject2.bin'] },
  )
  const { blocks, warnings } = await readOffice(bytes)
  assert.deepEqual(warnings, [])
  assert.deepEqual(
    blocks.map(({ text, kind }) => `${kind} ${text.trim()}`),
    ['paragraph Host', 'paragraph Minutes of the orchard', 'paragraph Host', 'paragraph Harvest plan'],
  )
})

test('an embedded file of another kind is named in a warning, not called damaged', async () => {
  const object = '<w:p><w:r><w:t>Host</w:t><w:object><o:OLEObject r:id="r1"/></w:object></w:r></w:p>'
  const bytes = buildDocx(object, { 'word/a.bin': Buffer.from('%PDF-1.4') }, { r1: ['oleObject', 'a.bin'] })
  const { text, warnings } = await readOffice(bytes)
  assert.equal(text, 'Host\n\n')
  assert.deepEqual(warnings, ['An embedded file is of a kind that is not read inside others.'])
})

test('entities are not expanded, whatever they are defined as', async () => {
  const laughs = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`)
  const doctype = `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs.join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]>`
  const document = `${doctype}<w:document><w:body><w:p><w:r><w:t>A &l9; B &f; C</w:t></w:r></w:p></w:body></w:document>`
  assert.equal((await readOffice(buildZip({ 'word/document.xml': document }))).text, 'A &l9; B &f; C\n\n')
})

test('elements and tables in each other without end are refused', async () => {
  await refuses(buildDocx('<w:p>'.repeat(100_000) + '</w:p>'.repeat(100_000)), /nests its elements too deeply/)
  const tables = '<w:tbl><w:tr><w:tc>'.repeat(50) + '</w:tc></w:tr></w:tbl>'.repeat(50)
  await refuses(buildDocx(tables), /tables lie in each other too deeply/)
})

test('a part that unpacks to a thousand times its size is refused', async () => {
  const text = Buffer.alloc(40 * 1024 * 1024, 'A')
  const document = Buffer.concat([Buffer.from('<w:document><w:body><w:p><w:r><w:t>'), text])
  await refuses(buildZip({ 'word/document.xml': document }), /too large when unpacked/)
})

test('any cut and any changed byte ends in text or in a plain sentence', async () => {
  const whole = [
    buildDocx(wordParagraph('One') + wordParagraph('Two')),
    buildPptx([{ shapes: slideShape(['One', 'Two']) }]),
    buildXlsx([{ name: 'S', content: sheetRows([['One', 2]]) }]),
  ]
  for (const file of whole) {
    for (let at = 0; at < file.length; at += 37) {
      const changed = Buffer.from(file)
      changed[at] = (changed[at] ?? 0) ^ 0x55
      for (const bytes of [changed, file.subarray(0, at)]) {
        await readOffice(bytes).catch((error: unknown) => {
          assert.match(String(error), /^ApiError: The (file|slide|sheet) .*\.$/)
        })
      }
    }
  }
})
