import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildFlatOdf,
  buildOdf,
  type OdfParts,
  odfManifest,
  odfParagraph,
  odfTable,
  odfXml,
} from '../../../test/support/build-odf.ts'
import { buildDocx, wordParagraph } from '../../../test/support/build-office.ts'
import { linesOf, type ReadOffice, readOdf } from '../../../test/support/read-office.ts'

const read = (body: string, parts?: OdfParts): Promise<ReadOffice> => readOdf(buildOdf('text', body, parts))
const lines = async (body: string, parts?: OdfParts) => linesOf(await read(body, parts))
const heading = (text: string, level: number, style = '') =>
  `<text:h text:style-name="${style}" text:outline-level="${level}">${text}</text:h>`
const style = (name: string, inner: string, attributes = '', family = 'paragraph') =>
  `<style:style style:name="${name}" style:family="${family}" ${attributes}>${inner}</style:style>`

test('finds headings by outline level, by style and by the style of its parent', async () => {
  const styles =
    style('Heading_20_2', '', 'style:default-outline-level="2"') +
    style('Title', '') +
    style('Quiet', '', 'style:parent-style-name="Heading_20_2" style:default-outline-level=""')
  const automatic =
    style('P1', '', 'style:parent-style-name="Heading_20_2"') + style('P2', '', 'style:parent-style-name="Title"')
  const body =
    odfParagraph('Whole', 'P2') +
    heading('One', 1) +
    odfParagraph('Two', 'P1') +
    odfParagraph('Plain', 'Quiet') +
    '<text:h>Bare</text:h>'
  assert.deepEqual(await lines(body, { styles, automatic }), [
    ...['heading1: Whole', 'heading1: One', 'heading2: Two', 'paragraph: Plain', 'heading1: Bare'],
  ])
})

const LEVELS = `<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
  <text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/>
  <text:list-level-style-number text:level="3" style:num-format="i" style:num-suffix="." text:display-levels="3"/>`
const LISTS = `<text:list-style style:name="L1">${LEVELS}</text:list-style>
  <text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>`
const list = (items: string, attributes = 'text:style-name="L1"') => `<text:list ${attributes}>${items}</text:list>`
const item = (content: string, attributes = '') =>
  `<text:list-item ${attributes}>${content.startsWith('<') ? content : odfParagraph(content)}</text:list-item>`

test('list items have their numbers, sublists theirs, and bullets none', async () => {
  const deep = list(item(list(item(list(item('deep'), '')), '')), '')
  const body =
    list(item(`${odfParagraph('one')}${odfParagraph('still one')}${list(item('a') + item('b'), '')}`) + item('two')) +
    deep.replace('<text:list >', '<text:list text:style-name="L1">') +
    list(item('dot'), 'text:style-name="B"') +
    list(`<text:list-header>${odfParagraph('above')}</text:list-header>${item('unstyled')}`, '')
  assert.deepEqual(await lines(body, { automatic: LISTS }), [
    ...['list-item: 1. one', 'paragraph: still one', 'list-item: (a) a', 'list-item: (b) b', 'list-item: 2. two'],
    ...['list-item: 1.a.i. deep', 'list-item: dot', 'paragraph: above', 'list-item: unstyled'],
  ])
})

test('a list continues another by name, its style or not at all, and starts where it says', async () => {
  const body =
    list(item('one') + item('two'), 'xml:id="l1" text:style-name="L1"') +
    list(item('new'), 'text:style-name="L1"') +
    list(item('three'), 'text:style-name="L1" text:continue-list="l1"') +
    list(item('four'), 'text:style-name="L1" text:continue-numbering="true"') +
    list(item('nine', 'text:start-value="9"') + item('ten'), 'text:style-name="L1"') +
    `<text:numbered-paragraph text:list-id="n" text:level="2" text:style-name="L1">${odfParagraph('alone')}</text:numbered-paragraph>`
  assert.deepEqual(await lines(body, { automatic: LISTS }), [
    ...['1. one', '2. two', '1. new', '3. three', '4. four', '9. nine', '10. ten', '(a) alone'].map(
      (text) => `list-item: ${text}`,
    ),
  ])
})

