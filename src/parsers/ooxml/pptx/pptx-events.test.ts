import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BuiltSlide,
  buildDocx,
  buildPptx,
  slideShape,
  wordParagraph,
  xml,
} from '../../../../test/support/build-office.ts'
import { readOffice } from '../../../../test/support/read-office.ts'

const TITLE = '<p:ph type="title"/>'
const BODY = '<p:ph type="body" idx="1"/>'

async function linesOf(
  slide: BuiltSlide,
  ...rest: [Record<string, string | Buffer>?, Record<string, [string, string]>?]
) {
  const { blocks } = await readOffice(buildPptx([slide], ...rest))
  return blocks.map(({ kind, text }) => `${kind}: ${text.trimEnd()}`)
}

test('slides are pages in slide-show order; hidden slides are marked, empty slides are empty', async () => {
  const slides = [
    { shapes: slideShape(['First'], null, TITLE) },
    { shapes: slideShape(['Second'], null, TITLE), attributes: 'show="0"' },
    { shapes: '' },
  ]
  const { blocks, pages } = await readOffice(buildPptx(slides))
  assert.deepEqual(
    blocks.map(({ text, page, kind, level }) => [text.trim(), page, kind, level]),
    [
      ['First', 1, 'heading', 1],
      ['Second', 2, 'heading', 1],
    ],
  )
  assert.deepEqual(
    pages.map(({ method, message }) => [method, message]),
    [
      ['text', null],
      ['text', 'hidden slide'],
      ['empty', null],
    ],
  )
})

test('shapes are read by position: title, columns from the left, footer last', async () => {
  const shapes = [
    slideShape(['Footer'], [0, 900, 800, 50], '<p:ph type="ftr" idx="11"/>'),
    slideShape(['right, below'], [500, 500, 300, 100]),
    slideShape(['left'], [0, 200, 300, 500]),
    slideShape(['right, above'], [500, 200, 300, 100]),
    slideShape(['The', 'title'], [0, 0, 800, 100], TITLE),
  ]
  assert.deepEqual(await linesOf({ shapes: shapes.join('') }), [
    'heading: The title',
    'paragraph: left',
    'paragraph: right, above',
    'paragraph: right, below',
    'paragraph: Footer',
  ])
})

test('a placeholder without a box inherits the box of its layout', async () => {
  const shapes = slideShape(['below'], null, BODY) + slideShape(['above'], [0, 100, 500, 50])
  const layout = xml('p:sldLayout', `<p:spTree>${slideShape(['Click to edit'], [0, 400, 500, 100], BODY)}</p:spTree>`)
  const slide: BuiltSlide = { shapes, links: { r1: ['slideLayout', '../slideLayouts/slideLayout1.xml'] } }
  const lines = await linesOf(slide, { 'ppt/slideLayouts/slideLayout1.xml': layout })
  assert.deepEqual(lines, ['heading: above', 'paragraph: below'])
})

