import type { Raster } from '../../src/models/recognizer.ts'
import { drawPicture, type PictureShape } from './draw-picture.ts'

const A4_PAGE: PictureShape = {
  widthPoints: 595,
  heightPoints: 842,
  sizePoints: 12,
  leadingPoints: 18,
  start: { x: 60, y: 770 },
}

/** A page of A4 with lines of 12 point Times, as a scanner at so many dots an inch would see it. */
export async function printPage(
  lines: readonly string[],
  dpi: number,
  font: NonNullable<PictureShape['font']> = 'Times-Roman',
): Promise<Raster> {
  const drawn = await drawPicture(lines, { ...A4_PAGE, dpi, font })
  const { data, info } = await drawn.raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height, channels: 1, dpi }
}