test('headings have the numbers of the outline', async () => {
  const styles = `<text:outline-style style:name="Outline">
    <text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/>
    <text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2" loext:num-list-format="%1%-%2%:"/>
    <text:outline-level-style text:level="3" style:num-format=""/></text:outline-style>`
  const body = heading('A', 1) + heading('B', 2) + heading('C', 3) + heading('D', 1)
  assert.deepEqual(await lines(body, { styles: styles.replace('loext:', 'style:') }), [
    ...['heading1: I. A', 'heading2: I-1: B', 'heading3: C', 'heading1: II. D'],
  ])
})

test('white space, tabs, breaks, fields and ruby text are read as shown', async () => {
  const body = `<text:p>  One
    <text:span>two</text:span><text:s text:c="3"/>x<text:tab/>y<text:line-break/>z <text:title>T</text:title>
    <text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby><text:a> link</text:a></text:p>`
  const { text } = await read(body)
  assert.equal(text, 'One two   x\ty\nz T 漢 link\n\n')
})

test('hidden runs, paragraphs and sections and deleted text are left out, inserted text is read', async () => {
  const hidden = '<style:text-properties text:display="none"/>'
  const automatic = style('T1', hidden, '', 'text') + style('P1', hidden)
  const body = `<text:tracked-changes><text:changed-region xml:id="c1"><text:deletion><text:p>deleted</text:p></text:deletion></text:changed-region></text:tracked-changes>
    <text:p>seen<text:change text:change-id="c1"/><text:span text:style-name="T1"> secret</text:span> <text:change-start/>inserted<text:change-end/></text:p>
    ${odfParagraph('whole secret', 'P1')}<text:p>gone<text:hidden-paragraph text:is-hidden="true"/></text:p>
    <text:section text:display="none">${odfParagraph('section secret')}</text:section>
    <text:section>${odfParagraph('in section')}</text:section>`
  assert.deepEqual(await lines(body, { automatic }), ['paragraph: seen inserted', 'paragraph: in section'])
})

test('notes follow their paragraph with their mark, comments with their author', async () => {
  const note = (mark: string, text: string) =>
    `<text:note><text:note-citation>${mark}</text:note-citation><text:note-body>${text}</text:note-body></text:note>`
  const comment = `<office:annotation><dc:creator>Ann</dc:creator><dc:date>2031-01-01T00:00:00</dc:date>
    ${odfParagraph('Check')}${list(item('twice'), '')}</office:annotation>`
  const body = `<text:p>Text${note('1', odfParagraph('Foot') + odfParagraph('more'))} goes${comment} on<office:annotation-end/>${note('i', heading('End', 1))}</text:p>`
  assert.deepEqual(await lines(body), [
    ...['paragraph: Text goes on', 'paragraph: 1 Foot', 'paragraph: more', 'paragraph: Comment by Ann: Check'],
    ...['paragraph: twice', 'paragraph: i End'],
  ])
})

test('text boxes follow their paragraph, and titles of shapes are not text', async () => {
  const frame = `<draw:frame><svg:title>Alternative</svg:title><svg:desc>Described</svg:desc><draw:text-box>${odfParagraph('boxed')}</draw:text-box></draw:frame>`
  const shape = `<draw:g><draw:custom-shape>${odfParagraph('drawn')}</draw:custom-shape></draw:g>`
  const picture =
    '<draw:frame><draw:image xlink:href="Pictures/1.png"><office:binary-data>iVBORw0KGgo=</office:binary-data></draw:image></draw:frame>'
  assert.deepEqual(await lines(`<text:p>before${frame}${picture} after${shape}</text:p>`), [
    ...['paragraph: before after', 'paragraph: boxed', 'paragraph: drawn'],
  ])
})

test('tables have header rows, and cells merged over rows and columns keep their place', async () => {
  const cell = (text: string, attributes = '') =>
    `<table:table-cell ${attributes}>${odfParagraph(text)}</table:table-cell>`
  const covered = '<table:covered-table-cell/>'
  const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
  const rows =
    `<table:table-header-rows>${row(cell('Port'), cell('Crates'), cell('Note'))}</table:table-header-rows>` +
    row(cell('North', 'table:number-rows-spanned="2"'), cell('12'), cell('x')) +
    row(covered, cell('13'), cell('y')) +
    row(cell('Total', 'table:number-columns-spanned="2"'), covered, cell('25')) +
    row(cell('South', 'table:number-rows-spanned="2" table:number-columns-spanned="2"'), covered, cell('a')) +
    row(covered, covered, cell('b')) +
    row(cell('same', 'table:number-columns-repeated="3"'))
  const { blocks } = await read(`<table:table><table:table-column/>${rows}</table:table>${odfParagraph('after')}`)
  assert.deepEqual(
    blocks.map(({ kind, text }) => `${kind}: ${text.trim()}`),
    [
      ...['table-header: Port | Crates | Note', 'table-row: North | 12 | x', 'table-row: North | 13 | y'],
      ...['table-row: Total |  | 25', 'table-row: South |  | a', 'table-row: South |  | b'],
      ...['table-row: same | same | same', 'blank: ', 'paragraph: after'],
    ],
  )
})

