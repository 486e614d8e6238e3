import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildDocx, buildXlsx, sheetRows, wordParagraph, xml } from '../../../../test/support/build-office.ts'
import { readOffice } from '../../../../test/support/read-office.ts'
import { hasPageMarks } from './docx-events.ts'

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string) => `<w:p>${content}</w:p>`

async function linesOf(body: string, ...rest: [Record<string, string | Buffer>?, Record<string, [string, string]>?]) {
  const { text } = await readOffice(buildDocx(body, ...rest))
  return text.split('\n').filter((line) => line !== '')
}

test('headings are found by outline level, inherited style and localized style', async () => {
  const style = (id: string, name: string, inner: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${inner}</w:style>`
  const outline = (level: number) => `<w:pPr><w:outlineLvl w:val="${level}"/></w:pPr>`
  const styles = [
    style('berschrift1', 'heading 1', outline(0)),
    style('Kapitel', 'Kapitel', '<w:basedOn w:val="berschrift1"/>'),
    style('Unterkapitel', 'Eigene', outline(1)),
    style('NotHeading', 'Quiet', `<w:basedOn w:val="berschrift1"/>${outline(9)}`),
    style('Titel', 'Title', ''),
  ]
  const body = ['Titel', 'Kapitel', 'Unterkapitel', 'NotHeading', 'berschrift1']
    .map((id) => wordParagraph(`Text ${id}`, `<w:pStyle w:val="${id}"/>`))
    .concat(wordParagraph('Direct', '<w:outlineLvl w:val="2"/>'))
  const parts = { 'word/styles.xml': xml('w:styles', styles.join('')) }
  const { blocks } = await readOffice(buildDocx(body.join(''), parts, { rId9: ['styles', 'styles.xml'] }))
  assert.deepEqual(
    blocks.map(({ kind, level, heading }) => [kind, level ?? 0, heading ?? '']),
    [
      ['heading', 1, 'Text Titel'],
      ['heading', 1, 'Text Kapitel'],
      ['heading', 2, 'Text Unterkapitel'],
      ['paragraph', 0, ''],
      ['heading', 1, 'Text berschrift1'],
      ['heading', 3, 'Direct'],
    ],
  )
})

test('list numbers match Word, and bullets are unnumbered items', async () => {
  const level = (at: number, format: string, text: string) =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
  const numbering = xml(
    'w:numbering',
    `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum>
     <w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '')}</w:abstractNum>
     <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
     <w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
     <w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>`,
  )
  const item = (text: string, list: number, at = 0) =>
    wordParagraph(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`)
  const body = [item('one', 1), item('a', 1, 1), item('b', 1, 1), item('two', 1), item('a again', 1, 1)]
    .concat(wordParagraph('between'), item('seven', 2), item('bullet', 3), item('none', 0))
    .join('')
  const lines = await linesOf(body, { 'word/numbering.xml': numbering }, { rId9: ['numbering', 'numbering.xml'] })
  assert.deepEqual(lines, [
    ...['1. one', '1.a) a', '1.b) b', '2. two', '2.a) a again'],
    ...['between', '7. seven', 'bullet', 'none'],
  ])
})

