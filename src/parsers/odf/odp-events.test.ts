import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildFlatOdf,
  buildOdf,
  type OdfParts,
  odfParagraph,
  odfShape,
  odfSlide,
  odfTable,
} from '../../../test/support/build-odf.ts'
import { linesOf, type ReadOffice, readOdf } from '../../../test/support/read-office.ts'

const read = (body: string, parts?: OdfParts): Promise<ReadOffice> => readOdf(buildOdf('presentation', body, parts))
const lines = async (shapes: string, parts?: OdfParts) => linesOf(await read(odfSlide(shapes), parts))
const list = (...items: string[]) =>
  `<text:list>${items.map((item) => `<text:list-item>${item}</text:list-item>`).join('')}</text:list>`

test('slides are pages with their titles as headings, and hidden slides say so', async () => {
  const automatic = `<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>`
  const body =
    odfSlide(odfShape(odfParagraph('Boats leave at nine')) + odfShape(odfParagraph('Visiting'), [], 'title')) +
    odfSlide(odfShape(odfParagraph('Hidden'), [], 'title'), 'draw:style-name="dp2"') +
    odfSlide('')
  const { blocks, pages, pageCount } = await read(body, { automatic })
  assert.deepEqual(
    blocks.map(({ kind, text, page }) => [kind, text.trim(), page]),
    [
      ['heading', 'Visiting', 1],
      ['paragraph', 'Boats leave at nine', 1],
      ['heading', 'Hidden', 2],
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
  assert.equal(pageCount, 3)
})

test('shapes are read by their place: columns from the left, groups together', async () => {
  const right = odfShape(odfParagraph('right column.'), [15, 5, 10, 10])
  const left = odfShape(odfParagraph('left column.'), [1, 5, 10, 10])
  const group = `<draw:g svg:x="1cm" svg:y="20cm">${odfShape(odfParagraph('in a group.'), [1, 20, 5, 2])}</draw:g>`
  assert.deepEqual(await lines(group + right + left + odfShape(odfParagraph('Top'), [1, 1, 24, 2], 'title')), [
    ...['heading1: Top', 'paragraph: left column.', 'paragraph: right column.', 'paragraph: in a group.'],
  ])
})

test('outlines are list items by level, with numbers where they are shown', async () => {
  const automatic =
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style>'
  const outline = list(odfParagraph('first') + list(odfParagraph('below')), odfParagraph('second'))
  const numbered = list(odfParagraph('one'), odfParagraph('two')).replace(
    '<text:list>',
    '<text:list text:style-name="L1">',
  )
  const { text } = await read(
    odfSlide(odfShape(odfParagraph('T'), [], 'title') + odfShape(outline, [], 'outline') + odfShape(numbered)),
    { automatic },
  )
  assert.equal(text, 'T\n\nfirst\nbelow\nsecond\n1. one\n2. two\n')
})

test('tables, notes, comments and footers are read, empty placeholders and numbers are not', async () => {
  const notes = `<presentation:notes><draw:page-thumbnail/>${odfShape(odfParagraph('Say this') + odfParagraph('and that'), [], 'notes')}${odfShape(odfParagraph('Date'), [], 'date-time')}</presentation:notes>`
  const comment = `<office:annotation><dc:creator>Ann</dc:creator><dc:date>2031</dc:date>${odfParagraph('Shorter')}</office:annotation>`
  const prompt = odfShape(odfParagraph('Click to add'), [], 'outline').replace(
    '<draw:frame',
    '<draw:frame presentation:placeholder="true"',
  )
  const table = `<draw:frame>${odfTable([
    ['Port', 'Boats'],
    ['Hull', '7'],
  ])}</draw:frame>`
  const slide = odfSlide(
    odfShape(odfParagraph('Title'), [], 'title') + prompt + table + comment + notes,
    'presentation:use-footer-name="f1"',
  )
  const body = `<presentation:footer-decl presentation:name="f1">Harbour office</presentation:footer-decl>${slide}${slide}`
  const once = ['table-header: Port | Boats', 'table-row: Hull | 7', 'paragraph: Notes: Say this\nand that']
  assert.deepEqual(linesOf(await read(body)), [
    ...['heading1: Title', ...once, 'paragraph: Comment by Ann: Shorter', 'paragraph: Harbour office'],
    ...['heading1: Title', ...once, 'paragraph: Comment by Ann: Shorter'],
  ])
})

test('equations and text in shapes of drawings are read', async () => {
  const equation =
    '<draw:frame><draw:object><math:math><math:mi>E</math:mi><math:mo>=</math:mo><math:mi>m</math:mi></math:math></draw:object></draw:frame>'
  const shape = `<draw:custom-shape svg:x="1in" svg:y="1in">${odfParagraph('drawn.')}</draw:custom-shape>`
  assert.deepEqual(await lines(odfShape(odfParagraph('T'), [], 'title') + shape + equation), [
    ...['heading1: T', 'paragraph: drawn.', 'paragraph: E=m'],
  ])
})

test('a flat file is read like an archive', async () => {
  const body = odfSlide(odfShape(odfParagraph('One'), [1, 1, 2, 2], 'title') + odfShape(odfParagraph('two.')))
  const whole = await read(body)
  assert.deepEqual(await readOdf(buildFlatOdf('presentation', body)), {
    ...whole,
    titles: [''].slice(1),
    pageCount: null,
  })
})
