import assert from 'node:assert/strict'
import { test } from 'node:test'
import CFB from 'cfb'
import iconv from 'iconv-lite'
import {
  buildDocx,
  buildPptx,
  buildXlsx,
  links,
  sheetRows,
  slideShape,
  wordParagraph,
  xml,
} from '../../test/support/build-office.ts'
import { buildPptFile, pptNumbers, pptRecord, textShape } from '../../test/support/build-ppt-file.ts'
import { buildOldWordFile, buildWordFile } from '../../test/support/build-word-file.ts'
import { buildZip } from '../../test/support/build-zip.ts'
import { openMadeFile } from '../../test/support/open-made-file.ts'
import { readOffice } from '../../test/support/read-office.ts'
import { ApiError } from '../errors.ts'
import { readDocBytes, readPptBytes } from './read-office.ts'

const { read, textOf, refused } = openMadeFile(readDocBytes)

test('reads wide and narrow characters', async () => {
  assert.equal(await textOf(buildWordFile({ stories: { 0: 'Größe 漢字\rtwo\r' } })), 'Größe 漢字\n\ntwo\n\n')
  assert.equal(await textOf(buildWordFile({ stories: { 0: 'Größe\r' }, isNarrow: true })), 'Größe\n\n')
})

test('detects headings and titles by style, under any style name', async () => {
  const styles = [0, 1, 2, 62]
  const paragraphs = { 0: { style: 3, changes: [] }, 1: { style: 1, changes: [] }, 2: { style: 2, changes: [] } }
  const blocks = await read(buildWordFile({ stories: { 0: 'Quays\rOne\rTwo\rtext\r' }, styles, paragraphs }))
  assert.deepEqual(
    blocks.map(({ kind, level }) => [kind, level]),
    [
      ['heading', 1],
      ['heading', 1],
      ['heading', 2],
      ['paragraph', undefined],
    ],
  )
})

test('emits table rows and detects a header of only words', async () => {
  const cell = { style: 0, changes: [0x16, 0x24, 1] }
  const end = { style: 0, changes: [0x16, 0x24, 1, 0x17, 0x24, 1] }
  const paragraphs = { 0: cell, 1: cell, 2: end, 3: cell, 4: cell, 5: cell, 6: end }
  const stories = { 0: 'Item\x07Crates\x07\x07Jelly\rred\x0748\x07\x07after\r' }
  assert.deepEqual(
    (await read(buildWordFile({ stories, paragraphs }))).map(({ kind, text, beginsTable }) => [
      kind,
      text,
      beginsTable,
    ]),
    [
      ['table-header', 'Item | Crates\n', true],
      ['table-row', 'Jelly red | 48\n', undefined],
      ['blank', '\n', undefined],
      ['paragraph', 'after\n\n', undefined],
    ],
  )
})

test('reads the result of fields, not the instruction', async () => {
  const body =
    'See \x13 HYPERLINK "http://x" \x14the \x13PAGE\x14page\x15\x15 now\x1fhere\x1ethere\x0bline\r\x13 broken\rgoes on\r'
  assert.equal(await textOf(buildWordFile({ stories: { 0: body } })), 'See the page nowhere-there\nline\n\ngoes on\n\n')
})

test('skips deleted tracked text', async () => {
  assert.equal(await textOf(buildWordFile({ stories: { 0: 'keep drop keep\r' }, deleted: [5, 10] })), 'keep keep\n\n')
})

test('reads notes and comments after the body, and headers once at the end', async () => {
  const stories = { 0: 'body\x02\r', 1: '\x02 footnote\r', 2: 'head\rhead\r', 4: '\x05 comment\r', 5: 'endnote\r' }
  assert.equal(await textOf(buildWordFile({ stories })), 'body\n\nfootnote\n\nendnote\n\ncomment\n\nhead\n\n')
})

