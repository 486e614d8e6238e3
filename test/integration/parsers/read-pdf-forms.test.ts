/** Layers over the pages of a PDF: form fields, text boxes, comments. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Block } from '../../../src/parsers/parse-event.ts'
import { readPdf } from '../../../src/parsers/pdf/read-pdf.ts'
import { buildPdf, lines } from '../../support/build-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'read-pdf-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function readBlocks(data: Buffer): Promise<Block[]> {
  const path = join(folder, 'a.pdf')
  writeFileSync(path, data)
  const blocks: Block[] = []
  for await (const event of readPdf({ path, bytes: data.length, filename: 'a.pdf', declaredType: null }))
    if ('block' in event && event.block.kind !== 'blank') blocks.push(event.block)
  return blocks
}

describe('reading what was laid upon a PDF', () => {
  it('labels a check box with its tooltip, else its name', async () => {
    const box = (entries: string, y: number) =>
      `<< /Type /Annot /Subtype /Widget /FT /Btn ${entries} /Rect [72 ${y} 84 ${y + 12}] /F 4 /AP << /N << /Yes 6 0 R /Off 6 0 R >> >> >>`
    const objects = [
      box('/T (c1) /TU (Delivery wanted) /V /Yes /AS /Yes', 700),
      box('/T (Invoice by post) /V /Off /AS /Off', 660),
      box('/T (form1[0].c1_1[0]) /V /Off /AS /Off', 620),
    ]
    const page = { content: '', annotations: ['10 0 R', '11 0 R', '12 0 R'] }
    const blocks = await readBlocks(
      buildPdf([page], { catalog: '/AcroForm << /Fields [10 0 R 11 0 R 12 0 R] >>', objects }),
    )
    assert.deepEqual(
      blocks.map((block) => block.text.trim()),
      ['[x] Delivery wanted', '[ ] Invoice by post', '[ ]'],
    )
  })

  it('labels the chosen radio button with its meaning', async () => {
    const button = (state: string, y: number) =>
      `<< /Type /Annot /Subtype /Widget /Parent 10 0 R /AS /${state} /Rect [72 ${y} 84 ${y + 12}] /F 4 /AP << /N << /${y} 6 0 R /Off 6 0 R >> >> >>`
    const choice = '<< /FT /Btn /Ff 32768 /T (Berth) /Opt [(Summer) (Winter)] /V /660 /Kids [11 0 R 12 0 R] >>'
    const page = { content: '', annotations: ['11 0 R', '12 0 R'] }
    const objects = [choice, button('Off', 700), button('660', 660)]
    const blocks = await readBlocks(buildPdf([page], { catalog: '/AcroForm << /Fields [10 0 R] >>', objects }))
    assert.deepEqual(
      blocks.map((block) => block.text.trim()),
      ['[ ] Berth', '[x] Winter'],
    )
  })

  it('reads the values of form fields beside their labels', async () => {
    const content = lines(['Name:', 'Member:'], { x: 72, y: 700, leading: 40 })
    const objects = [
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada Lovelace) /Rect [120 695 300 712] /F 4 >>',
      '<< /Type /Annot /Subtype /Widget /FT /Btn /T (member) /V /Yes /AS /Yes /Rect [130 655 142 667] /F 4 /AP << /N << /Yes 6 0 R /Off 6 0 R >> >> >>',
      '<< /Type /Annot /Subtype /Widget /FT /Tx /Ff 8192 /T (secret) /V (hunter2) /Rect [120 595 300 612] /F 4 >>',
    ]
    const page = { content, annotations: ['10 0 R', '11 0 R', '12 0 R'] }
    const blocks = await readBlocks(
      buildPdf([page], { catalog: '/AcroForm << /Fields [10 0 R 11 0 R 12 0 R] >>', objects }),
    )
    const text = blocks
      .map((block) => block.text)
      .join('')
      .replace(/\s+/g, ' ')
    assert.equal(text, 'Name: Ada Lovelace Member: [x] member ')
  })

  it('reads text boxes at their position and comments after the page', async () => {
    const content = lines(['Above the box.', 'Below the box.'], { x: 72, y: 700, leading: 80 })
    const annotations = [
      '/Subtype /FreeText /Contents (In the box.) /Rect [72 650 200 668]',
      '/Subtype /Text /Contents (Is that so?) /T (Grace) /Rect [500 700 520 720]',
      '/Subtype /Link /Contents (a link) /Rect [72 600 100 620]',
    ]
    const blocks = await readBlocks(buildPdf([{ content, annotations }]))
    const text = blocks.map((block) => block.text).join('')
    assert.equal(text.replace(/\s+/g, ' ').trim(), 'Above the box. In the box. Below the box. Grace: Is that so?')
  })
})