test('rows of a program that leaves out covered cells keep their columns', async () => {
  const rows = `<table:table-row><table:table-cell table:number-rows-spanned="2">${odfParagraph('Boat')}</table:table-cell>
    <table:table-cell>${odfParagraph('12')}</table:table-cell></table:table-row>
    <table:table-row><table:table-cell>${odfParagraph('13')}</table:table-cell></table:table-row>`
  assert.deepEqual(await lines(`<table:table>${rows}</table:table>`), ['table-row: Boat | 12', 'table-row: Boat | 13'])
})

test('a table in a cell keeps its rows and finds its header', async () => {
  const inner = odfTable([
    ['Day', 'Hours'],
    ['Monday', '8'],
    ['Friday', '6'],
  ])
  assert.deepEqual(
    await lines(
      odfTable([
        ['Port', 'Open'],
        ['Quay', inner],
        ['Mole', 'closed'],
      ]),
    ),
    [
      ...['table-row: Port | Open', 'paragraph: Quay', 'table-header: Day | Hours', 'table-row: Monday | 8'],
      ...['table-row: Friday | 6', 'table-row: Mole | closed'],
    ],
  )
})

test('headers come first and footers last, each text once', async () => {
  const side = (name: string, text: string, attributes = '') =>
    `<style:${name} ${attributes}>${odfParagraph(text)}</style:${name}>`
  const page = (inner: string) => `<style:master-page style:name="m">${inner}</style:master-page>`
  const masters =
    page(side('header', 'Harbour') + side('footer', 'Office <text:page-number>1</text:page-number>')) +
    page(side('header', 'Harbour') + side('header-left', '12') + side('footer', 'unused', 'style:display="false"'))
  assert.deepEqual(await lines(odfParagraph('Text'), { masters }), [
    ...['paragraph: Harbour', 'paragraph: Text', 'paragraph: Office 1'],
  ])
})

test('pages are counted where the document marks their ends', async () => {
  const breaks = '<style:paragraph-properties fo:break-before="page"/>'
  const automatic = style('P1', breaks) + style('P2', '', 'style:master-page-name="Landscape"')
  const body =
    odfParagraph('one', 'P1') +
    `<text:p>still one <text:soft-page-break/>two</text:p>` +
    odfParagraph('three', 'P1') +
    odfTable([['a', '1']]) +
    odfParagraph('four', 'P2')
  const { blocks, pages } = await read(body, { automatic })
  assert.deepEqual(
    blocks.filter(({ kind }) => kind !== 'blank').map(({ text, page }) => [text.trim(), page]),
    [
      ['one', 1],
      ['still one two', 1],
      ['three', 3],
      ['a | 1', 3],
      ['four', 4],
    ],
  )
  assert.deepEqual(
    pages.map(({ page, method }) => [page, method]),
    [
      [1, 'text'],
      [2, 'empty'],
      [3, 'text'],
      [4, 'text'],
    ],
  )
  assert.deepEqual(
    (await read(odfParagraph('x', 'P2'), { automatic: style('P2', '', 'style:master-page-name="A"') })).pages,
    [],
  )
})

test('charts, equations and embedded files are read in their place', async () => {
  const chart = odfXml(
    'document-content',
    `<office:body><office:chart><chart:chart><chart:title>${odfParagraph('Catch')}</chart:title>${odfTable([
      ['Month', 'Fish'],
      ['May', '7'],
    ])}</chart:chart></office:chart></office:body>`,
  )
  const formula = `<math:math xmlns:math="m"><math:semantics><math:mfrac><math:mi>a</math:mi><math:mi>b</math:mi></math:mfrac>
    <math:annotation>a over b</math:annotation></math:semantics></math:math>`
  const object = (name: string, element = 'object') =>
    `<draw:frame><draw:${element} xlink:href="./${name}"/><draw:image xlink:href="./ObjectReplacements/${name}"/></draw:frame>`
  const files = {
    'META-INF/manifest.xml': odfManifest(
      'text',
      '<manifest:file-entry manifest:full-path="Object 2/" manifest:media-type="application/vnd.oasis.opendocument.formula"/>',
    ),
    'Object 1/content.xml': chart,
    'Object 2/content.xml': formula,
    'Object 3': buildDocx(wordParagraph('in Word')),
  }
  const body = `<text:p>Ratio ${object('Object 2')} of${object('Object 1')}${object('Object 1')}${object('Object 3', 'object-ole')}${object('Gone')}</text:p>`
  assert.deepEqual(await lines(body, { files }), [
    ...['paragraph: Ratio a/b of', 'paragraph: Catch', 'table-header: Month | Fish', 'table-row: May | 7'],
    'paragraph: in Word',
  ])
})