test('reads Word 6, 95 and 2 in the code page of their language', async () => {
  const body = iconv.encode('Склад B7\rхолодный\r', 'windows-1251')
  for (const magic of [0xa5dc, 0xa5db]) {
    assert.equal(await textOf(buildOldWordFile({ magic, body, language: 0x0419 })), 'Склад B7\n\nхолодный\n\n')
  }
  const western = iconv.encode('Señor Nuñez “café”\r', 'windows-1252')
  assert.equal(
    await textOf(buildOldWordFile({ magic: 0xa5dc, body: western, language: 0x0409 })),
    'Señor Nuñez “café”\n\n',
  )
})

test('reads table rows of Word 2', async () => {
  const body = Buffer.from('Item\x07Crates\x07\x07Jelly\x0748\x07\x07after\r')
  assert.equal(
    await textOf(buildOldWordFile({ magic: 0xa5db, body, language: 0x0409 })),
    'Item | Crates\nJelly | 48\n\nafter\n\n',
  )
})

test('reads an embedded Word file after the text without its headings', async () => {
  const outer = CFB.read(buildWordFile({ stories: { 0: 'outer\r' } }), { type: 'buffer' })
  const paragraphs = { 0: { style: 1, changes: [] } }
  const inner = CFB.read(buildWordFile({ stories: { 0: 'inner\r' }, styles: [0, 1], paragraphs }), { type: 'buffer' })
  for (const name of ['WordDocument', '1Table']) {
    CFB.utils.cfb_add(outer, `/ObjectPool/_1/${name}`, CFB.find(inner, name)?.content)
  }
  const blocks = await read(Buffer.from(CFB.write(outer, { type: 'buffer' }) as Buffer))
  assert.deepEqual(
    blocks.map(({ kind, text }) => [kind, text]),
    [
      ['paragraph', 'outer\n\n'],
      ['paragraph', 'inner\n\n'],
    ],
  )
})

test('numbers numbered paragraphs', async () => {
  const item = { style: 0, changes: [0x0b, 0x46, 1, 0] }
  const stories = { 0: 'plain\rfirst\rsecond\r' }
  const blocks = await read(buildWordFile({ stories, paragraphs: { 1: item, 2: item }, numbering: '(\0)' }))
  assert.deepEqual(
    blocks.map(({ kind, text }) => [kind, text]),
    [
      ['paragraph', 'plain\n\n'],
      ['list-item', '(1) first\n'],
      ['list-item', '(2) second\n'],
    ],
  )
})

test('rejects encrypted, empty and foreign files with a reason', async () => {
  assert.match(await refused(buildWordFile({ stories: { 0: 'secret\r' }, flags: 0x300 })), /password/)
  assert.match(await refused(buildWordFile({ stories: { 0: '\r\r' } })), /no text/)
  assert.match(await refused(Buffer.from('plain words')), /damaged/)
})

test('reads a truncated or changed file, or fails with a clear error', async () => {
  const whole = buildWordFile({
    stories: { 0: 'Words of a body\r'.repeat(20), 2: 'head\r' },
    styles: [0, 1],
    deleted: [3, 9],
  })
  for (let seed = 1; seed <= 400; seed += 1) {
    const file = seed % 4 === 0 ? whole.subarray(0, (seed * 7919) % whole.length) : Buffer.from(whole)
    for (let change = 0; change < seed % 9; change += 1) {
      if (file.length > 0) file[(seed * 104_729 + change * 1299_721) % file.length] = (seed * 31 + change * 57) % 256
    }
    try {
      await read(file)
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error instanceof Error ? error.stack : error))
    }
  }
})

test('rejects an overlapping text table before it fills the memory', async () => {
  const whole = buildWordFile({ stories: { 0: `${'a'.repeat(6000)}\r` } })
  const container = Buffer.from(whole)
  // The piece table: 2, its length, and the offsets of its only piece. The length is changed to
  // claim more than exists.
  const at = container.indexOf(Buffer.from([2, 16, 0, 0, 0]))
  container.writeUInt32LE(0x7fffffff, at + 9)
  assert.ok((await textOf(container)).length < 20_000)
})

