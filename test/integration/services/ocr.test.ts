import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import type { RecognizedPage } from '../../../src/services/reading/recognition.ts'
import { printPage } from '../../support/print-page.ts'
import { makeScannedPdf } from '../../support/sample-pictures.ts'
import { OPTIONS, openIngestFixture } from './ingest-fixture.ts'

const HARBOUR = ['The harbour master keeps the tide tables', 'in the upper drawer of his desk.'] as const
const LIGHTHOUSE = 'The lighthouse is painted every year.'

function squash(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

describe('with the engine that the service brings', () => {
  test('a scanned PDF is found by its printed text', async (t) => {
    const { parts, caller, memory, find } = await openIngestFixture(t)
    const path = join(parts.temporaryDirectory, 'scan.pdf')
    const content = await makeScannedPdf([{ scan: HARBOUR[0] }, { scan: LIGHTHOUSE }])
    await writeFile(path, content)
    const file = { path, bytes: content.length, filename: 'scan.pdf', declaredType: null }
    const ingest = createIngestService(parts)
    const { signal } = new AbortController()
    const added = await ingest.addFile(caller, memory.id, { file, options: OPTIONS, work: { signal } })
    assert.equal(added.status, 'completed')
    const { hits } = await find('how often is the lighthouse painted')
    assert.match(squash(hits[0]?.text ?? ''), /The lighthouse is painted every year/)
    assert.equal(hits[0]?.pageEnd, 2)
  })

  test('the pages of a TIFF are recognised, and the size is that of the picture', async (t) => {
    const { parts } = await openIngestFixture(t)
    const path = join(parts.temporaryDirectory, 'pages.tiff')
    const { data, width, height } = await printPage(HARBOUR, 150)
    const picture = await sharp(data, { raw: { width, height, channels: 1 } })
      .tiff()
      .toBuffer()
    await writeFile(path, picture)
    const source = { path, bytes: picture.length, filename: null, declaredType: null }
    const type = { format: 'tiff', mimeType: 'image/tiff', encoding: null }
    const recognition = { enabled: true, maxPages: 50, mode: 'accurate', vision: false, languages: ['xx'] } as const
    const heard: RecognizedPage[] = []
    const owner = { organizationId: 'org', keyId: null }
    const options = { recognition, owner, signal: new AbortController().signal }
    const events = parts.reader.read(source, type, { ...options, onRecognized: (_, page) => heard.push(page) })
    let text = ''
    for await (const event of events) if ('block' in event) text += event.block.text
    assert.equal(squash(text), squash(HARBOUR.join(' ')))
    const [page] = heard
    assert.deepEqual([page?.width, page?.height], [width, height])
    assert.match(page?.recognition.warnings.join() ?? '', /"xx" is ignored/)
    const [x = 0, y = 0] = page?.recognition.blocks[0]?.bbox ?? []
    assert.ok(x > 0 && x < width && y > 0 && y < height, `${x}, ${y}`)
  })
})
