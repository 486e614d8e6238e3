import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { drawPdfPage } from '../../../src/parsers/images/draw-pdf-page.ts'
import type { Block, ParseEvent, SourceFile } from '../../../src/parsers/parse-event.ts'
import { readPdf } from '../../../src/parsers/pdf/read-pdf.ts'
import { renderPage } from '../../../src/parsers/pdf/render-page.ts'
import { pdfStream } from '../../support/assemble-pdf.ts'
import { buildPdf, type FixturePage, lines } from '../../support/build-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'read-pdf-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let files = 0

function write(data: Buffer): SourceFile {
  const path = join(folder, `${files++}.pdf`)
  writeFileSync(path, data)
  return { path, bytes: data.length, filename: 'a.pdf', declaredType: null }
}

/** The events after the page count. */
async function read(data: Buffer): Promise<ParseEvent[]> {
  const events: ParseEvent[] = []
  for await (const event of readPdf(write(data))) events.push(event)
  assert.ok('pageCount' in (events.shift() ?? {}))
  return events
}

function blocksOf(events: readonly ParseEvent[]): Block[] {
  return events.flatMap((event) => ('block' in event && event.block.kind !== 'blank' ? [event.block] : []))
}

async function readBlocks(page: FixturePage): Promise<Block[]> {
  return blocksOf(await read(buildPdf([page])))
}