const { eventsOf, read: readPresentation, refused: refusedPresentation } = openMadeFile(readPptBytes)

/** A reference to a text of the list of slides. */
function outlineShape(index: number): Buffer {
  return pptRecord(0xf004, [pptRecord(0xf00d, [pptRecord(0x0f9e, pptNumbers(index))])])
}

test('counts slides and reads them in show order, with reports and titles first', async () => {
  const slides = [
    { shapes: [textShape(4, 'box\rtwo'), textShape(0, 'First\vslide')] },
    { shapes: [outlineShape(1), outlineShape(0)], outline: [[0, 'Second'] as const, [1, 'one\rtwo'] as const] },
  ]
  assert.deepEqual(
    (await eventsOf(buildPptFile({ slides }))).map((event) =>
      'block' in event ? [event.block.page, event.block.kind, event.block.text] : 'page' in event ? event.page : event,
    ),
    [
      { pageCount: 2 },
      [1, 'heading', 'First\nslide\n\n'],
      [1, 'paragraph', 'box\n\n'],
      [1, 'paragraph', 'two\n\n'],
      { page: 1, method: 'text', characters: 23, confidence: null, message: null },
      [2, 'heading', 'Second\n\n'],
      [2, 'list-item', 'one\n'],
      [2, 'list-item', 'two\n'],
      { page: 2, method: 'text', characters: 16, confidence: null, message: null },
    ],
  )
})

test('gives reports for empty and hidden slides', async () => {
  const slides = [{ shapes: [] }, { shapes: [textShape(4, 'seen by nobody')], isHidden: true }]
  const pages = (await eventsOf(buildPptFile({ slides }))).flatMap((event) => ('page' in event ? [event.page] : []))
  assert.deepEqual(
    pages.map(({ method, message }) => [method, message]),
    [
      ['empty', null],
      ['text', 'hidden slide'],
    ],
  )
})

test('reads speaker notes and comments after their slide', async () => {
  const words = (text: string, instance: number) => pptRecord(0x0fba, Buffer.from(text, 'utf16le'), instance)
  const comment = pptRecord(0x2ee0, [words('Idris', 0), words('Check this', 1)])
  const tags = pptRecord(0x1388, [pptRecord(0x138a, [pptRecord(0x138b, comment)])])
  const slides = [{ shapes: [textShape(0, 'T')], notes: 'Speak slowly', records: [tags] }]
  const texts = (await readPresentation(buildPptFile({ slides }))).map(({ text }) => text.trim())
  assert.deepEqual(texts, ['T', 'Notes: Speak slowly', 'Comment by Idris: Check this'])
})

test('reads table cells as rows by position', async () => {
  const cell = (left: number, top: number, text: string) =>
    textShape(4, text, [pptRecord(0xf00f, pptNumbers(left, top, left + 9, top + 9))])
  const property = Buffer.alloc(6)
  property.writeUInt16LE(0x039f, 0)
  property.writeUInt32LE(1, 2)
  const group = pptRecord(0xf004, [pptRecord(0xf122, property, 1)])
  const cells = [cell(10, 20, '48'), cell(0, 0, 'Item'), cell(10, 0, 'Crates'), cell(0, 20, 'Jelly')]
  const blocks = await readPresentation(buildPptFile({ slides: [{ shapes: [pptRecord(0xf003, [group, ...cells])] }] }))
  assert.deepEqual(
    blocks.map(({ kind, text, beginsTable }) => [kind, text, beginsTable]),
    [
      ['table-header', 'Item | Crates\n', true],
      ['table-row', 'Jelly | 48\n', undefined],
      ['blank', '\n', undefined],
    ],
  )
})