test('a table has a header and rows, with merged cells repeated and nested rows in their cell', async () => {
  const cell = (text: string, properties = '') =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${text.startsWith('<') ? text : wordParagraph(text)}</w:tc>`
  const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
  const inner = `<w:tbl>${row(cell('in'), cell('ner'))}</w:tbl><w:p/>`
  const body = `<w:tbl><w:tblPr/><w:tblGrid/>${row(cell('Region'), cell('Crates'), cell('Note'))}
    ${row(cell('North', '<w:vMerge w:val="restart"/>'), cell('12'), cell('first'))}
    ${row(cell('', '<w:vMerge/>'), cell('13'), cell(inner))}
    ${row(cell('Total', '<w:gridSpan w:val="2"/>'), cell('25'))}</w:tbl>`
  const { blocks } = await readOffice(buildDocx(body))
  assert.deepEqual(
    blocks.map(({ kind, text }) => [kind, text]),
    [
      ['table-header', 'Region | Crates | Note\n'],
      ['table-row', 'North | 12 | first\n'],
      ['table-row', 'North | 13 | in | ner\n'],
      ['table-row', 'Total |  | 25\n'],
      ['blank', '\n'],
    ],
  )
  assert.deepEqual(
    blocks.map(({ beginsTable }) => beginsTable === true),
    [true, false, false, false, false],
  )
})

test('a table in a cell of another keeps its rows', async () => {
  const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`
  const rowOf = (...texts: string[]) => row(...texts.map((text) => wordParagraph(text)))
  const inner = `<w:tbl>${rowOf('Day', 'Hours')}${rowOf('Monday', '8')}${rowOf('Friday', '6')}</w:tbl><w:p/>`
  const header = '<w:tr><w:trPr><w:tblHeader/></w:trPr>'
  const tables = [rowOf('Port', 'Open'), rowOf('Port', 'Open').replace('<w:tr>', header)]
  for (const head of tables) {
    const body = `<w:tbl>${head}${row(wordParagraph('Quay'), inner)}${rowOf('Mole', 'closed')}</w:tbl>`
    assert.deepEqual(await linesOf(body), [
      ...['Port | Open', 'Quay', 'Day | Hours', 'Monday | 8', 'Friday | 6'],
      'Mole | closed',
    ])
  }
})

test('a single cell around a page is not a table', async () => {
  const body = `<w:tbl><w:tr><w:tc>${wordParagraph('Dear reader')}${wordParagraph('Second')}</w:tc></w:tr></w:tbl>`
  const { blocks } = await readOffice(buildDocx(body))
  assert.deepEqual(
    blocks.map(({ kind, text }) => [kind, text.trim()]),
    [
      ['paragraph', 'Dear reader'],
      ['paragraph', 'Second'],
    ],
  )
})

test('a table with a marked header keeps its rows, however long', async () => {
  const row = (first: string, second: string, properties = '') =>
    `<w:tr><w:trPr>${properties}</w:trPr><w:tc>${wordParagraph(first)}</w:tc><w:tc>${second}</w:tc></w:tr>`
  const long = 'A sentence. '.repeat(200).trim()
  const body = `<w:tbl>${row('ID', wordParagraph('Requirement'), '<w:tblHeader/>')}
    ${row('R1', wordParagraph(long) + wordParagraph('Second') + wordParagraph('Third'))}${row('R2', wordParagraph('short'))}</w:tbl>`
  const { blocks } = await readOffice(buildDocx(body))
  assert.deepEqual(
    blocks.map(({ kind, text }) => [kind, text]),
    [
      ['table-header', 'ID | Requirement\n'],
      ['table-row', `R1 | ${long} Second Third\n`],
      ['table-row', 'R2 | short\n'],
      ['blank', '\n'],
    ],
  )
})

test('the header of a table may follow a title over all columns', async () => {
  const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`
  const title = (text: string) => `<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${wordParagraph(text)}</w:tc>`
  const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
  const table = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`
  const rows = [row(cell('Name'), cell('City')), row(title('Below')), row(cell('Ann'), cell('Rome'))]
  const kindsOf = async (body: string) =>
    (await readOffice(buildDocx(body))).blocks.map(({ kind, text }) => `${kind}: ${text.trim()}`)
  const below = ['table-header: Name | City', 'table-row: Below', 'table-row: Ann | Rome', 'blank: ']
  assert.deepEqual(await kindsOf(table(...rows)), below)
  assert.deepEqual(await kindsOf(table(row(title('People')), ...rows)), ['table-row: People', ...below])
})

