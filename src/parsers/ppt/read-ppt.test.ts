import assert from 'node:assert/strict'
import { test } from 'node:test'
import CFB from 'cfb'
import { buildPptFile, pptNumbers, pptRecord, textShape } from '../../../test/support/build-ppt-file.ts'
import { buildWordFile } from '../../../test/support/build-word-file.ts'
import { openMadeFile } from '../../../test/support/open-made-file.ts'
import { ApiError } from '../../errors.ts'
import { readPptBytes } from './read-ppt.ts'

const { eventsOf, read, refused } = openMadeFile(readPptBytes)

/** A reference to a text of the list of slides. */
function outlineShape(index: number): Buffer {
  return pptRecord(0xf004, [pptRecord(0xf00d, [pptRecord(0x0f9e, pptNumbers(index))])])
}

test('slides are counted, and come in the order of the show, each with its receipt, titles first', async () => {
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

test('an empty slide and a hidden one are accounted for', async () => {
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

test('the notes of the speaker and comments follow their slide', async () => {
  const words = (text: string, instance: number) => pptRecord(0x0fba, Buffer.from(text, 'utf16le'), instance)
  const comment = pptRecord(0x2ee0, [words('Idris', 0), words('Check this', 1)])
  const tags = pptRecord(0x1388, [pptRecord(0x138a, [pptRecord(0x138b, comment)])])
  const slides = [{ shapes: [textShape(0, 'T')], notes: 'Speak slowly', records: [tags] }]
  const texts = (await read(buildPptFile({ slides }))).map(({ text }) => text.trim())
  assert.deepEqual(texts, ['T', 'Notes: Speak slowly', 'Comment by Idris: Check this'])
})

test('the cells of a table are rows by their places', async () => {
  const cell = (left: number, top: number, text: string) =>
    textShape(4, text, [pptRecord(0xf00f, pptNumbers(left, top, left + 9, top + 9))])
  const property = Buffer.alloc(6)
  property.writeUInt16LE(0x039f, 0)
  property.writeUInt32LE(1, 2)
  const group = pptRecord(0xf004, [pptRecord(0xf122, property, 1)])
  const cells = [cell(10, 20, '48'), cell(0, 0, 'Item'), cell(10, 0, 'Crates'), cell(0, 20, 'Jelly')]
  const blocks = await read(buildPptFile({ slides: [{ shapes: [pptRecord(0xf003, [group, ...cells])] }] }))
  assert.deepEqual(
    blocks.map(({ kind, text, beginsTable }) => [kind, text, beginsTable]),
    [
      ['table-header', 'Item | Crates\n', true],
      ['table-row', 'Jelly | 48\n', undefined],
      ['blank', '\n', undefined],
    ],
  )
})

test('a cell over several columns is in the first of them, one over several rows in each', async () => {
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
  const blocks = await read(buildPptFile({ slides: [{ shapes: [pptRecord(0xf003, group)] }] }))
  assert.deepEqual(
    blocks.map(({ text }) => text),
    ['Port | 2026\n', 'Port | Ships | Tons\n', '\n'],
  )
})

test('shapes come as they lie on the slide, those of a group together, and as they were drawn where that is not known or one lies over another', async () => {
  const at = (top: number, left: number) => {
    const place = Buffer.alloc(8)
    for (const [index, edge] of [top, left, left + 90, top + 10].entries()) place.writeInt16LE(edge, 2 * index)
    return pptRecord(0xf010, place)
  }
  const inner = (text: string, left: number) =>
    textShape(4, text, [pptRecord(0xf00f, pptNumbers(left, 0, left + 5, 5))])
  const group = pptRecord(0xf003, [pptRecord(0xf004, [at(50, 0)]), inner('three', 20), inner('two', 0)])
  const texts = async (shapes: Buffer[]) =>
    (await read(buildPptFile({ slides: [{ shapes }] }))).map(({ text }) => text.trim())
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

test('a star that stands for the number of the slide is no text', async () => {
  const records = [pptRecord(0x0fa0, Buffer.from('Page * of 5*', 'utf16le')), pptRecord(0x0fd8, pptNumbers(5))]
  const shape = pptRecord(0xf004, [pptRecord(0xf00d, records)])
  assert.equal((await read(buildPptFile({ slides: [{ shapes: [shape] }] })))[0]?.text, 'Page  of 5*\n\n')
})

test('a footer that stands on every slide comes once', async () => {
  const footer = pptRecord(0x0fd9, [pptRecord(0x0fba, Buffer.from('Velmora 2031', 'utf16le'), 2)])
  const slide = { shapes: [textShape(4, 'x')], records: [footer] }
  assert.equal(
    (await read(buildPptFile({ slides: [slide, slide] }))).filter(({ text }) => /Velmora/.test(text)).length,
    1,
  )
})

test('an embedded Word document is read on its slide, its headings are none of the slide', async () => {
  const embedded = buildWordFile({
    stories: { 0: 'Inner\rwords\r' },
    styles: [0, 1],
    paragraphs: { 0: { style: 1, changes: [] } },
  })
  const object = pptRecord(0xf004, [pptRecord(0xf011, [pptRecord(0x0bc1, pptNumbers(1))])])
  const blocks = await read(buildPptFile({ slides: [{ shapes: [object, textShape(0, 'Outer')] }], embedded }))
  assert.deepEqual(
    blocks.map(({ kind, text, page }) => [kind, text.trim(), page]),
    [
      ['heading', 'Outer', 1],
      ['paragraph', 'Inner', 1],
      ['paragraph', 'words', 1],
    ],
  )
})

test('an embedded file that cannot be read costs only itself, and is named', async () => {
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

test('a file behind a password, one without text and one of PowerPoint 95 are refused with their reason', async () => {
  const slides = [{ shapes: [textShape(0, 'secret')] }]
  assert.match(await refused(buildPptFile({ slides, isEncrypted: true })), /password/)
  assert.match(await refused(buildPptFile({ slides: [{ shapes: [] }] })), /no text/)
  const container = CFB.utils.cfb_new()
  CFB.utils.cfb_add(container, '/PP40', Buffer.from('old'))
  assert.match(await refused(Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)), /PowerPoint 95/)
})

test('a file that is cut off says so after what is left of it', async () => {
  const slides = [0, 1].map((index) => ({
    shapes: [textShape(0, `Slide ${index}`), textShape(1, 'word '.repeat(400))],
  }))
  const whole = buildPptFile({ slides })
  assert.ok(!(await eventsOf(whole)).some((event) => 'cut' in event))
  const events = await eventsOf(whole.subarray(0, Math.floor(whole.length * 0.7)))
  assert.deepEqual(events.at(-1), {
    cut: 'The PowerPoint file is damaged: its end is missing, so it was probably cut off.',
  })
})

test('a file cut off or changed anywhere gives text or a clear error', async () => {
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
      await read(file)
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error instanceof Error ? error.stack : error))
    }
  }
})