test('puts a cell over columns in the first column and repeats a cell over rows', async () => {
  const cell = (text: string, edges: readonly [number, number, number, number]) =>
    textShape(4, text, [pptRecord(0xf00f, pptNumbers(...edges))])
  const property = Buffer.alloc(6)
  property.writeUInt16LE(0x039f, 0)
  property.writeUInt32LE(1, 2)
  const cells = [
    cell('Port', [0, 0, 10, 20]),
    cell('2026', [10, 0, 30, 10]),
    cell('Ships', [10, 10, 20, 20]),
    cell('Tons', [20, 10, 30, 20]),
  ]
  const group = [pptRecord(0xf004, [pptRecord(0xf122, property, 1)]), ...cells]
  const blocks = await readPresentation(buildPptFile({ slides: [{ shapes: [pptRecord(0xf003, group)] }] }))
  assert.deepEqual(
    blocks.map(({ text }) => text),
    ['Port | 2026\n', 'Port | Ships | Tons\n', '\n'],
  )
})

test('orders shapes by position, grouped shapes together, overlapping shapes as drawn', async () => {
  const at = (top: number, left: number) => {
    const place = Buffer.alloc(8)
    for (const [index, edge] of [top, left, left + 90, top + 10].entries()) place.writeInt16LE(edge, 2 * index)
    return pptRecord(0xf010, place)
  }
  const inner = (text: string, left: number) =>
    textShape(4, text, [pptRecord(0xf00f, pptNumbers(left, 0, left + 5, 5))])
  const group = pptRecord(0xf003, [pptRecord(0xf004, [at(50, 0)]), inner('three', 20), inner('two', 0)])
  const texts = async (shapes: Buffer[]) =>
    (await readPresentation(buildPptFile({ slides: [{ shapes }] }))).map(({ text }) => text.trim())
  const placed = [textShape(4, 'four', [at(90, 0)]), group, textShape(4, 'one', [at(0, 0)])]
  assert.deepEqual(await texts(placed), ['one', 'two', 'three', 'four'])
  assert.deepEqual(await texts([...placed, textShape(4, 'five')]), ['four', 'two', 'three', 'one', 'five'])
  const over = [
    textShape(4, 'four', [at(90, 0)]),
    textShape(4, 'one', [at(0, 0)]),
    textShape(4, 'over one', [at(1, 1)]),
  ]
  assert.deepEqual(await texts(over), ['four', 'one', 'over one'])
})

test('ignores the asterisk of a slide number', async () => {
  const records = [pptRecord(0x0fa0, Buffer.from('Page * of 5*', 'utf16le')), pptRecord(0x0fd8, pptNumbers(5))]
  const shape = pptRecord(0xf004, [pptRecord(0xf00d, records)])
  assert.equal((await readPresentation(buildPptFile({ slides: [{ shapes: [shape] }] })))[0]?.text, 'Page  of 5*\n\n')
})

test('reads a repeated footer once', async () => {
  const footer = pptRecord(0x0fd9, [pptRecord(0x0fba, Buffer.from('Velmora 2031', 'utf16le'), 2)])
  const slide = { shapes: [textShape(4, 'x')], records: [footer] }
  assert.equal(
    (await readPresentation(buildPptFile({ slides: [slide, slide] }))).filter(({ text }) => /Velmora/.test(text))
      .length,
    1,
  )
})

test('reads an embedded Word document on its slide without its headings', async () => {
  const embedded = buildWordFile({
    stories: { 0: 'Inner\rwords\r' },
    styles: [0, 1],
    paragraphs: { 0: { style: 1, changes: [] } },
  })
  const object = pptRecord(0xf004, [pptRecord(0xf011, [pptRecord(0x0bc1, pptNumbers(1))])])
  const blocks = await readPresentation(
    buildPptFile({ slides: [{ shapes: [object, textShape(0, 'Outer')] }], embedded }),
  )
  assert.deepEqual(
    blocks.map(({ kind, text, page }) => [kind, text.trim(), page]),
    [
      ['heading', 'Outer', 1],
      ['paragraph', 'Inner', 1],
      ['paragraph', 'words', 1],
    ],
  )
})