test('form controls show their values where they are', async () => {
  const forms = `<office:forms><form:form form:name="f"><form:text form:id="c1" form:current-value="Ann"/><form:password form:id="c2" form:value="secret"/>
    <form:checkbox form:id="c3" form:label="Paid" form:current-state="checked"/><form:listbox form:id="c4"><form:option form:label="East"/><form:option form:label="West" form:current-selected="true"/></form:listbox></form:form></office:forms>`
  const control = (id: string) => `<draw:control draw:control="${id}"/>`
  const body = `${forms}<text:p>Name: ${control('c1')}${control('c2')} ${control('c3')} ${control('c4')}</text:p>`
  assert.deepEqual(await lines(body), ['paragraph: Name: Ann ☒ Paid West'])
})

test('a flat file and a file with unusual prefixes or UTF-16 are read like an archive', async () => {
  const parts = {
    automatic: LISTS,
    title: 'Dues',
    masters: `<style:master-page><style:header>${odfParagraph('Head')}</style:header></style:master-page>`,
  }
  const body = heading('One', 1) + list(item('first')) + odfTable([['a', '1']])
  const whole = await readOdf(buildOdf('text', body, parts))
  const flat = buildFlatOdf('text', body, parts)
  assert.deepEqual(whole.titles, ['Dues'])
  assert.deepEqual(await readOdf(flat), whole)
  const renamed = flat.toString().replaceAll('text:', 'w:').replaceAll('office:', 'o:').replaceAll('table:', 'q:')
  assert.equal((await readOdf(Buffer.from(renamed))).text, whole.text)
  const wide = Buffer.from(`\ufeff${flat.toString().replace('UTF-8', 'UTF-16')}`, 'utf16le')
  assert.equal((await readOdf(wide)).text, whole.text)
})

test('a damaged part of styles costs no text, and damage of the text keeps what is before', async () => {
  const files = { 'styles.xml': '<office:document-styles><office:styles>', 'meta.xml': '<a><b></a>' }
  const { text, warnings } = await read(odfParagraph('Text'), { files })
  assert.equal(text, 'Text\n\n')
  assert.ok(warnings.length > 0)
})

test('an encrypted file and a file without its text are refused', async () => {
  const encryption =
    '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>'
  for (const files of [{ 'META-INF/manifest.xml': odfManifest('text', encryption) }, { 'encrypted-package': 'x' }])
    await assert.rejects(read('', { files }), { code: 'unprocessable_document', message: /password protected/ })
  await assert.rejects(read(''), /no text/)
  await assert.rejects(readOdf(buildOdf('drawing', '')), /not a text, spreadsheet or presentation/)
  await assert.rejects(read('', { files: { 'content.xml': '<x/>' } }), /no body/)
  await assert.rejects(readOdf(buildDocx(wordParagraph('x'))), /content\.xml is missing/)
})

test('tables nested deeply and cells repeated too often are refused', async () => {
  const nested = '<table:table><table:table-row><table:table-cell>'.repeat(20)
  const closed = '</table:table-cell></table:table-row></table:table>'.repeat(20)
  await assert.rejects(read(`${nested}x${closed}`), /tables are nested too deeply/)
  const cell = `<table:table-cell table:number-columns-repeated="999999999">${odfParagraph('x'.repeat(100_000))}</table:table-cell>`
  const row = `<table:table-row table:number-rows-repeated="999999999">${cell}</table:table-row>`
  await assert.rejects(read(`<table:table>${row}</table:table>`), /too large when unpacked: its cells repeat/)
  const spaces = '<text:s text:c="999999999"/>'
  assert.ok((await read(`<text:p>a${spaces}b</text:p>`)).text.length < 1_000)
})