test('groups are read at their position, hidden shapes are skipped', async () => {
  const hidden = slideShape(['never'], [0, 0, 10, 10]).replace('name="x"', 'name="x" hidden="1"')
  const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="300"/><a:ext cx="99" cy="99"/></a:xfrm></p:grpSpPr>${slideShape(['In, below.'], [0, 9, 9, 9])}${slideShape(['In, above.'], [0, 0, 9, 9])}</p:grpSp>`
  const lines = await linesOf({ shapes: group + hidden + slideShape(['Above all.'], [0, 0, 99, 99]) })
  assert.deepEqual(lines, ['paragraph: Above all.', 'paragraph: In, above.', 'paragraph: In, below.'])
})

test('bullet points are list items with their numbers and indent', async () => {
  const point = (text: string, level: number, scheme = '') =>
    `<a:p><a:pPr lvl="${level}">${scheme === '' ? '' : `<a:buAutoNum type="${scheme}"/>`}</a:pPr><a:r><a:t>${text}</a:t></a:r><a:fld type="slidenum"><a:t>9</a:t></a:fld></a:p>`
  const text =
    point('one', 0, 'arabicPeriod') +
    point('sub', 1, 'alphaLcParenR') +
    point('two', 0, 'arabicPeriod') +
    point('plain', 0)
  const shape = slideShape([], null, BODY).replace('<p:txBody>', `<p:txBody>${text}`)
  const lines = await linesOf({ shapes: slideShape(['T'], null, TITLE) + shape })
  assert.deepEqual(lines, [
    'heading: T',
    'list-item: 1. one',
    'list-item: a) sub',
    'list-item: 2. two',
    'list-item: plain',
  ])
})

test('tables have a header and rows, with vertically merged cells repeated', async () => {
  const cell = (text: string, attributes = '') =>
    `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
  const rows = [
    cell('Region') + cell('Crates'),
    cell('North', 'rowSpan="2"') + cell('1'),
    cell('', 'vMerge="1"') + cell('2'),
  ].map((cells) => `<a:tr>${cells}</a:tr>`)
  const frame = `<p:graphicFrame><a:graphic><a:tbl><a:tblPr firstRow="1"/>${rows.join('')}</a:tbl></a:graphic></p:graphicFrame>`
  assert.deepEqual(await linesOf({ shapes: frame }), [
    'table-header: Region | Crates',
    'table-row: North | 1',
    'table-row: North | 2',
  ])
})

