import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildDocx,
  buildPptx,
  buildXlsx,
  type Links,
  links,
  sheetRows,
  slideShape,
  wordParagraph,
  xml,
} from '../../../test/support/build-office.ts'
import { buildZip, type ZipFiles } from '../../../test/support/build-zip.ts'
import { readOffice } from '../../../test/support/read-office.ts'

/** Creates many references to the same thing. */
function repeat<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function linksTo(count: number, type: string, target: string): Links {
  return Object.fromEntries(repeat(count, (index) => [`r${index}`, [type, target] as const]))
}

/** A workbook or presentation that lists a part many times. */
function listing(count: number, main: string, list: (ids: readonly string[]) => string, parts: ZipFiles): Buffer {
  const [folder = '', file = ''] = main.split('/')
  const [target = ''] = Object.keys(parts)
  return buildZip({
    '_rels/.rels': links({ rId1: ['officeDocument', main] }),
    [main]: list(repeat(count, (index) => `r${index}`)),
    [`${folder}/_rels/${file}.rels`]: links(linksTo(count, 'page', `/${target}`)),
    ...parts,
  })
}

function timesIn(text: string, word: string): number {
  return text.split(word).length - 1
}

test('ten thousand sheets with the same part are read once, and the rest report it', async () => {
  const list = (ids: readonly string[]) =>
    xml('workbook', `<sheets>${ids.map((id) => `<sheet name="${id}" r:id="${id}"/>`).join('')}</sheets>`)
  const content = xml('worksheet', sheetRows(repeat(900, (index) => ['plums', index])))
  const read = await readOffice(listing(10_000, 'xl/workbook.xml', list, { 'xl/worksheets/sheet1.xml': content }))
  assert.equal(timesIn(read.text, 'plums'), 900)
  assert.equal(read.pages.length, 10_000)
  assert.deepEqual(read.pages.at(-1), {
    page: 10_000,
    method: 'empty',
    characters: 0,
    confidence: null,
    message: 'The sheet uses the same part of the file as an earlier sheet.',
  })
})

test('slides with the same part are read once, and the rest report it', async () => {
  const list = (ids: readonly string[]) =>
    xml('p:presentation', `<p:sldIdLst>${ids.map((id) => `<p:sldId r:id="${id}"/>`).join('')}</p:sldIdLst>`)
  const slide = xml('p:sld', `<p:cSld><p:spTree>${slideShape(['plums'])}</p:spTree></p:cSld>`)
  const read = await readOffice(listing(5_000, 'ppt/presentation.xml', list, { 'ppt/slides/slide1.xml': slide }))
  assert.equal(timesIn(read.text, 'plums'), 1)
  assert.match(read.pages.at(-1)?.message ?? '', /same part of the file as an earlier slide/)
})

test('related parts of sheets are read once, however many relationships name them', async () => {
  const drawing = xml('xdr:wsDr', '<xdr:sp><a:p><a:r><a:t>drawn plums</a:t></a:r></a:p></xdr:sp>')
  const comments =
    '<comments><authors><author>A</author></authors><commentList><comment ref="A1" authorId="0"><text><t>said plums</t></text></comment></commentList></comments>'
  const named = { ...linksTo(500, 'comments', '../comments1.xml'), d: ['drawing', '../drawings/d.xml'] as const }
  const sheets = repeat(3, (index) => ({ name: `Sheet ${index}`, content: sheetRows([['pears']]), links: named }))
  const parts = { 'xl/comments1.xml': comments, 'xl/drawings/d.xml': drawing }
  const { text } = await readOffice(buildXlsx(sheets, {}, parts))
  assert.deepEqual(
    ['pears', 'said plums', 'drawn plums'].map((word) => timesIn(text, word)),
    [3, 1, 1],
  )
})

test('headers, charts and embedded files are read once, however often a document names them', async () => {
  const chart = xml('c:chartSpace', '<c:title><a:p><a:r><a:t>charted plums</a:t></a:r></a:p></c:title>')
  const shown = '<w:r><w:drawing><a:graphic><c:chart r:id="c"/></a:graphic></w:drawing></w:r>'
  const object = '<w:r><w:object><o:OLEObject r:id="e" Type="Embed"/></w:object></w:r>'
  const related = {
    ...linksTo(5_000, 'header', 'header1.xml'),
    c: ['chart', 'charts/c.xml'] as const,
    e: ['package', 'embeddings/e.docx'] as const,
  }
  const bytes = buildDocx(
    `<w:p>${shown.repeat(2_000)}${object.repeat(500)}</w:p>`,
    {
      'word/header1.xml': xml('w:hdr', wordParagraph('headed plums')),
      'word/charts/c.xml': chart,
      'word/embeddings/e.docx': buildDocx(wordParagraph('embedded plums')),
    },
    related,
  )
  const { text } = await readOffice(bytes)
  for (const word of ['headed', 'charted', 'embedded']) assert.equal(timesIn(text, word), 1, word)
})

test('the relationships of a layout are read once for all its slides', async () => {
  const master = { 'ppt/slideMasters/m.xml': xml('p:sldMaster', '<p:cSld><p:spTree/></p:cSld>') }
  const layout = {
    'ppt/slideLayouts/l.xml': xml('p:sldLayout', '<p:cSld><p:spTree/></p:cSld>'),
    'ppt/slideLayouts/_rels/l.xml.rels': links({
      ...linksTo(20_000, 'image', '../media/a.png'),
      m: ['slideMaster', '../slideMasters/m.xml'],
    }),
  }
  const slides = repeat(800, () => ({
    shapes: slideShape(['plums']),
    links: { r1: ['slideLayout', '../slideLayouts/l.xml'] as const },
  }))
  // Reading the layout for each slide would exceed the unpack budget.
  const { text } = await readOffice(buildPptx(slides, { ...layout, ...master }))
  assert.equal(timesIn(text, 'plums'), 800)
})