test('a row that starts in a later column stays in that column', async () => {
  const row = (properties: string, ...texts: string[]) =>
    `<w:tr><w:trPr>${properties}</w:trPr>${texts.map((text) => `<w:tc>${wordParagraph(text)}</w:tc>`).join('')}</w:tr>`
  const rows = [row('', 'Region', 'City', 'Crates'), row('<w:gridBefore w:val="1"/>', 'Bergen', '7')]
  const last = [row('<w:gridBefore w:val="2"/>', '9'), row('<w:gridBefore w:val="0"/>', 'South', 'Rome', '3')]
  assert.deepEqual(await linesOf(`<w:tbl>${[...rows, ...last].join('')}</w:tbl>`), [
    ...['Region | City | Crates', ' | Bergen | 7', ' |  | 9', 'South | Rome | 3'],
  ])
})

test('footnotes, endnotes and comments follow the paragraph that references them', async () => {
  const note = (kind: string, id: number, text: string, attributes = '') =>
    `<w:${kind} w:id="${id}" ${attributes}>${wordParagraph(text)}</w:${kind}>`
  const parts = {
    'word/footnotes.xml': xml(
      'w:footnotes',
      note('footnote', -1, 'line', 'w:type="separator"') + note('footnote', 2, 'Foot'),
    ),
    'word/endnotes.xml': xml('w:endnotes', note('endnote', 1, 'End')),
    'word/comments.xml': xml('w:comments', note('comment', 0, 'Why?', 'w:author="Ines"')),
  }
  const references = '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:endnoteReference w:id="1"/></w:r>'
  const body =
    paragraph(`${run('Claim')}${references}<w:r><w:commentReference w:id="0"/></w:r>`) + wordParagraph('Next')
  const lines = await linesOf(body, parts, {
    rId1: ['footnotes', 'footnotes.xml'],
    rId2: ['endnotes', 'endnotes.xml'],
    rId3: ['comments', 'comments.xml'],
  })
  assert.deepEqual(lines, ['Claim', '1 Foot', '1 End', 'Comment by Ines: Why?', 'Next'])
})

test('headers are emitted once before the text, footers after it, bare page numbers never', async () => {
  const parts = {
    'word/header1.xml': xml('w:hdr', wordParagraph('Velmora')),
    'word/header2.xml': xml('w:hdr', wordParagraph('Velmora')),
    'word/footer1.xml': xml('w:ftr', wordParagraph('Confidential')),
    'word/footer2.xml': xml('w:ftr', wordParagraph('12')),
  }
  const lines = await linesOf(wordParagraph('Body'), parts, {
    rId1: ['header', 'header1.xml'],
    rId2: ['header', 'header2.xml'],
    rId3: ['footer', 'footer1.xml'],
    rId4: ['footer', 'footer2.xml'],
  })
  assert.deepEqual(lines, ['Velmora', 'Body', 'Confidential'])
})

test('inserted text is read; deleted, hidden and moved text is not', async () => {
  const body = paragraph(
    `${run('The ')}<w:ins>${run('new ')}</w:ins><w:del><w:r><w:delText>old </w:delText></w:r></w:del><w:moveFrom>${run('gone ')}</w:moveFrom><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret </w:t></w:r>${run('price')}`,
  )
  const joined = `<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>${run('One ')}</w:p>${paragraph(run('sentence'))}`
  const deletedRow = `<w:tbl><w:tr><w:trPr><w:del w:id="3"/></w:trPr><w:tc>${wordParagraph('never')}</w:tc></w:tr></w:tbl>`
  assert.deepEqual(await linesOf(body + joined + deletedRow), ['The new price', 'One sentence'])
})

test('a paragraph with a deleted mark ends with its cell, note, box or text, and before a table', async () => {
  const open = (text: string) => wordParagraph(text, '<w:rPr><w:del w:id="1"/></w:rPr>')
  const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`
  const note = (id: number, content: string) => `<w:footnote w:id="${id}">${content}</w:footnote>`
  const reference = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`
  const box = `<w:r><w:pict><v:textbox><w:txbxContent>${open('Boxed')}</w:txbxContent></v:textbox></w:pict></w:r>`
  const body = `${paragraph(run('Text') + reference(2) + reference(3) + box)}${wordParagraph('Between')}${open('Before')}
    <w:tbl>${row(open('A1'), open('B1') + wordParagraph(' more'))}</w:tbl>${open('The ')}${open('last')}`
  const notes = xml('w:footnotes', note(2, open('One')) + note(3, wordParagraph('Other')))
  const parts = { 'word/footnotes.xml': notes, 'word/footer1.xml': xml('w:ftr', open('Footer')) }
  const lines = await linesOf(body, parts, { rId1: ['footnotes', 'footnotes.xml'], rId2: ['footer', 'footer1.xml'] })
  assert.deepEqual(lines, [
    ...['Text', '1 One', '2 Other', 'Boxed', 'Between', 'Before', 'A1 | B1 more', 'The last', 'Footer'],
  ])
})

