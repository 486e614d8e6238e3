/**
 * Pictures of text in every recognised format, drawn by `drawPicture` for the tests; nothing in the
 * pictures is copyrighted by others.
 */
import type { Sharp } from 'sharp'
import sharp from 'sharp'
import { buildBmp } from './build-bmp.ts'
import { buildScannedPdf, type ScannedPdfPage } from './build-scanned-pdf.ts'
import { drawPicture } from './draw-picture.ts'

/** A picture file and its words. */
export type SamplePicture = {
  filename: string
  mimeType: string
  content: Uint8Array<ArrayBuffer>
  says: string
}

/**
 * One picture for each format of the API document, by format name. The JPEG is rotated according to
 * its EXIF data; the PNG is transparent.
 */
export async function makeSamplePictures(): Promise<Record<string, SamplePicture>> {
  const draw = (what: string) => drawPicture([`The ${what} hangs in`, 'the hall of the tower.'])
  const make = async (name: string, says: string, encode: (pixels: Sharp) => Promise<Buffer>) => {
    const format = name.toLowerCase()
    const content = Uint8Array.from(await encode(await draw(says)))
    return [name, { filename: `${says}.${format}`, mimeType: `image/${format}`, content, says }] as const
  }
  return Object.fromEntries(
    await Promise.all([
      make('PNG', 'barometer', async (pixels) => (await inkOnGlass(pixels)).png().toBuffer()),
      make('JPEG', 'compass', (pixels) => onItsSide(pixels)),
      make('WebP', 'sextant', (pixels) => pixels.webp({ quality: 90 }).toBuffer()),
      make('GIF', 'telescope', (pixels) => pixels.gif().toBuffer()),
      make('TIFF', 'calendar', (pixels) => pixels.tiff({ compression: 'lzw' }).toBuffer()),
      make('BMP', 'lantern', async (pixels) => toBmp(pixels)),
    ]),
  )
}

/** A TIFF of a page for each text. */
export async function makeTiff(pages: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const frames = await Promise.all(
    pages.map(async (text) => (await drawPicture([text])).toColourspace('srgb').png().toBuffer()),
  )
  const tiff = await sharp(frames, { join: { animated: true } })
    .tiff({ compression: 'lzw' })
    .toBuffer()
  return Uint8Array.from(tiff)
}

/** A blank slip of paper as PNG. */
export async function makeBlankPicture(): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await (await drawPicture([])).png().toBuffer())
}

/**
 * A page of {@link makeScannedPdf}: printed text, or a picture with words. An empty picture is a
 * blank scan.
 */
export type PageToScan = { text: string } | { scan: string }

/** A PDF of these pages, text and scans in any order. */
export async function makeScannedPdf(pages: readonly PageToScan[]): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(buildScannedPdf(await Promise.all(pages.map(toPdfPage))))
}

async function toPdfPage(page: PageToScan): Promise<ScannedPdfPage> {
  if ('text' in page) return page.text
  const lines = page.scan === '' ? [] : [page.scan]
  const drawn = await drawPicture(lines, { widthPoints: 420, heightPoints: 120 })
  const { data, info } = await drawn.jpeg({ quality: 80 }).toBuffer({ resolveWithObject: true })
  return { jpeg: data, width: info.width, height: info.height }
}

/** Black where there is ink, and nothing at all elsewhere. */
async function inkOnGlass(pixels: Sharp): Promise<Sharp> {
  const { data, info } = await pixels.negate().raw().toBuffer({ resolveWithObject: true })
  const ink = { create: { width: info.width, height: info.height, channels: 3, background: '#000' } } as const
  const shape = { raw: { width: info.width, height: info.height, channels: 1 } } as const
  return sharp(ink).joinChannel(data, shape).toColourspace('srgb')
}

/** Turned to the left; orientation 6 makes a reader turn the picture back. */
async function onItsSide(pixels: Sharp): Promise<Buffer> {
  const turned = sharp(await pixels.rotate(270).png().toBuffer())
  return turned.withMetadata({ orientation: 6 }).jpeg({ quality: 90 }).toBuffer()
}

async function toBmp(pixels: Sharp): Promise<Buffer> {
  const { data, info } = await pixels.raw().toBuffer({ resolveWithObject: true })
  return buildBmp({ data, width: info.width, height: info.height })
}