test('texts of charts and SmartArt belong to their slide', async () => {
  const frame = (content: string) =>
    `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`
  const point = (value: string) => `<c:pt idx="0"><c:v>${value}</c:v></c:pt>`
  const chart = `<c:title><a:p><a:r><a:t>Harvest</a:t></a:r></a:p></c:title><c:ser><c:cat><c:strRef><c:strCache>${point('March')}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>${point('4.3')}</c:numCache></c:numRef></c:val></c:ser>`
  const node = (id: number, text: string) =>
    `<dgm:pt modelId="${id}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
  const slide = {
    shapes: slideShape(['Title'], null, TITLE) + frame('<c:chart r:id="r1"/>') + frame('<dgm:relIds r:dm="r2"/>'),
    links: { r1: ['chart', '../charts/chart1.xml'], r2: ['diagramData', '../diagrams/data1.xml'] } as const,
  }
  const lines = await linesOf(slide, {
    'ppt/charts/chart1.xml': xml('c:chartSpace', chart),
    'ppt/diagrams/data1.xml': xml('dgm:dataModel', `<dgm:ptLst>${node(1, 'Pick')}${node(2, 'Store')}</dgm:ptLst>`),
  })
  assert.deepEqual(
    lines.map((line) => line.replace(/^.*?: /, '')),
    ['Title', 'Harvest', 'March | 4.3', 'Pick', 'Store'],
  )
})

test('chart points have their categories, and dates are dates', async () => {
  const points = (...texts: (string | null)[]) =>
    texts.map((text, index) => (text === null ? '' : `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`)).join('')
  const values = `<c:val><c:numRef><c:numCache><c:formatCode>m/d/yyyy</c:formatCode>${points('10', '20', '30')}</c:numCache></c:numRef></c:val>`
  const chart = (categories: string, head = '') =>
    xml('c:chartSpace', `${head}<c:ser><c:cat>${categories}</c:cat>${values}</c:ser>`)
  const dates = (code: string) =>
    `<c:numRef><c:numCache><c:formatCode>${code}</c:formatCode>${points('44562', '44562.5', '60')}</c:numCache></c:numRef>`
  const levels = [points('Q1', 'Q2', 'Q1'), points('2023', null, '2024'), '', points('Oslo')].map(
    (level) => `<c:lvl>${level}</c:lvl>`,
  )
  const linesFor = async (part: string) => {
    const frame =
      '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="r1"/></a:graphicData></a:graphic></p:graphicFrame>'
    const slide = { shapes: frame, links: { r1: ['chart', '../charts/chart1.xml'] } as const }
    return (await linesOf(slide, { 'ppt/charts/chart1.xml': part })).map((line) => line.replace('table-row: ', ''))
  }
  const nested = `<c:multiLvlStrRef><c:multiLvlStrCache>${levels.join('')}</c:multiLvlStrCache></c:multiLvlStrRef>`
  assert.deepEqual(await linesFor(chart(nested)), ['Oslo 2023 Q1 | 10', 'Oslo 2023 Q2 | 20', 'Oslo 2024 Q1 | 30'])
  const [day, time] = await linesFor(chart(dates('m/d/yyyy')))
  assert.deepEqual([day, time], ['2022-01-01 | 10', '2022-01-01 12:00:00 | 20'])
  assert.deepEqual(await linesFor(chart(dates('General'))), ['44562 | 10', '44562.5 | 20', '60 | 30'])
  const [first] = await linesFor(chart(dates('yyyy'), '<c:date1904 val="1"/>'))
  assert.equal(first, '2026-01-02 | 10')
})

test('notes, comments of both kinds and embedded files belong to their slide', async () => {
  const notes = `<p:spTree>${slideShape(['Slide picture'], null, '<p:ph type="sldImg"/>')}${slideShape(['Say this', 'and that'], null, BODY)}</p:spTree>`
  const parts = {
    'ppt/notes1.xml': xml('p:notes', notes),
    'ppt/comments1.xml': xml('p:cmLst', '<p:cm authorId="0"><p:text>Old form</p:text></p:cm>'),
    'ppt/comments2.xml': xml(
      'cmLst',
      '<cm authorId="{A}"><txBody><a:p><a:r><a:t>New form</a:t></a:r></a:p></txBody></cm>',
    ),
    'ppt/commentAuthors.xml': xml('p:cmAuthorLst', '<p:cmAuthor id="0" name="Ines"/>'),
    'ppt/authors.xml': xml('authorLst', '<author id="{A}" name="Otto"/>'),
    'ppt/embeddings/in.docx': buildDocx(wordParagraph('Inside')),
  }
  const slide: BuiltSlide = {
    shapes: `${slideShape(['T'], null, TITLE)}<p:graphicFrame><p:oleObj r:id="r4"/></p:graphicFrame>`,
    links: {
      r1: ['notesSlide', '../notes1.xml'],
      r2: ['comments', '../comments1.xml'],
      r3: ['comments', '../comments2.xml'],
      r4: ['package', '../embeddings/in.docx'],
    },
  }
  const lines = await linesOf(slide, parts, {
    r8: ['commentAuthors', 'commentAuthors.xml'],
    r9: ['authors', 'authors.xml'],
  })
  assert.deepEqual(lines, [
    'heading: T',
    'paragraph: Inside',
    'paragraph: Notes: Say this\nand that',
    'paragraph: Comment by Ines: Old form',
    'paragraph: Comment by Otto: New form',
  ])
})

test('a comment keeps its author when others reply', async () => {
  const said = (text: string) => `<txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></txBody>`
  const replies = `<replyLst><reply authorId="{B}">${said('No')}</reply><reply authorId="{C}">${said('Yes')}</reply></replyLst>`
  const parts = {
    'ppt/comments1.xml': xml('cmLst', `<cm authorId="{A}">${replies}${said('Why?')}</cm>`),
    'ppt/authors.xml': xml('authorLst', '<author id="{A}" name="Ines"/><author id="{B}" name="Otto"/>'),
  }
  const slide: BuiltSlide = { shapes: slideShape(['T'], null, TITLE), links: { r1: ['comments', '../comments1.xml'] } }
  const [, ...lines] = await linesOf(slide, parts, { r9: ['authors', 'authors.xml'] })
  assert.deepEqual(lines, [
    'paragraph: Comment by Otto: No',
    'paragraph: Comment: Yes',
    'paragraph: Comment by Ines: Why?',
  ])
})

test('a damaged slide fails alone, and all damaged slides fail the file', async () => {
  const bad = { shapes: '<p:sp' }
  const { pages, text } = await readOffice(buildPptx([bad, { shapes: slideShape(['Whole'], null, TITLE) }]))
  assert.deepEqual(
    pages.map(({ method }) => method),
    ['failed', 'text'],
  )
  assert.equal(text, 'Whole\n\n')
  await assert.rejects(readOffice(buildPptx([bad])), {
    code: 'unprocessable_document',
    message: /slide1\.xml is broken/,
  })
})