test('events nested in a paragraph with a deleted mark follow the joined text', async () => {
  const parts = {
    'word/footnotes.xml': xml('w:footnotes', `<w:footnote w:id="2">${wordParagraph('Foot')}</w:footnote>`),
  }
  const open = `<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>${run('One ')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`
  const lines = await linesOf(open + wordParagraph('sentence'), parts, { rId1: ['footnotes', 'footnotes.xml'] })
  assert.deepEqual(lines, ['One sentence', '1 Foot'])
})

test('a hidden run is hidden to its end, and the next run is visible', async () => {
  const hidden = (content: string) => `<w:r><w:rPr><w:vanish/></w:rPr>${content}</w:r>`
  const equation = '<m:oMath><m:r><m:t>E=m</m:t></m:r></m:oMath>'
  const box = `<w:pict><v:textbox><w:txbxContent>${wordParagraph('never')}</w:txbxContent></v:textbox></w:pict>`
  const body = paragraph(hidden('<w:t>never</w:t>') + equation) + paragraph(equation)
  const boxed = paragraph(`${hidden(`${box}<w:t>never</w:t>`)}${run('shown')}`)
  assert.deepEqual(await linesOf(body + boxed), ['E=m', 'E=m', 'shown'])
})

test('text is hidden by its run style or paragraph style, unless both apply or the run overrides them', async () => {
  const style = (type: string, id: string, inner: string) =>
    `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${id}"/>${inner}</w:style>`
  const vanish = '<w:rPr><w:vanish/></w:rPr>'
  const styles = [
    style('character', 'Secret', vanish),
    style('character', 'Deeper', '<w:basedOn w:val="Secret"/>'),
    style('paragraph', 'Note', vanish),
  ]
  const styled = (id: string, text: string) => `<w:r><w:rPr>${id}</w:rPr><w:t>${text}</w:t></w:r>`
  const runs = [
    styled('<w:rStyle w:val="Secret"/>', 'never'),
    styled('<w:rStyle w:val="Deeper"/>', 'never'),
    styled('<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>', 'shown'),
  ]
  const note = [
    run('never'),
    styled('<w:vanish w:val="0"/>', 'also '),
    styled('<w:rStyle w:val="Secret"/>', 'shown'),
  ].join('')
  const body = paragraph(runs.join('')) + paragraph(`<w:pPr><w:pStyle w:val="Note"/></w:pPr>${note}`)
  const parts = { 'word/styles.xml': xml('w:styles', styles.join('')) }
  assert.deepEqual(await linesOf(body, parts, { rId9: ['styles', 'styles.xml'] }), ['shown', 'also shown'])
})

test('a text box is read once, after its paragraph', async () => {
  const box = `<w:txbxContent>${wordParagraph('Boxed')}</w:txbxContent>`
  const both = `<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>${box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent>`
  assert.deepEqual(await linesOf(paragraph(`${run('Before ')}<w:r>${both}</w:r>${run('after')}`)), [
    'Before after',
    'Boxed',
  ])
})

test('fields yield their results, never their instructions', async () => {
  const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const complex = `${field('begin')}<w:r><w:instrText> DATE </w:instrText></w:r>${run('hidden')}${field('separate')}${run('3 May')}${field('end')}`
  const body = paragraph(`${run('On ')}${complex}<w:fldSimple w:instr="PAGE">${run(' 4')}</w:fldSimple>`)
  const unclosed = paragraph(`${field('begin')}${run('lost')}`) + paragraph(run('not lost'))
  assert.deepEqual(await linesOf(body + unclosed), ['On 3 May 4', 'not lost'])
})

