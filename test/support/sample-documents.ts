/**
 * A small document of every format other than plain text, written for these tests about an invented
 * lighthouse. The builders in this folder assemble the Office files and PDFs byte by byte.
 */
import { buildDocx, buildPptx, buildXlsx, links, slideShape, wordParagraph, xml } from './build-office.ts'
import { buildPptFile, textShape } from './build-ppt-file.ts'
import { buildScannedPdf } from './build-scanned-pdf.ts'
import { buildWordFile } from './build-word-file.ts'
import { buildXlsFile } from './build-xls-file.ts'

/** A document and the expected content. */
export type SampleDocument = {
  filename: string
  mimeType: string
  content: Uint8Array<ArrayBuffer>
  /** Parts of the text, in this order. */
  says: readonly string[]
  /**
   * A question and the position of the answering passage; `null` where the format has no pages or
   * sections.
   */
  question: string
  answer: { says: string; page: number | null; section: string | null }
}

/** Enough text to push the rest into a separate passage. */
const FILLER = Array.from({ length: 20 }, (_, index) => `Evening ${index + 1} passed quietly, and the sea lay still.`)
const PARAGRAPH = FILLER.join(' ')

/** The documents by format name of the API document. */
export const SAMPLE_DOCUMENTS: Readonly<Record<string, SampleDocument>> = {
  PDF: {
    filename: 'lighthouse.pdf',
    mimeType: 'application/pdf',
    content: bytes(
      buildScannedPdf([
        ['The lighthouse of Varn was lit in 1871 and has 212 steps.', ...FILLER].join('\n'),
        ['Keeper Odile Brandt painted the lantern room green.', ...FILLER].join('\n'),
      ]),
    ),
    says: ['was lit in 1871', 'painted the lantern room green'],
    question: 'Who painted the lantern room?',
    answer: { says: 'Odile Brandt', page: 2, section: null },
  },
  DOCX: {
    filename: 'keepers.docx',
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    content: bytes(makeDocx()),
    says: ['Duties of the keeper', '1. Wind the clockwork', '2. Trim the wick', 'Month | Oil', 'March | 41 litres'],
    question: 'How much oil in March?',
    answer: { says: 'March | 41 litres', page: null, section: 'Stores' },
  },
  DOC: {
    filename: 'log-book.doc',
    mimeType: 'application/msword',
    content: bytes(
      buildWordFile({
        stories: {
          0: `Storms\rThe gale of Märchen Bay broke four panes.\r${PARAGRAPH}\rRepairs\rThe glazier came from Tollness.\r`,
        },
        styles: [0, 1],
        paragraphs: { 0: { style: 1, changes: [] }, 3: { style: 1, changes: [] } },
      }),
    ),
    says: ['The gale of Märchen Bay broke four panes.', 'The glazier came from Tollness.'],
    question: 'Where did the glazier come from?',
    answer: { says: 'Tollness', page: null, section: 'Repairs' },
  },
  XLSX: {
    filename: 'stores.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: bytes(makeXlsx()),
    says: ['Item | Price | Bought', '1234.5 (1,234.50 kr)', '2024-03-01', 'Brass polish'],
    question: 'Which shelf holds the brass polish?',
    answer: { says: 'Brass polish | Shelf 9', page: 2, section: 'Shelves' },
  },
  XLS: {
    filename: 'lamps.xls',
    mimeType: 'application/vnd.ms-excel',
    content: bytes(makeXls()),
    says: ['Lamp | Price | Lit', '87.5 (87.50 kr)', '1999-11-05', 'Spare burner'],
    question: 'Which crate holds the spare burner?',
    answer: { says: 'Spare burner | Crate 4', page: 2, section: 'Crates' },
  },
  PPTX: {
    filename: 'visitors.pptx',
    mimeType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    content: bytes(makePptx()),
    says: ['Visiting the tower', 'Boats leave at nine', 'Safety on the stairs', 'Remind them of the low beam'],
    question: 'What must visitors be reminded of? Low beam',
    answer: { says: 'low beam', page: 2, section: 'Safety on the stairs' },
  },
  PPT: {
    filename: 'history.ppt',
    mimeType: 'application/vnd.ms-powerpoint',
    content: bytes(
      buildPptFile({
        slides: [
          { shapes: [textShape(0, 'Before the tower'), textShape(1, `A fire basket stood on the rock\r${PARAGRAPH}`)] },
          { shapes: [textShape(0, 'The great lens'), textShape(1, 'It came by sledge from Orlund')], notes: 'Show it' },
        ],
      }),
    ),
    says: ['A fire basket stood on the rock', 'It came by sledge from Orlund', 'Show it'],
    question: 'How did the great lens arrive? sledge',
    answer: { says: 'sledge from Orlund', page: 2, section: 'The great lens' },
  },
  HTML: {
    filename: 'page.html',
    mimeType: 'text/html',
    content: bytes(
      Buffer.from(`<!doctype html><html><head><meta charset="utf-8"><title>The Varn light</title><style>p{color:red}</style>
<script>const hidden = 'nobody reads this'</script></head><body><nav><a href="/">Home</a></nav><h1>The Varn light</h1><p>${PARAGRAPH}</p>
<h2>Signal</h2><p>Two white flashes every <b>eleven</b> seconds &amp; a fog horn.</p><ol><li>Switch on</li><li>Report</li></ol>
<table><tr><th>Colour</th><th>Bearing</th></tr><tr><td>Red</td><td>310°</td></tr></table></body></html>`),
    ),
    says: ['Two white flashes every eleven seconds & a fog horn.', '1. Switch on', 'Colour | Bearing', 'Red | 310°'],
    question: 'How many white flashes?',
    answer: { says: 'eleven seconds', page: null, section: 'Signal' },
  },
  XML: {
    filename: 'inventory.xml',
    mimeType: 'application/xml',
    content: bytes(
      Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><inventory><!-- counted twice --><item id="L-7"><name>Spare mantle</name>
<room>Oil cellar</room></item><item id="L-8"><name>Fog bell</name><room><![CDATA[Gallery & roof]]></room></item></inventory>`),
    ),
    says: ['Spare mantle', 'Oil cellar', 'Gallery & roof'],
    question: 'Where is the fog bell?',
    answer: { says: 'Gallery & roof', page: null, section: null },
  },
}

function bytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(buffer)
}

function makeDocx(): Buffer {
  const styles = ['Heading1', 'Heading2'].map(
    (id, index) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="heading ${index + 1}"/><w:pPr><w:outlineLvl w:val="${index}"/></w:pPr></w:style>`,
  )
  const level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
  const numbering = `<w:abstractNum w:abstractNumId="0">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
  const heading = (text: string) => wordParagraph(text, '<w:pStyle w:val="Heading1"/>')
  const item = (text: string) => wordParagraph(text, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
  const row = (...texts: string[]) =>
    `<w:tr>${texts.map((text) => `<w:tc>${wordParagraph(text)}</w:tc>`).join('')}</w:tr>`
  const table = `<w:tbl>${row('Month', 'Oil')}${row('March', '41 litres')}${row('April', '33 litres')}</w:tbl>`
  return buildDocx(
    heading('Duties of the keeper') +
      item('Wind the clockwork') +
      item('Trim the wick') +
      wordParagraph(PARAGRAPH) +
      heading('Stores') +
      table,
    { 'word/styles.xml': xml('w:styles', styles.join('')), 'word/numbering.xml': xml('w:numbering', numbering) },
    { rId1: ['styles', 'styles.xml'], rId2: ['numbering', 'numbering.xml'] },
  )
}

function makeXlsx(): Buffer {
  const text = (reference: string, value: string) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
  const styled = (reference: string, style: number, value: number) =>
    `<c r="${reference}" s="${style}"><v>${value}</v></c>`
  const prices = `<row r="1">${text('A1', 'Item')}${text('B1', 'Price')}${text('C1', 'Bought')}</row>
    <row r="2">${text('A2', 'Lens oil')}${styled('B2', 1, 1234.5)}${styled('C2', 2, 45352)}</row>
    ${FILLER.map((line, index) => `<row r="${index + 3}">${text(`A${index + 3}`, line)}</row>`).join('')}`
  const shelves = `<row r="1">${text('A1', 'Thing')}${text('B1', 'Place')}</row>
    <row r="2">${text('A2', 'Brass polish')}${text('B2', 'Shelf 9')}</row>`
  return buildXlsx(
    [
      { name: 'Prices', content: `<sheetData>${prices}</sheetData>` },
      { name: 'Shelves', content: `<sheetData>${shelves}</sheetData>` },
    ],
    { formats: ['#,##0.00 "kr"', 'yyyy-mm-dd'] },
  )
}

function makeXls(): Buffer {
  const filler = FILLER.map((line) => [line])
  return buildXlsFile({
    sheets: [
      {
        name: 'Lamps',
        rows: [['Lamp', 'Price', 'Lit'], ['Storm lamp', 87.5, 36469], ...filler],
        styles: [[], [0, 1, 2]],
      },
      {
        name: 'Crates',
        rows: [
          ['Thing', 'Place'],
          ['Spare burner', 'Crate 4'],
        ],
      },
    ],
    formats: ['#,##0.00 "kr"', 'yyyy-mm-dd'],
  })
}

function makePptx(): Buffer {
  const title = '<p:ph type="title"/>'
  const notes = slideShape(['Remind them of the low beam'], null, '<p:ph type="body"/>')
  return buildPptx(
    [
      { shapes: slideShape(['Visiting the tower'], null, title) + slideShape(['Boats leave at nine', PARAGRAPH]) },
      {
        shapes: slideShape(['Safety on the stairs'], null, title) + slideShape(['Hold the rail']),
        links: { rNotes: ['notesSlide', '../notesSlides/notes1.xml'] },
      },
    ],
    {
      'ppt/notesSlides/notes1.xml': xml('p:notes', `<p:cSld><p:spTree>${notes}</p:spTree></p:cSld>`),
      'ppt/notesSlides/_rels/notes1.xml.rels': links({}),
    },
  )
}
