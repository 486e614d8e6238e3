import assert from 'node:assert/strict'
import { test } from 'node:test'
import CFB from 'cfb'
import iconv from 'iconv-lite'
import { buildOldWordFile, buildWordFile } from '../../../test/support/build-word-file.ts'
import { openMadeFile } from '../../../test/support/open-made-file.ts'
import { ApiError } from '../../errors.ts'
import { readDocBytes } from './read-doc.ts'

const { read, textOf, refused } = openMadeFile(readDocBytes)

test('text in wide and in narrow characters is read', async () => {
  assert.equal(await textOf(buildWordFile({ stories: { 0: 'Größe 漢字\rtwo\r' } })), 'Größe 漢字\n\ntwo\n\n')
  assert.equal(await textOf(buildWordFile({ stories: { 0: 'Größe\r' }, isNarrow: true })), 'Größe\n\n')
})

test('paragraphs in the styles of headings and titles are headings, whatever the styles are called', async () => {
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

test('the rows of a table are blocks, the first with words alone is its header', async () => {
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

test('of fields the result is read, not the instruction', async () => {
  const body =
    'See \x13 HYPERLINK "http://x" \x14the \x13PAGE\x14page\x15\x15 now\x1fhere\x1ethere\x0bline\r\x13 broken\rgoes on\r'
  assert.equal(await textOf(buildWordFile({ stories: { 0: body } })), 'See the page nowhere-there\nline\n\ngoes on\n\n')
})

test('what was deleted under tracking is left out', async () => {
  assert.equal(await textOf(buildWordFile({ stories: { 0: 'keep drop keep\r' }, deleted: [5, 10] })), 'keep keep\n\n')
})

test('notes and comments follow the body, headers come last and once', async () => {
  const stories = { 0: 'body\x02\r', 1: '\x02 footnote\r', 2: 'head\rhead\r', 4: '\x05 comment\r', 5: 'endnote\r' }
  assert.equal(await textOf(buildWordFile({ stories })), 'body\n\nfootnote\n\nendnote\n\ncomment\n\nhead\n\n')
})

test('Word 6, 95 and 2 are read in the code page of their language', async () => {
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

test('rows of a table of Word 2 end with a mark of their own', async () => {
  const body = Buffer.from('Item\x07Crates\x07\x07Jelly\x0748\x07\x07after\r')
  assert.equal(
    await textOf(buildOldWordFile({ magic: 0xa5db, body, language: 0x0409 })),
    'Item | Crates\nJelly | 48\n\nafter\n\n',
  )
})

test('an embedded Word file is read after the text, its headings are none of the document', async () => {
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

test('numbered paragraphs have their numbers', async () => {
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

test('a file behind a password, an empty one and one that is no Word file are refused with their reason', async () => {
  assert.match(await refused(buildWordFile({ stories: { 0: 'secret\r' }, flags: 0x300 })), /password/)
  assert.match(await refused(buildWordFile({ stories: { 0: '\r\r' } })), /no text/)
  assert.match(await refused(Buffer.from('plain words')), /damaged/)
})

test('a file cut off or changed anywhere gives text or a clear error', async () => {
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

test('a table of text that repeats itself is refused before it fills the memory', async () => {
  const whole = buildWordFile({ stories: { 0: `${'a'.repeat(6000)}\r` } })
  const container = Buffer.from(whole)
  // The table of pieces: 2, its length, and the places of its only piece. It is made to claim more than there is.
  const at = container.indexOf(Buffer.from([2, 16, 0, 0, 0]))
  container.writeUInt32LE(0x7fffffff, at + 9)
  assert.ok((await textOf(container)).length < 20_000)
})