test('warns about an unreadable embedded file and continues', async () => {
  const object = pptRecord(0xf004, [pptRecord(0xf011, [pptRecord(0x0bc1, pptNumbers(1))])])
  const events = await eventsOf(
    buildPptFile({
      slides: [{ shapes: [object, textShape(0, 'Outer')] }],
      embedded: Buffer.from('\xd0\xcf nonsense', 'latin1'),
    }),
  )
  assert.ok(events.some((event) => 'warning' in event && /embedded file was not read/.test(event.warning)))
  assert.ok(events.some((event) => 'block' in event && event.block.text === 'Outer\n\n'))
})

test('rejects encrypted files, files without text and PowerPoint 95 with a reason', async () => {
  const slides = [{ shapes: [textShape(0, 'secret')] }]
  assert.match(await refusedPresentation(buildPptFile({ slides, isEncrypted: true })), /password/)
  assert.match(await refusedPresentation(buildPptFile({ slides: [{ shapes: [] }] })), /no text/)
  const container = CFB.utils.cfb_new()
  CFB.utils.cfb_add(container, '/PP40', Buffer.from('old'))
  assert.match(
    await refusedPresentation(Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)),
    /PowerPoint 95/,
  )
})

test('reads the rest of a truncated file and reports the truncation', async () => {
  const slides = [0, 1].map((index) => ({
    shapes: [textShape(0, `Slide ${index}`), textShape(1, 'word '.repeat(400))],
  }))
  const whole = buildPptFile({ slides })
  assert.ok(!(await eventsOf(whole)).some((event) => 'cut' in event))
  const events = await eventsOf(whole.subarray(0, Math.floor(whole.length * 0.7)))
  assert.deepEqual(events.at(-1), {
    cut: 'The PowerPoint file is damaged: its end is missing, so the file is probably truncated.',
  })
})

test('reads a truncated or changed presentation, or fails with a clear error', async () => {
  const slides = Array.from({ length: 5 }, (_, index) => ({
    shapes: [textShape(0, `Title ${index}`), textShape(1, 'a\rb')],
    notes: 'n',
  }))
  const whole = buildPptFile({ slides })
  for (let seed = 1; seed <= 400; seed += 1) {
    const file = seed % 4 === 0 ? whole.subarray(0, (seed * 7919) % whole.length) : Buffer.from(whole)
    for (let change = 0; change < seed % 9; change += 1) {
      if (file.length > 0) file[(seed * 104_729 + change * 1_299_721) % file.length] = (seed * 31 + change * 57) % 256
    }
    try {
      await readPresentation(file)
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error instanceof Error ? error.stack : error))
    }
  }
})

async function refuses(bytes: Buffer, message: RegExp): Promise<void> {
  await assert.rejects(readOffice(bytes), { code: 'unprocessable_document', message })
}

test('reads files in strict Open XML', async () => {
  const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
  const bytes = buildZip({
    '_rels/.rels': links({ rId1: ['officeDocument', '/word/document.xml'] }, strict),
    'word/document.xml':
      '<document xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"><body><p><r><t>Strict</t></r></p></body></document>',
  })
  assert.equal((await readOffice(bytes)).text, 'Strict\n\n')
})

test('finds parts by their usual names without relationships', async () => {
  const document = xml('w:document', `<w:body>${wordParagraph('Bare')}</w:body>`)
  assert.equal((await readOffice(buildZip({ 'word/document.xml': document }))).text, 'Bare\n\n')
})