test('check boxes and drop-down lists show their current value', async () => {
  const field = (data: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r><w:r><w:instrText>FORM</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
  const box = field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')
  const empty = field('<w:checkBox><w:default w:val="0"/></w:checkBox>')
  const list = field(
    '<w:ddList><w:result w:val="1"/><w:listEntry w:val="Oslo"/><w:listEntry w:val="Bergen"/></w:ddList>',
  )
  const body = paragraph(`${box}${run(' yes ')}${empty}${run(' no, in ')}${list}`)
  assert.deepEqual(await linesOf(body), ['☒ yes ☐ no, in Bergen'])
})

test('symbols, tabs, breaks and links are characters of the text', async () => {
  const body = paragraph(
    `<w:hyperlink r:id="rId1">${run('site')}</w:hyperlink><w:r><w:tab/><w:sym w:font="Symbol" w:char="F061"/><w:noBreakHyphen/><w:t>x</w:t><w:br/><w:t>next</w:t></w:r>`,
  )
  assert.deepEqual(await linesOf(body), ['site\tα-x', 'next'])
})

test('pages are numbered when the document marks their ends', async () => {
  const body = `${wordParagraph('First')}${paragraph('<w:r><w:br w:type="page"/></w:r>')}
    ${paragraph(`<w:r><w:lastRenderedPageBreak/><w:t>Second</w:t></w:r>`)}
    ${paragraph(`${run('Also second ')}<w:r><w:lastRenderedPageBreak/><w:t>and third</w:t></w:r>`)}${wordParagraph('Third')}`
  const { blocks, pages } = await readOffice(buildDocx(body))
  assert.deepEqual(
    blocks.map(({ text, page }) => [text.trim(), page]),
    [
      ['First', 1],
      ['Second', 2],
      ['Also second and third', 2],
      ['Third', 3],
    ],
  )
  assert.deepEqual(
    pages.map(({ page, method, characters }) => [page, method, characters]),
    [
      [1, 'text', 7],
      [2, 'text', 31],
      [3, 'text', 7],
    ],
  )
  assert.deepEqual((await readOffice(buildDocx(wordParagraph('No pages')))).pages, [])
})

test('a document with only disabled page breaks has no pages', async () => {
  const pageBreak = (value: string) => wordParagraph('Text', `<w:pageBreakBefore${value}/>`)
  const none = ['0', 'false', 'off'].map((value) => pageBreak(` w:val="${value}"`)).join('')
  const { blocks, pages } = await readOffice(buildDocx(none))
  assert.deepEqual(pages, [])
  assert.deepEqual(
    blocks.map(({ page }) => page),
    [undefined, undefined, undefined],
  )
  for (const value of ['', ' w:val="1"']) {
    const marked = await readOffice(buildDocx(none + pageBreak(value)))
    assert.equal(marked.pages.length, 2, value)
  }
})

test('an equation is one readable line', async () => {
  const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
  const fraction = `<m:f><m:num>${r('a+b')}</m:num><m:den>${r('2')}</m:den></m:f>`
  const power = `<m:sSup><m:e>${r('x')}</m:e><m:sup>${r('2')}</m:sup></m:sSup>`
  const root = `<m:rad><m:deg/><m:e>${r('y')}</m:e></m:rad>`
  const body = paragraph(`${run('So ')}<m:oMath>${fraction}${r('=')}${power}${r('+')}${root}</m:oMath>${run(' holds')}`)
  assert.deepEqual(await linesOf(body), ['So (a+b)/2=x^2+√y holds'])
})

test('charts, diagrams and embedded files keep their place in the text', async () => {
  const series = (
    name: string,
    values: string,
  ) => `<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:strCache></c:strRef></c:tx>
    <c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>March</c:v></c:pt><c:pt idx="1"><c:v>April</c:v></c:pt></c:strCache></c:strRef></c:cat>
    <c:val><c:numRef><c:numCache>${values}</c:numCache></c:numRef></c:val></c:ser>`
  const values = '<c:pt idx="0"><c:v>4.3</c:v></c:pt><c:pt idx="1"><c:v>5</c:v></c:pt>'
  const point = (id: number, text: string, type = 'node') =>
    `<dgm:pt modelId="${id}" type="${type}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
  const connection = (from: number, to: number, order: number) =>
    `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`
  const embedded = buildXlsx([{ name: 'Inner', content: sheetRows([['Deep', 1]]) }])
  const parts = {
    'word/charts/chart1.xml': xml(
      'c:chartSpace',
      `<c:title><a:p><a:r><a:t>Harvest</a:t></a:r></a:p></c:title>${series('Quince', values)}`,
    ),
    'word/diagrams/data1.xml': xml(
      'dgm:dataModel',
      `<dgm:ptLst>${point(0, '', 'doc')}${point(2, 'Store')}${point(1, 'Pick')}${point(3, 'Pick', 'pres')}</dgm:ptLst>${connection(0, 1, 0)}${connection(0, 2, 1)}`,
    ),
    'word/embeddings/book.xlsx': embedded,
  }
  const object = (element: string) => paragraph(`<w:r><w:drawing>${element}</w:drawing></w:r>`)
  const body = `${wordParagraph('Before')}${object('<c:chart r:id="rId1"/>')}${object('<dgm:relIds r:dm="rId2"/>')}${object('<o:OLEObject r:id="rId3"/>')}${wordParagraph('After')}`
  const lines = await linesOf(body, parts, {
    rId1: ['chart', 'charts/chart1.xml'],
    rId2: ['diagramData', 'diagrams/data1.xml'],
    rId3: ['package', 'embeddings/book.xlsx'],
  })
  assert.deepEqual(lines, [
    ...['Before', 'Harvest', ' | Quince', 'March | 4.3', 'April | 5', 'Pick', 'Store'],
    ...['Inner', 'Deep | 1', 'After'],
  ])
})

test('a file inside an embedded file is not read', async () => {
  const object = paragraph('<w:r><w:object><o:OLEObject r:id="rId1"/></w:object></w:r>')
  const inside = (name: string, file: Buffer | null) =>
    file === null
      ? buildDocx(wordParagraph(name))
      : buildDocx(wordParagraph(name) + object, { 'word/x.docx': file }, { rId1: ['package', 'x.docx'] })
  const { text } = await readOffice(inside('one', inside('two', inside('three', null))))
  assert.equal(text, 'one\n\ntwo\n\n')
})

test('an element named like an inherited object property is ignored, and its content is read', async () => {
  const names = ['__proto__', '__defineGetter__', 'constructor', 'toString']
  const odd = names.map((name) => `<w:${name}>${paragraph(run(`In ${name}`))}</w:${name}>`).join('')
  const equation = names.map((name) => `<m:${name}><m:r><m:t>x</m:t></m:r></m:${name}>`).join('')
  assert.deepEqual(await linesOf(`${odd}${paragraph(`<m:oMath>${equation}</m:oMath>${run(' After')}`)}`), [
    ...names.map((name) => `In ${name}`),
    'xxxx After',
  ])
})

async function* inPieces(text: string, at: number) {
  yield Buffer.from(text.slice(0, at))
  yield Buffer.from(text.slice(at))
}

test('enabled page marks are found across chunk boundaries, disabled marks are not', async () => {
  const marks: [string, boolean][] = [
    ['<w:r><w:lastRenderedPageBreak/></w:r>', true],
    ['<w:br w:type="page"/>', true],
    ['<w:pageBreakBefore/>', true],
    ['<w:pageBreakBefore w:val="0"/>', false],
    ['<w:p/>', false],
  ]
  for (const [text, isMarked] of marks) {
    for (let at = 0; at <= text.length; at += 1) {
      assert.equal(await hasPageMarks(inPieces(text, at)), isMarked, `${text} at ${at}`)
    }
  }
})
