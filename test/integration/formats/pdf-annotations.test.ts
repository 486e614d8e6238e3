/** Layers over the pages of a PDF: form fields, text boxes, comments. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Block } from '../../../src/parsers/parse-event.ts'
import { pdfStream, pdfString } from '../../support/assemble-pdf.ts'
import { buildPdf, lines } from '../../support/build-pdf.ts'
import { onOneLine, openFileReader } from './open-file-reader.ts'

const readFile = openFileReader()

async function readBlocks(data: Buffer): Promise<Block[]> {
  const { blocks, pages } = await readFile('a.pdf', data)
  assert.deepEqual(
    pages.map(({ method }) => method),
    ['text'],
  )
  return blocks.filter(({ kind }) => kind !== 'blank')
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

  describe('annotations that draw text', () => {
    /** A page with an annotation that draws `shown`, and its text with single spaces. */
    async function readAnnotated(
      entries: string,
      shown: readonly string[],
      form = '/Fields [10 0 R]',
    ): Promise<string> {
      const drawing = `BT /F1 10 Tf 4 60 Td 12 TL ${shown.map((text) => `${pdfString(text)} Tj T*`).join(' ')} ET`
      const resources = '/Resources << /Font << /F1 3 0 R >> >>'
      const objects = [
        `<< /Type /Annot ${entries} /Rect [72 500 372 580] /F 4 /AP << /N 11 0 R >> >>`,
        pdfStream(drawing, `/Type /XObject /Subtype /Form /BBox [0 0 300 80] ${resources}`).toString('latin1'),
      ]
      const page = { content: lines(['Lease of the mill'], { x: 72, y: 700 }), annotations: ['10 0 R'] }
      const catalog = form === '' ? '' : `/AcroForm << ${form} >>`
      const blocks = await readBlocks(buildPdf([page], { catalog, objects }))
      return onOneLine(blocks.map((block) => block.text).join(''))
    }

    it('reads signatures and stamps as they appear', async () => {
      const signature = await readAnnotated('/Subtype /Widget /FT /Sig /T (Signature1)', [
        'Digitally signed',
        'Date: 2024',
      ])
      assert.equal(signature, 'Lease of the mill Digitally signed Date: 2024')
      const stamp = await readAnnotated('/Subtype /Stamp', ['RECEIVED', '14 MARCH'], '')
      assert.equal(stamp, 'Lease of the mill RECEIVED 14 MARCH')
    })

    it('reads a field that the form does not list', async () => {
      const field = '/Subtype /Widget /FT /Tx /T (agency) /V (Harbour Board)'
      assert.equal(await readAnnotated(field, ['Harbour Board'], ''), 'Lease of the mill Harbour Board')
    })

    it('reads a field as shown, and its raw value after the page', async () => {
      const number = '/Subtype /Widget /FT /Tx /T (rent) /V (1123213.5)'
      assert.equal(await readAnnotated(number, ['1,123,213.50']), 'Lease of the mill 1,123,213.50 rent: 1123213.5')
      const choice =
        '/Subtype /Widget /FT /Ch /Ff 131072 /T (state) /V (NY) /Opt [[(NY) (New York)] [(NJ) (New Jersey)]]'
      assert.equal(await readAnnotated(choice, ['New York']), 'Lease of the mill New York state: NY')
      const calculated = '/Subtype /Widget /FT /Tx /T (rent) /V ()'
      assert.equal(await readAnnotated(calculated, ['1,123.50']), 'Lease of the mill 1,123.50')
    })

    it('reads a value once if it is shown over several lines', async () => {
      const field = '/Subtype /Widget /FT /Tx /Ff 4096 /T (note) /V (Moored at the quay until the frost.)'
      assert.equal(
        await readAnnotated(field, ['Moored at the quay', 'until the frost.']),
        'Lease of the mill Moored at the quay until the frost.',
      )
    })

    it('draws a field anew if the form says that it is outdated', async () => {
      const field = '/Subtype /Widget /FT /Tx /DA (/Helv 10 Tf 0 g) /T (rent) /V (Present value)'
      const fields = '/Fields [10 0 R] /DA (/Helv 10 Tf 0 g) /DR << /Font << /Helv 3 0 R >> >>'
      assert.equal(await readAnnotated(field, ['Old'], fields), 'Lease of the mill Old rent: Present value')
      const outdated = await readAnnotated(field, ['Old'], `/NeedAppearances true ${fields}`)
      assert.equal(outdated, 'Lease of the mill Present value')
    })

    it('reads the chosen option of a list, not all that it shows', async () => {
      const list = '/Subtype /Widget /FT /Ch /T (state) /V (NY) /Opt [[(NY) (New York)] [(NJ) (New Jersey)]]'
      assert.equal(await readAnnotated(list, ['New York', 'New Jersey']), 'Lease of the mill New York state: NY')
    })

    it('reads the page without an annotation whose drawing draws itself', async () => {
      const resources = '/Resources << /XObject << /A 11 0 R /B 11 0 R >> >>'
      const drawing = pdfStream('/A Do /B Do', `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources}`)
      const stamp = '<< /Type /Annot /Subtype /Stamp /Contents (Paid) /Rect [0 0 9 9] /AP << /N 11 0 R >> >>'
      const page = { content: lines(['Lease of the mill'], { x: 72, y: 700 }), annotations: ['10 0 R'] }
      const blocks = await readBlocks(buildPdf([page], { objects: [stamp, drawing.toString('latin1')] }))
      assert.deepEqual(
        blocks.map((block) => block.text.trim()),
        ['Lease of the mill', 'Paid'],
      )
    })

    it('reads no password, button caption or icon', async () => {
      const password = '/Subtype /Widget /FT /Tx /Ff 8192 /T (pin) /V (secret)'
      assert.equal(await readAnnotated(password, ['******']), 'Lease of the mill')
      assert.equal(await readAnnotated('/Subtype /Widget /FT /Btn /Ff 65536 /T (p)', ['Print']), 'Lease of the mill')
      const note = '/Subtype /Text /Contents (Check the rent) /T (Jane)'
      assert.equal(await readAnnotated(note, ['i'], ''), 'Lease of the mill Jane: Check the rent')
    })
  })
})