test('decodes parts in UTF-16 and declared single-byte encodings', async () => {
  const document = '<document><body><p><r><t>Größe</t></r></p></body></document>'
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(document, 'utf16le')])
  const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${document}`, 'latin1')
  for (const bytes of [utf16, latin]) {
    assert.equal((await readOffice(buildZip({ 'word/document.xml': bytes }))).text, 'Größe\n\n')
  }
})

test('detects an encrypted package as password-protected', () =>
  refuses(
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(3000),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]),
    /password protected/,
  ))

test('rejects other packages and packages without text', async () => {
  await refuses(Buffer.alloc(0), /empty/)
  await refuses(buildZip({ 'readme.txt': 'hello' }), /ZIP archive, not a Word/)
  await refuses(buildDocx('<w:p/>'), /no text/)
  await refuses(buildPptx([{ shapes: '' }]), /no text/)
  await refuses(buildXlsx([{ name: 'Empty', content: sheetRows([]) }]), /no text/)
  await refuses(
    buildZip({ '_rels/.rels': links({ r: ['officeDocument', 'xl/workbook.bin'] }), 'xl/workbook.bin': 'x' }),
    /XLSB/,
  )
})

test('names part and line of malformed XML and keeps the text before', async () => {
  const bytes = buildZip({ 'word/document.xml': `<w:document>\n<w:body>${wordParagraph('Kept')}\n<w:p </w:body>` })
  await refuses(bytes, /word\/document\.xml is broken at line 3, column \d+/)
})

test('warns about a damaged optional part', async () => {
  const bytes = buildDocx(
    wordParagraph('Text'),
    { 'word/styles.xml': '<w:styles><' },
    { rId1: ['styles', 'styles.xml'] },
  )
  const { text, warnings } = await readOffice(bytes)
  assert.equal(text, 'Text\n\n')
  assert.match(warnings.join(), /word\/styles\.xml is broken/)
})

test('warns about an unreadable embedded file', async () => {
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

test('unwraps an embedded OLE object', async () => {
  const container = CFB.utils.cfb_new()
  CFB.utils.cfb_add(container, '/Package', buildDocx(wordParagraph('Wrapped')))
  const object = '<w:p><w:r><w:t>Host</w:t><w:object><o:OLEObject r:id="r1"/></w:object></w:r></w:p>'
  const wrapper = Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)
  const bytes = buildDocx(object, { 'word/oleObject1.bin': wrapper }, { r1: ['oleObject', 'oleObject1.bin'] })
  assert.equal((await readOffice(bytes)).text, 'Host\n\nWrapped\n\n')
})

test('reads Word and PowerPoint files from before 2007 inside a newer file', async () => {
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

test('names an embedded file of an unsupported type', async () => {
  const object = '<w:p><w:r><w:t>Host</w:t><w:object><o:OLEObject r:id="r1"/></w:object></w:r></w:p>'
  const bytes = buildDocx(object, { 'word/a.bin': Buffer.from('%PDF-1.4') }, { r1: ['oleObject', 'a.bin'] })
  const { text, warnings } = await readOffice(bytes)
  assert.equal(text, 'Host\n\n')
  assert.deepEqual(warnings, ['An embedded file has an unsupported type and was not read.'])
})

test('never expands entities', async () => {
  const laughs = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`)
  const doctype = `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs.join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]>`
  const document = `${doctype}<w:document><w:body><w:p><w:r><w:t>A &l9; B &f; C</w:t></w:r></w:p></w:body></w:document>`
  assert.equal((await readOffice(buildZip({ 'word/document.xml': document }))).text, 'A &l9; B &f; C\n\n')
})

test('rejects endlessly nested elements and tables', async () => {
  await refuses(buildDocx('<w:p>'.repeat(100_000) + '</w:p>'.repeat(100_000)), /nests elements too deeply/)
  const tables = '<w:tbl><w:tr><w:tc>'.repeat(50) + '</w:tc></w:tr></w:tbl>'.repeat(50)
  await refuses(buildDocx(tables), /tables are nested too deeply/)
})

test('rejects a part that unpacks to a thousand times its size', async () => {
  const text = Buffer.alloc(40 * 1024 * 1024, 'A')
  const document = Buffer.concat([Buffer.from('<w:document><w:body><w:p><w:r><w:t>'), text])
  await refuses(buildZip({ 'word/document.xml': document }), /too large when unpacked/)
})

test('returns text or a plain error for any truncation or changed byte', async () => {
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
          assert.match(String(error), /^ApiError: (The (file|sheet)|Slide \d+) .*\.$/)
        })
      }
    }
  }
})
