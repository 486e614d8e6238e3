/** Text of Chinese, Japanese and Korean whose fonts are not in the PDF. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assemblePdf, pdfDictionary, pdfStream } from '../../support/assemble-pdf.ts'
import { openFileReader } from './open-file-reader.ts'

const readFile = openFileReader()

type PlacedCodes = { x: number; y: number; text: string }

const FONTS = { Japan1: 'Ryumin-Light', GB1: 'STSong-Light', CNS1: 'MSung-Light', Korea1: 'HYSMyeongJo' } as const

/** A page in a font of Adobe's character collections, with codes in UTF-16. */
function buildCjkPdf(map: string, ordering: keyof typeof FONTS, texts: readonly PlacedCodes[]): Buffer {
  const shown = texts.map(({ x, y, text }) => {
    const codes = Buffer.from(text, 'utf16le').swap16().toString('hex')
    return `1 0 0 1 ${x} ${y} Tm <${codes}> Tj`
  })
  const name = FONTS[ordering]
  const resources = '/Resources << /Font << /F1 5 0 R >> >>'
  const info = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >>`
  return assemblePdf(
    new Map([
      [1, pdfDictionary('/Type /Catalog /Pages 2 0 R')],
      [2, pdfDictionary('/Type /Pages /Kids [3 0 R] /Count 1')],
      [3, pdfDictionary(`/Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents 4 0 R ${resources}`)],
      [4, pdfStream(`BT /F1 14 Tf ${shown.join(' ')} ET`)],
      [5, pdfDictionary(`/Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${map} /DescendantFonts [6 0 R]`)],
      [6, pdfDictionary(`/Type /Font /Subtype /CIDFontType0 /BaseFont /${name} ${info} /DW 1000`)],
    ]),
  )
}

async function readText(data: Buffer): Promise<string> {
  return (await readFile('a.pdf', data)).text.trim()
}

const COLUMNS = [
  '港の倉庫は七月に閉まる。',
  '鍵は番人の小屋にある。',
  '雨の日は裏口を使うこと。',
  '荷は三日以内に引き取る。',
]

describe('reading text of fonts that are not in the file', () => {
  it('reads texts of one character', async () => {
    for (const [map, ordering, rows] of [
      ['UniJIS-UCS2-H', 'Japan1', ['倉庫 有 三', '裏口 無 一']],
      ['UniGB-UCS2-H', 'GB1', ['仓库 有 三', '后门 无 一']],
      ['UniCNS-UCS2-H', 'CNS1', ['倉庫 有 三', '後門 無 一']],
      ['UniKS-UCS2-H', 'Korea1', ['창고 유 셋', '뒷문 무 하']],
    ] as const) {
      const texts = rows.flatMap((row, index) =>
        row.split(' ').map((text, column) => ({ x: 60 + 80 * column, y: 540 - 24 * index, text })),
      )
      assert.equal(await readText(buildCjkPdf(map, ordering, texts)), rows.join('\n').replaceAll(' ', '\t'))
    }
  })

  it('reads columns of single characters', async () => {
    const texts = COLUMNS.flatMap((column, index) =>
      [...column].map((text, row) => ({ x: 360 - 24 * index, y: 540 - 15 * row, text })),
    )
    assert.equal(await readText(buildCjkPdf('UniJIS-UCS2-H', 'Japan1', texts)), COLUMNS.join(''))
  })

  it('reads vertical lines from the right, also below a level line', async () => {
    const texts = COLUMNS.map((text, index) => ({ x: 360 - 24 * index, y: 540, text }))
    assert.equal(await readText(buildCjkPdf('UniJIS-UCS2-V', 'Japan1', texts)), COLUMNS.join(''))
    assert.equal(await readText(buildCjkPdf('UniJIS-UCS2-V', 'Japan1', texts.toReversed())), COLUMNS.join(''))
  })
})