async function readWords(page: FixturePage): Promise<string> {
  return (await readBlocks(page))
    .map((block) => block.text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

const LEFT = [
  'The left column tells of boats',
  'that leave the harbour early',
  'and come home when it is dark,',
  'with fish for the whole town.',
]
const RIGHT = [
  'The right column tells of hills',
  'where sheep graze all summer',
  'and shepherds sleep in huts',
  'that are made of stone and turf.',
]
const COLUMNS = [...LEFT, ...RIGHT].join(' ')

describe('reading a PDF', () => {
  it('says how many pages there are before it gives the first', async () => {
    const first = await readPdf(write(buildPdf([{ content: '' }, { content: '' }]))).next()
    assert.deepEqual(first.value, { pageCount: 2 })
  })

  it('gives paragraphs, the page of each, and a report for each page', async () => {
    const events = await read(
      buildPdf([
        { content: lines(['First page.'], { x: 72, y: 700 }) },
        { content: lines(['Second page.'], { x: 72, y: 700 }) },
      ]),
    )
    assert.deepEqual(blocksOf(events), [
      { text: 'First page.\n', kind: 'paragraph', page: 1 },
      { text: 'Second page.\n', kind: 'paragraph', page: 2 },
    ])
    const reports = events.flatMap((event) => ('page' in event ? [event.page] : []))
    assert.deepEqual(reports, [
      { page: 1, method: 'text', characters: 13, confidence: null, message: null },
      { page: 2, method: 'text', characters: 14, confidence: null, message: null },
    ])
  })

  it('counts in each report the characters of its page', async () => {
    const events = await read(buildPdf([{ content: lines(['One.', 'Two.'], { x: 72, y: 700, leading: 60 }) }]))
    const length = events.flatMap((event) => ('block' in event ? [event.block.text] : [])).join('').length
    assert.ok(events.some((event) => 'page' in event && event.page.characters === length))
  })

  it('joins lines that were wrapped, and puts divided words together', async () => {
    const content = lines(
      [
        'The quick brown fox jumps over the lazy dog and the exam-',
        'ple goes on over a second line until it reaches its very',
        'end.',
      ],
      { x: 72, y: 700 },
    )
    const [block] = await readBlocks({ content })
    assert.equal(
      block?.text,
      'The quick brown fox jumps over the lazy dog and the example goes on over a second line until it reaches its very end.\n',
    )
  })

  it('keeps a written hyphen', async () => {
    const content = lines(['A well-known rule of the house is that whatever is well-', 'known needs no proof.'], {
      x: 72,
      y: 700,
    })
    assert.match(await readWords({ content }), /whatever is well-known needs/)
  })

  it('keeps the hyphen of an address of the web', async () => {
    const content = lines(
      ['See the page at https://www.example.org/2024/annual-', 'report.html and no other page for all of it.'],
      {
        x: 72,
        y: 700,
      },
    )
    assert.match(await readWords({ content }), /2024\/annual-report\.html and/)
  })

  it('keeps the line ends of an address', async () => {
    const [block] = await readBlocks({
      content: lines(['Harbour Office', '12 Quay Street, second floor, at the back', 'Oslo'], { x: 72, y: 700 }),
    })
    assert.match(block?.text ?? '', /^Harbour Office\n12 Quay/)
  })

  it('detects headings by size and weight', async () => {
    const body = lines(['Some text of the first section that is set in the size of the body.'], { x: 72, y: 660 })
    const content = [
      lines(['Annual Report'], { x: 72, y: 720, size: 24 }),
      lines(['1 Harbour'], { x: 72, y: 680, size: 14 }),
      body,
      lines(['Boats'], { x: 72, y: 640, font: 'F2' }),
      lines(['More text of the body, which goes on for a while so that it is the most.'], { x: 72, y: 624 }),
    ].join('\n')
    const headings = (await readBlocks({ content })).filter((block) => block.kind === 'heading')
    assert.deepEqual(
      headings.map(({ heading, level }) => [heading, level]),
      [
        ['Annual Report', 1],
        ['1 Harbour', 2],
        ['Boats', 3],
      ],
    )
  })

  it('detects headings by bookmarks', async () => {
    const content = lines(['Harbour rules', 'Boats are to be moored by night, and all lights to be put out by ten.'], {
      x: 72,
      y: 700,
      leading: 40,
    })
    const objects = [
      '<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>',
      '<< /Title (Harbour Rules) /Parent 10 0 R /Dest [12 0 R /Fit] >>',
    ]
    const [first] = blocksOf(await read(buildPdf([{ content }], { catalog: '/Outlines 10 0 R', objects })))
    assert.deepEqual([first?.kind, first?.level], ['heading', 1])
  })

  it('reads the bullets of Symbol and Wingdings as those of a list', async () => {
    const map =
      '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar <61> <f0b7> <62> <f0fc> endbfchar endcmap'
    const objects = [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol /ToUnicode 11 0 R >>',
      `<< /Length ${map.length} >>\nstream\n${map}\nendstream`,
    ]
    const entries = '/Resources << /Font << /F1 3 0 R /F4 10 0 R >> >>'
    const item = (bullet: string, text: string, [x, y]: readonly [number, number]) =>
      `${lines([bullet], { x, y, font: 'F4' })} ${lines([text], { x: x + 14, y })}`
    const content = [
      item('a', 'Boats', [72, 700]),
      item('a', 'Cutters', [100, 688]),
      item('b', 'Quays', [72, 676]),
    ].join('\n')
    const blocks = blocksOf(await read(buildPdf([{ content, entries }], { objects })))
    assert.deepEqual(
      blocks.filter(({ kind }) => kind !== 'blank').map(({ kind, text }) => `${kind}: ${text.trim()}`),
      ['list-item: • Boats', 'list-item: • Cutters', 'list-item: ✓ Quays'],
    )
  })

  it('reads two columns in sequence, in any file order', async () => {
    const left = LEFT.map((text, index) => lines([text], { x: 72, y: 700 - 12 * index }))
    const right = RIGHT.map((text, index) => lines([text], { x: 320, y: 700 - 12 * index }))
    const orders = {
      'column by column': [...left, ...right],
      'line by line': left.flatMap((text, index) => [text, right[index] ?? '']),
      backwards: [...right, ...left].reverse(),
    }
    for (const [order, parts] of Object.entries(orders)) {
      assert.equal(await readWords({ content: parts.join('\n') }), COLUMNS, order)
    }
  })

  it('reads a title over columns first, and a line under them last', async () => {
    const content = [
      lines(LEFT, { x: 72, y: 660 }),
      lines(RIGHT, { x: 320, y: 660 }),
      lines(['A title that stands across both of the columns of this page'], { x: 100, y: 700, size: 14 }),
      lines(['And a closing line that also goes across both of the columns of the page.'], { x: 72, y: 580 }),
    ].join('\n')
    assert.equal(
      await readWords({ content }),
      `A title that stands across both of the columns of this page ${COLUMNS} And a closing line that also goes across both of the columns of the page.`,
    )
  })

  it('reads three columns', async () => {
    const third = [
      'The third one tells of roads',
      'that lead over the passes and',
      'are closed from October on',
      'because of the deep snow.',
    ]
    const content = [LEFT, RIGHT, third].map((texts, index) => lines(texts, { x: 40 + 190 * index, y: 700 })).join('\n')
    assert.equal(await readWords({ content }), `${COLUMNS} ${third.join(' ')}`)
  })

  it('reads a table row by row, with its header', async () => {
    const rows = [
      ['Item', 'Price', 'Stock'],
      ['Apples', '1.20', '40'],
      ['Pears', '2.10', '12'],
      ['Plums', '3.05', '7'],
    ]
    const content = rows
      .flatMap((row, index) => row.map((cell, column) => lines([cell], { x: 72 + 150 * column, y: 700 - 14 * index })))
      .join('\n')
    assert.deepEqual(
      (await readBlocks({ content })).map(({ kind, text }) => [kind, text]),
      [
        ['table-header', 'Item\tPrice\tStock\n'],
        ['table-row', 'Apples\t1.20\t40\n'],
        ['table-row', 'Pears\t2.10\t12\n'],
        ['table-row', 'Plums\t3.05\t7\n'],
      ],
    )
  })

  it('separates the line above a table from its first cell', async () => {
    const rows = [
      ['Item', 'Price', 'Stock'],
      ['Apples', '1.20', '40'],
      ['Pears', '2.10', '12'],
    ]
    const table = rows
      .flatMap((row, index) => row.map((cell, column) => lines([cell], { x: 72 + 60 * column, y: 700 - 14 * index })))
      .join('\n')
    const heading = lines(['Prices'], { x: 72, y: 716, size: 14, font: 'F2' })
    const caption = lines(['These are the prices of today:'], { x: 72, y: 714 })
    for (const [above, text] of [
      [heading, 'Prices\n'],
      [caption, 'These are the prices of today:\n'],
    ] as const) {
      assert.deepEqual(
        (await readBlocks({ content: `${above}\n${table}` })).map((block) => block.text),
        [text, 'Item\tPrice\tStock\n', 'Apples\t1.20\t40\n', 'Pears\t2.10\t12\n'],
      )
    }
  })

  it('leaves the place of an empty cell in a row empty', async () => {
    const at = (y: number, cells: readonly (readonly [number, string])[]) =>
      cells.map(([x, text]) => lines([text], { x, y })).join('\n')
    const content = [
      at(700, [
        [72, 'Item'],
        [200, 'Qty'],
        [300, 'Price'],
      ]),
      at(686, [
        [72, 'Bolts'],
        [206, '10'],
        [304, '0.10'],
      ]),
      at(672, [
        [72, 'Washers'],
        [304, '0.20'],
      ]),
      at(658, [
        [72, 'Nuts'],
        [209, '5'],
        [298, '10.30'],
      ]),
      at(644, [
        [72, 'Rivets of copper, sold by weight'],
        [300, '2.00'],
      ]),
      at(630, [
        [72, 'Sum of what is delivered in every week'],
        [304, '9.90'],
      ]),
      at(616, [
        [72, 'Screws'],
        [206, '12'],
      ]),
    ].join('\n')
    const rows = (await readBlocks({ content })).map((block) => block.text.trimEnd())
    assert.deepEqual(rows, [
      'Item\tQty\tPrice',
      'Bolts\t10\t0.10',
      'Washers\t\t0.20',
      'Nuts\t5\t10.30',
      'Rivets of copper, sold by weight\t\t2.00',
      'Sum of what is delivered in every week\t\t9.90',
      'Screws\t12',
    ])
  })

  it('keeps the lines of a cell together', async () => {
    const content = [
      lines(['Harbour', 'office'], { x: 72, y: 700 }),
      lines(['Open all', 'the year'], { x: 250, y: 700 }),
      lines(['School'], { x: 72, y: 660 }),
      lines(['Closed in July'], { x: 250, y: 660 }),
    ].join('\n')
    assert.match(await readWords({ content }), /Harbour office Open all the year School Closed in July/)
  })

  it('reads rows of long cells row by row where those of one side have several lines', async () => {
    const rows = [
      ['Two hours on working days', 'Faults that keep everybody from', 'working, also in the branches'],
      ['Four hours on working days', 'Faults that keep a whole floor', 'from working, also for an hour'],
      ['Two days, and by appointment', 'Faults that keep one or two', 'machines of a room from working'],
      ['Whenever somebody has time', 'Faults that nobody has seen but', 'the person who reported them'],
    ]
    const content = rows
      .flatMap(([label = '', ...texts], index) => {
        const y = 700 - 28 * index
        return [lines([label], { x: 72, y: y - 6 }), lines(texts, { x: 250, y })]
      })
      .join('\n')
    assert.deepEqual(
      (await readBlocks({ content })).map(({ text }) => text.trim()),
      rows.map(([label, ...texts]) => `${label}\t${texts.join(' ')}`),
    )
  })

  it('detects list items, with numbers inside or before them', async () => {
    const numbers = ['1.', '2.', '3.'].map((text, index) => lines([text], { x: 72, y: 700 - 14 * index }))
    const texts = ['Bring a coat', 'Bring a lamp', 'Bring a friend'].map((text, index) =>
      lines([text], { x: 100, y: 700 - 14 * index }),
    )
    for (const parts of [numbers.flatMap((number, index) => [number, texts[index] ?? '']), [...numbers, ...texts]]) {
      assert.deepEqual(
        (await readBlocks({ content: parts.join('\n') })).map(({ kind, text }) => [kind, text]),
        [
          ['list-item', '1. Bring a coat\n'],
          ['list-item', '2. Bring a lamp\n'],
          ['list-item', '3. Bring a friend\n'],
        ],
      )
    }
  })

  it('separates the text after a list from its last item', async () => {
    const content = `${lines(['- Bring a coat.', '- Bring a lamp.'], { x: 90, y: 700 })}\n${lines(['Then go.'], { x: 72, y: 676 })}`
    assert.deepEqual(
      (await readBlocks({ content })).map(({ kind, text }) => [kind, text]),
      [
        ['list-item', '- Bring a coat.\n'],
        ['list-item', '- Bring a lamp.\n'],
        ['paragraph', 'Then go.\n'],
      ],
    )
  })

  it('reads pages that are turned', async () => {
    for (const rotate of [90, 180, 270]) {
      assert.equal(
        await readWords({ content: lines(LEFT, { x: 72, y: 700 }), entries: `/Rotate ${rotate}` }),
        LEFT.join(' '),
      )
    }
    const upwards = LEFT.map((text, index) => `BT /F1 10 Tf 0 1 -1 0 ${100 + 12 * index} 72 Tm (${text}) Tj ET`).join(
      '\n',
    )
    assert.equal(await readWords({ content: upwards, entries: '/Rotate 90' }), LEFT.join(' '))
  })

  it('takes the size from the matrix as well as from the font', async () => {
    const content =
      'BT /F1 1 Tf 24 0 0 24 72 720 Tm (Annual Report) Tj ET\n' +
      lines(['Some text of the body that is much longer than its heading.'], { x: 72, y: 690 })
    assert.equal((await readBlocks({ content }))[0]?.kind, 'heading')
  })

  it('announces a page that is only an image, also inside a form', async () => {
    for (const content of ['q 612 0 0 792 0 0 cm /Im Do Q', '/Fm Do']) {
      assert.deepEqual(await read(buildPdf([{ content }])), [
        { scan: { page: 1, widthPoints: 612, heightPoints: 792, text: '' } },
      ])
    }
  })

  it('announces a scan with a stamp on it, and gives the stamp', async () => {
    const content = `q 612 0 0 792 0 0 cm /Im Do Q\n${lines(['Received 4 May 2021, No. 00123'], { x: 400, y: 20 })}`
    const [event] = await read(buildPdf([{ content }]))
    assert.ok(event !== undefined && 'scan' in event)
    assert.match(event.scan.text, /Received 4 May 2021/)
  })

  it('announces a scan also where its stamp takes several lines at the edge, but no page of text on a picture', async () => {
    const background = 'q 612 0 0 792 0 0 cm /Im Do Q'
    const stamp = [
      'Downloaded from the archive of the county court on 2 April 2021 by a reader, for personal use only.',
      'Case No. 2021-CV-00441, Document 17-2, Filed 4 March 2021, Page 1 of 1',
    ]
    const small = lines(stamp, { x: 30, y: 30, size: 8, leading: 10 })
    const [scanned] = await read(buildPdf([{ content: `${background}\n${small}` }]))
    assert.ok(scanned !== undefined && 'scan' in scanned)
    assert.match(scanned.scan.text, /Downloaded from the archive/)
    const slide = lines(stamp, { x: 30, y: 500, size: 24, leading: 30 })
    const shown = await read(buildPdf([{ content: `${background}\n${slide}` }]))
    assert.ok(!shown.some((event) => 'scan' in event))
  })

  it('marks a scan with a filled form as a scan, and returns the form text', async () => {
    const objects = [
      '<< /Type /Annot /Subtype /FreeText /Contents (Ada Lovelace, 12 May) /DA (/F1 10 Tf) /Rect [120 495 300 512] /F 4 >>',
    ]
    const page = { content: 'q 612 0 0 792 0 0 cm /Im Do Q', annotations: ['10 0 R'] }
    const [event] = await read(buildPdf([page], { objects }))
    assert.ok(event !== undefined && 'scan' in event)
    assert.match(event.scan.text, /Ada Lovelace, 12 May/)
  })

  it('takes what an earlier recogniser laid over a scan, also in small letters', async () => {
    const hidden = [
      'The committee met on the fourth of May and agreed to mend the harbour wall.',
      'It thanked the masons for all that they had done since the storm.',
    ]
    const content = `q 612 0 0 792 0 0 cm /Im Do Q\n3 Tr\n${lines(hidden, { x: 30, y: 700, size: 8, leading: 9 })}`
    assert.equal(await readWords({ content }), hidden.join(' '))
  })

  it('does not take a text with a small picture for a scan', async () => {
    const events = await read(
      buildPdf([
        { content: `q 100 0 0 100 72 100 cm /Im Do Q\n${lines(['A figure.', 'It shows a boat.'], { x: 72, y: 700 })}` },
      ]),
    )
    assert.ok(!events.some((event) => 'scan' in event))
  })

  it('marks a page whose font maps letters wrongly', async () => {
    const shifted = (text: string) =>
      [...text].map((letter) => (letter === ' ' ? ' ' : String.fromCharCode(letter.charCodeAt(0) - 29))).join('')
    const content = lines(
      [
        'Der Herausgeber dieser Schrift dankt allen Mitarbeitern',
        'und besonders den Lesern, die geholfen haben, Fehler zu finden',
      ].map(shifted),
      { x: 72, y: 700 },
    )
    const events = await read(buildPdf([{ content }]))
    assert.deepEqual(
      events.map((event) => Object.keys(event)[0]),
      ['scan'],
    )
  })

  it('marks a page with a short text whose font maps nothing', async () => {
    const names = Array.from({ length: 90 }, (_, index) => `/g${index + 33}`).join(' ')
    const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Own /Encoding << /Differences [33 ${names}] >> >>`
    const content = 'BT /Fx 12 Tf 72 700 Td (7KH IHUU\\\\ OHDYHV) Tj ET'
    const entries = '/Resources << /Font << /Fx 10 0 R >> >>'
    assert.deepEqual(await read(buildPdf([{ content, entries }], { objects: [font] })), [
      { scan: { page: 1, widthPoints: 612, heightPoints: 792, text: '', isUnreadable: true } },
    ])
  })

  it('reports a page with nothing on it as empty', async () => {
    assert.deepEqual(await read(buildPdf([{ content: '' }])), [
      { page: { page: 1, method: 'empty', characters: 0, confidence: null, message: 'The page is blank.' } },
    ])
    const [drawn] = await read(buildPdf([{ content: '72 72 m 300 300 l S' }]))
    assert.ok(drawn !== undefined && 'page' in drawn)
    assert.equal(drawn.page.message, 'The page has no text.')
  })

  it('warns of attached files, which are not read', async () => {
    const attach = (names: readonly string[]) => ({
      catalog: `/Names << /EmbeddedFiles << /Names [${names.map((name) => `(${name}) 10 0 R`).join(' ')}] >> >>`,
      objects: ['<< /Type /Filespec /F (a.txt) /UF (a.txt) >>'],
    })
    const page = { content: lines(['Some text.'], { x: 72, y: 700 }) }
    const warningsOf = async (names: readonly string[]) =>
      (await read(buildPdf([page], attach(names)))).flatMap((event) => ('warning' in event ? [event.warning] : []))
    assert.deepEqual(await warningsOf(['a']), ['1 attached file was not read: a.txt.'])
    const many = Array.from({ length: 12 }, (_, index) => `n${String(index).padStart(2, '0')}`)
    assert.match((await warningsOf(many)).join(), /^12 attached files were not read: (?:a\.txt, ){10}…$/)
    assert.deepEqual(await warningsOf([]), [])
  })

  it('reads a letter with combining marks once and without spaces', async () => {
    const letter = (said: string, parts: string) => `/Span << /ActualText (${said}) >> BDC ${parts} EMC`
    const drawn = [
      letter('Ka', '(I) Tj 8 0 Td (.) Tj'),
      '-3 0 Td (n) Tj',
      letter('ai', '8 0 Td (i) Tj 9 0 Td (l) Tj'),
      '3 0 Td (s) Tj',
    ]
    const content = `BT /F1 12 Tf 72 700 Td ${drawn.join(' ')} ET`
    const [block] = blocksOf(await read(buildPdf([{ content }])))
    assert.equal(block?.text.trim(), 'Kanais')
  })

  it('reads the pages beside one that is damaged', async () => {
    const data = buildPdf([{ content: lines(['Good.'], { x: 72, y: 700 }) }, { content: '' }])
    const broken = Buffer.from(
      data.toString('latin1').replace('/Kids [10 0 R 12 0 R]', '/Kids [10 0 R 99 0 R]'),
      'latin1',
    )
    const methods = (await read(broken)).flatMap((event) => ('page' in event ? [event.page.method] : []))
    assert.deepEqual(methods, ['text', 'failed'])
  })

  const refused: readonly (readonly [string, Buffer, RegExp])[] = [
    ['is cut off before its pages', buildPdf([{ content: 'BT ET' }]).subarray(0, 60), /damaged/],
    ['is not one', Buffer.from('%PDF-1.7\nnothing of the kind\n'), /damaged/],
    ['has no pages', buildPdf([]), /damaged|pages/],
  ]
  for (const [what, data, pattern] of refused) {
    it(`refuses a file that ${what}`, async () => {
      await assert.rejects(read(data), { code: 'unprocessable_document', message: pattern })
    })
  }

  it('reports a protected file as protected', async () => {
    const hex = (byte: string) => `<${byte.repeat(32)}>`
    const data = buildPdf([{ content: 'BT ET' }], {
      objects: [`<< /Filter /Standard /V 1 /R 2 /P -44 /O ${hex('a1')} /U ${hex('b2')} >>`],
    })
    const trailer = `/Root 1 0 R /Encrypt 10 0 R /ID [${hex('c3')} ${hex('c3')}]`
    const locked = Buffer.from(data.toString('latin1').replace('/Root 1 0 R', trailer), 'latin1')
    await assert.rejects(read(locked), {
      code: 'unprocessable_document',
      message: 'The file is password protected (encrypted).',
      remedy: /^Remove the password and send/,
    })
  })
})

describe('drawing a page', () => {
  it('draws on white, in gray and in colours, at the size asked for', async () => {
    const source = write(buildPdf([{ content: '1 0 0 rg 0 0 306 792 re f' }]))
    const gray = await renderPage(source, 1, { dpi: 36, colours: 'gray' })
    assert.deepEqual([gray.width, gray.height, gray.data.length], [306, 396, 306 * 396])
    assert.equal(gray.data.at(-1), 255)
    const colours = await renderPage(source, 1, { dpi: 36, colours: 'rgba' })
    assert.deepEqual([...colours.data.subarray(0, 4)], [255, 0, 0, 255])
    assert.deepEqual([...colours.data.subarray(-4)], [255, 255, 255, 255])
  })

  it('draws a huge page small', async () => {
    const source = write(buildPdf([{ content: 'BT ET', mediaBox: '0 0 14400 14400' }]))
    const { data, dpi } = await renderPage(source, 1, { dpi: 300, colours: 'gray' })
    assert.ok(data.length <= 20_010_000)
    assert.ok(dpi < 25)
  })

  it('draws no page that is not there', async () => {
    const source = write(buildPdf([{ content: '' }]))
    await assert.rejects(renderPage(source, 2, { dpi: 72, colours: 'gray' }), RangeError)
  })

  it('marks a passage of an annotation', async () => {
    const drawing = pdfStream(
      'BT /F1 10 Tf 4 60 Td (RECEIVED) Tj ET',
      '/Type /XObject /Subtype /Form /BBox [0 0 300 80] /Resources << /Font << /F1 3 0 R >> >>',
    )
    const stamp = '<< /Type /Annot /Subtype /Stamp /Rect [72 500 372 580] /F 4 /AP << /N 11 0 R >> >>'
    const page = { content: '', annotations: ['10 0 R'] }
    const source = write(buildPdf([page], { objects: [stamp, drawing.toString('latin1')] }))
    const { boxes } = await drawPdfPage(source, 1, { dpi: 72, passage: { before: '', wanted: 'RECEIVED' } })
    assert.equal(boxes.length, 1)
    assert.ok(Math.abs((boxes[0]?.x ?? 0) - 76) < 2)
  })
})
