import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { renderPage } from '../../src/parsers/pdf/render-page.ts'
import { createRandom } from '../random.ts'
import { makePdf } from './make-pdf.ts'

/** Pixels of a page, one byte each. */
export type GrayPicture = { data: Buffer; width: number; height: number }

const SEED = 7
const PAPER = { white: 0.9, black: 15 } as const

/** A page of these lines as a scanner without faults would see it. Writes to `folder` meanwhile. */
export async function drawLines(lines: readonly string[], dpi: number, folder: string): Promise<GrayPicture> {
  const path = join(folder, 'page.pdf')
  const pdf = makePdf([{ lines }])
  writeFileSync(path, pdf)
  try {
    const source = { path, bytes: pdf.length, filename: null, declaredType: null }
    const { data, width, height } = await renderPage(source, 1, { dpi, colours: 'gray' })
    return { data: Buffer.from(data), width, height }
  } finally {
    rmSync(path)
  }
}

/** The page turned by so many degrees, grayer, and with noise of that deviation, as a worn scanner has it; the same every time. */
export async function wear(
  page: GrayPicture,
  { degrees, sigma }: { degrees: number; sigma: number },
): Promise<GrayPicture> {
  const turned = await open(page)
    .rotate(degrees, { background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const random = createRandom(SEED)
  const data = turned.data.map((value: number) => {
    // Three even numbers make a bell that is near enough; their sum deviates by a half.
    const noise = (random() + random() + random() - 1.5) * 2 * sigma
    return Math.min(255, Math.max(0, value * PAPER.white + PAPER.black + noise))
  })
  return { data: Buffer.from(data), width: turned.info.width, height: turned.info.height }
}

/** The page as a PNG that says how many dots an inch it has. */
export async function toPng(page: GrayPicture, dpi: number): Promise<Buffer> {
  return open(page).withMetadata({ density: dpi }).png().toBuffer()
}

/** The page as scanners put it into a PDF. */
export async function toJpeg(page: GrayPicture): Promise<{ data: Buffer; width: number; height: number }> {
  const data = await open(page).toColourspace('b-w').jpeg({ quality: 80 }).toBuffer()
  return { data, width: page.width, height: page.height }
}

function open({ data, width, height }: GrayPicture): Sharp {
  return sharp(data, { raw: { width, height, channels: 1 } })
}
