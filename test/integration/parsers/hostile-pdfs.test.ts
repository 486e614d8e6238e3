import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { RenderInput } from '../../../src/parsers/child/parse-tasks.ts'
import { createParserPool } from '../../../src/parsers/child/parser-pool.ts'
import type { ParseEvent } from '../../../src/parsers/parse-event.ts'
import { assemblePdf, pdfDictionary, pdfStream } from '../../support/assemble-pdf.ts'

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const TYPE = { format: 'pdf', mimeType: 'application/pdf', encoding: null }
const folder = mkdtempSync(join(tmpdir(), 'hostile-pdfs-'))
const pool = createParserPool({
  size: 1,
  tasksModule: new URL('../../../src/parsers/child/parse-tasks.ts', import.meta.url).href,
  temporaryDirectory: folder,
  log: silent,
  // Processor time; without limits, these files would never finish.
  parseTimeoutMs: 30_000,
})

after(async () => {
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

type Body = { resources: string; content: string; objects: ReadonlyMap<number, Buffer> }

/**
 * A file with these page contents; object 5 is Helvetica, called H. Page objects are numbered from
 * 100.
 */
function buildFile(name: string, pages: readonly Partial<Body>[]) {
  const objects = new Map<number, Buffer>([
    [1, pdfDictionary('/Type /Catalog /Pages 2 0 R')],
    [
      2,
      pdfDictionary(
        `/Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${10 + 2 * i} 0 R`).join(' ')}]`,
      ),
    ],
    [5, pdfDictionary('/Type /Font /Subtype /Type1 /BaseFont /Helvetica')],
  ])
  for (const [index, { resources = '', content = '', objects: own = [] }] of pages.entries()) {
    const number = 10 + 2 * index
    const all = `/Font << /H 5 0 R /F 100 0 R >> ${resources}`
    const entries = `/Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${number + 1} 0 R /Resources << ${all} >>`
    objects.set(number, pdfDictionary(`/Type /Page ${entries}`))
    objects.set(number + 1, pdfStream(content))
    for (const [key, body] of own) objects.set(key, body)
  }
  const bytes = assemblePdf(objects)
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return { path, bytes: bytes.length, filename: name, declaredType: null }
}

const HONEST = { content: 'BT /H 12 Tf 50 700 Td (The orchard has plums.) Tj ET' }

/** Each of 65,536 codes maps to a hundred thousand letters. */
const MAPPED = {
  content: 'BT /F 12 Tf 10 10 Td <0001> Tj ET',
  objects: new Map([
    [
      100,
      pdfDictionary(
        '/Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /ToUnicode 101 0 R /DescendantFonts [102 0 R]',
      ),
    ],
    [101, pdfStream(`beginbfrange\n<0000><ffff><${'0041'.repeat(100_000)}>\nendbfrange`)],
    [
      102,
      pdfDictionary(
        '/Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (A) /Ordering (I) /Supplement 0 >>',
      ),
    ],
  ]),
}

/** Each of 28 forms draws the next form twice. */
const NESTED = {
  resources: '/XObject << /X 200 0 R >>',
  content: '/X Do',
  objects: new Map(
    Array.from({ length: 29 }, (_, index) => [
      200 + index,
      pdfStream(
        index === 28 ? '0 0 600 800 re f' : '/X Do /X Do',
        `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Group << /S /Transparency >> /Resources << /XObject << /X ${201 + index} 0 R >> >>`,
      ),
    ]),
  ),
}

/** A tile of a thousandth of a point fills the page. */
const TILED = {
  ...HONEST,
  resources: '/Pattern << /P 300 0 R >>',
  content: `${HONEST.content} /Pattern cs /P scn 0 0 600 800 re f`,
  objects: new Map([
    [
      300,
      pdfStream(
        '0 0 1 1 re f',
        '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1000 1000] /XStep 0.001 /YStep 0.001 /Resources << >>',
      ),
    ],
  ]),
}

async function read(source: ReturnType<typeof buildFile>): Promise<ParseEvent[]> {
  const events: ParseEvent[] = []
  for await (const event of pool.parse(source, TYPE)) events.push(event)
  return events
}

const textOf = (events: readonly ParseEvent[]) =>
  events.map((event) => ('block' in event ? event.block.text : '')).join('')

describe('a PDF that would be read for ever', () => {
  it('loses only its page through a hostile font map', async () => {
    const events = await read(buildFile('mapped.pdf', [HONEST, MAPPED, HONEST]))
    assert.equal(textOf(events).split('The orchard has plums.').length - 1, 2)
    const reports = events.flatMap((event) => ('page' in event ? [event.page] : []))
    assert.deepEqual(
      reports.map(({ method }) => method),
      ['text', 'failed', 'text'],
    )
    assert.match(reports[1]?.message ?? '', /^The page took more than 2 s and was stopped/)
  })

  it('is refused with the reason where it has no other page', async () => {
    await assert.rejects(read(buildFile('mapped-alone.pdf', [MAPPED])), {
      code: 'unprocessable_document',
      message: /its page cannot be read\. The page took more than 2 s and was stopped/,
    })
  })

  it('costs its page alone where forms show each other without end', async () => {
    const events = await read(buildFile('nested.pdf', [HONEST, NESTED]))
    assert.match(textOf(events), /The orchard has plums/)
    const reports = events.flatMap((event) => ('page' in event ? [event.page] : []))
    assert.deepEqual(
      reports.map(({ method }) => method),
      ['text', 'failed'],
    )
  })

  it('is read, and not drawn, where a pattern has too many tiles', async () => {
    const source = buildFile('tiled.pdf', [TILED])
    assert.match(textOf(await read(source)), /The orchard has plums/)
    const input: RenderInput = { source, page: 1, dpi: 144, colours: 'rgba' }
    await assert.rejects(pool.run('render-page', input), {
      code: 'unprocessable_document',
      message: /Page 1 of the PDF cannot be drawn\. The page took more than 4 s and was stopped/,
    })
  })
})
