import { mkdirSync } from 'node:fs'
import { makeMemory } from '../load.ts'
import { print, table } from '../report.ts'
import type { Sentences } from '../sentences.ts'
import { type Service, startService } from '../service.ts'
import { getText, uploadFile } from '../upload.ts'
import { watchProcesses } from '../watch-processes.ts'
import { characterErrorRate } from './character-errors.ts'
import { makePdf } from './make-pdf.ts'
import { PRINTED_LINES } from './printed-text.ts'
import { drawLines, toJpeg, toPng, wear } from './scanned-page.ts'

const MODES = ['fast', 'accurate'] as const
const SINGLE_PAGES = 10
const SCAN_DPI = 150
const WEAR = { degrees: 1.5, sigma: 25 } as const
const LINE_CHARACTERS = 85
const LINES_A_PAGE = 30

type Bench = { service: Service; folder: string; sentences: Sentences }

/**
 * Pictures of pages with known text: character error rate, seconds a page, and a scan of many pages
 * as one job. Prints each result immediately.
 */
export async function measureRecognition({
  folder,
  sentences,
  scannedPages,
}: {
  folder: string
  sentences: Sentences
  scannedPages: number
}): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const service = await startService(`${folder}/data`)
  try {
    const bench = { service, folder, sentences }
    print(await measureErrors(bench))
    print(await measureSpeed(bench))
    print(await measureScan(bench, scannedPages))
  } finally {
    await service.stop()
  }
}

async function measureErrors({ service, folder }: Bench): Promise<string> {
  const clean = await drawLines(PRINTED_LINES, 300, folder)
  const worn = await wear(await drawLines(PRINTED_LINES, SCAN_DPI, folder), WEAR)
  const pictures = [
    ['clean, 300 dpi', await toPng(clean, 300)],
    [`${SCAN_DPI} dpi, noise of ${WEAR.sigma} in 255, turned by ${WEAR.degrees}°`, await toPng(worn, SCAN_DPI)],
  ] as const
  const rows: string[][] = []
  for (const [name, png] of pictures) {
    const cells: string[] = []
    for (const mode of MODES) {
      const { text, elapsedMs } = await recognize(service, png, mode)
      const rate = characterErrorRate(PRINTED_LINES.join('\n'), text)
      cells.push(`${(100 * rate).toFixed(2)} %, ${(elapsedMs / 1000).toFixed(1)} s`)
    }
    rows.push([name, ...cells])
  }
  const characters = PRINTED_LINES.join(' ').replace(/\s+/g, ' ').length
  return table(`Wrong characters on a page of ${characters} (and seconds)`, ['', ...MODES], rows)
}

async function recognize(service: Service, png: Buffer, mode: string): Promise<{ text: string; elapsedMs: number }> {
  const content = new Blob([new Uint8Array(png)])
  const memoryId = await makeMemory(service, 'pictures')
  const outcome = await uploadFile(service, memoryId, { filename: 'page.png', content, isImage: true }, mode)
  const { documentId, elapsedMs } = outcome
  if (documentId === null) throw new Error(`the page ended ${outcome.end}: ${outcome.message}`)
  return { text: await getText(service, memoryId, documentId), elapsedMs }
}

/** Pages in sequence, so one core works. */
async function measureSpeed({ service, folder, sentences }: Bench): Promise<string> {
  const pages: Buffer[] = []
  for (let page = 0; page < SINGLE_PAGES; page += 1) {
    pages.push(await toPng(await drawLines(makeLines(sentences), SCAN_DPI, folder), SCAN_DPI))
  }
  const rows: string[][] = []
  for (const mode of MODES) {
    await recognize(service, pages[0] ?? Buffer.alloc(0), mode)
    const watch = watchProcesses(service)
    let elapsedMs = 0
    for (const page of pages) elapsedMs += (await recognize(service, page, mode)).elapsedMs
    const { childCpuMs } = watch.stop()
    const seconds = (ms: number | null) => (ms === null ? 'unknown' : (ms / 1000 / pages.length).toFixed(2))
    rows.push([mode, seconds(elapsedMs), seconds(childCpuMs)])
  }
  return table(
    `Seconds a page at ${SCAN_DPI} dpi, one page at a time`,
    ['', 'answered', "the children's processor time"],
    rows,
  )
}

async function measureScan({ service, folder, sentences }: Bench, count: number): Promise<string> {
  const texts = Array.from({ length: count }, () => makeLines(sentences))
  const pages: Parameters<typeof makePdf>[0][number][] = []
  for (const lines of texts) {
    pages.push({ jpeg: { ...(await toJpeg(await drawLines(lines, SCAN_DPI, folder))), isWholePage: true } })
  }
  const pdf = makePdf(pages)
  const memoryId = await makeMemory(service, 'scan')
  const watch = watchProcesses(service)
  const file = { filename: 'scan.pdf', content: new Blob([new Uint8Array(pdf)]), isImage: false }
  const outcome = await uploadFile(service, memoryId, file)
  const seen = watch.stop()
  const { documentId, document } = outcome
  if (documentId === null || document === null) throw new Error(`the scan ended ${outcome.end}: ${outcome.message}`)
  const given = await getText(service, memoryId, documentId)
  const wanted = texts.map((lines) => lines.join('\n')).join('\n')
  const recognized = document.pages.filter(({ method }) => method === 'ocr').length
  return table(
    `A scan of ${count} pages, ${SCAN_DPI} dpi, ${(pdf.length / 2 ** 20).toFixed(1)} MB`,
    ['', 'figure'],
    [
      ['until it could be found', `${(outcome.elapsedMs / 1000).toFixed(0)} s`],
      ['ended', `${outcome.end}; ${recognized} pages recognised`],
      ['wrong characters', `${(100 * characterErrorRate(wanted, given)).toFixed(2)} %`],
      ['memory: service / largest child', `${seen.serviceMb} / ${seen.childMb} MB`],
      ["the children's processor time", `${((seen.childCpuMs ?? 0) / 1000).toFixed(0)} s`],
    ],
  )
}

/** A page full of text. */
function makeLines(sentences: Sentences): string[] {
  const lines: string[] = ['']
  while (lines.length <= LINES_A_PAGE) {
    for (const word of sentences.next().split(' ')) {
      const line = `${lines.at(-1)} ${word}`.trim()
      if (line.length > LINE_CHARACTERS) lines.push(word)
      else lines[lines.length - 1] = line
    }
  }
  return lines.slice(0, LINES_A_PAGE)
}
