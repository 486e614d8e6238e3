import { randomFillSync } from 'node:crypto'
import sharp from 'sharp'
import { makeMemory } from '../load.ts'
import { megabytes, table } from '../report.ts'
import type { Sentences } from '../sentences.ts'
import { startService } from '../service.ts'
import { makeText } from '../texts.ts'
import { uploadFile } from '../upload.ts'
import { watchProcesses } from '../watch-processes.ts'
import { makePdf } from './make-pdf.ts'

const MB = 2 ** 20
const PAGE_CHARACTERS = 3000
const LINE = /.{1,95}(?:\s|$)/g
const PICTURE = { width: 64, height: 64 } as const
/** The objects around the content of a page, about. */
const PAGE_REST_BYTES = 1000

/** One large file of many pages, each with text and a share of pictures, through a job. */
export async function measureLargePdf({
  dataDir,
  pages,
  megabytes: size,
  sentences,
}: {
  dataDir: string
  pages: number
  megabytes: number
  sentences: Sentences
}): Promise<string> {
  const noise = randomFillSync(Buffer.alloc(PICTURE.width * PICTURE.height))
  const picture = await sharp(noise, { raw: { ...PICTURE, channels: 1 } })
    .toColourspace('b-w')
    .jpeg()
    .toBuffer()
  const share = Math.floor((size * MB) / pages) - PAGE_CHARACTERS - PAGE_REST_BYTES
  // JPEG readers stop at the end marker; the rest only adds bytes.
  const data = Buffer.concat([picture, randomFillSync(Buffer.alloc(Math.max(0, share - picture.length)))])
  const jpeg = { data, ...PICTURE, isWholePage: false }
  const pdf = makePdf(
    Array.from({ length: pages }, () => ({ lines: makeText(sentences, PAGE_CHARACTERS).match(LINE) ?? [], jpeg })),
  )
  const content = new Blob([new Uint8Array(pdf)])
  const service = await startService(dataDir)
  try {
    const memoryId = await makeMemory(service, 'large')
    const watch = watchProcesses(service)
    const outcome = await uploadFile(service, memoryId, { filename: 'large.pdf', content, isImage: false })
    const seen = watch.stop()
    const perSecond = (1000 * (outcome.document?.pageCount ?? 0)) / outcome.elapsedMs
    return table(
      `A PDF of ${pages} pages, ${(pdf.length / MB).toFixed(0)} MB`,
      ['', 'figure'],
      [
        ['ended', [outcome.end, outcome.message].filter((part) => part !== null).join(': ')],
        ['pages/s, upload and embedding', perSecond.toFixed(0)],
        ["most memory of the service's process", megabytes(service.peakRss())],
        ['most memory of a child', megabytes(seen.childMb)],
      ],
    )
  } finally {
    await service.stop()
  }
}
