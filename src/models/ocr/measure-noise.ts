import type { GrayPage } from './gray-page.ts'

/** So many places tell the noise of any page. */
const MAX_SAMPLES = 200_000

/**
 * How much single pixels of a page differ from their neighbours, in gray levels: the median over the page of a pixel's distance from
 * the mean of those beside it. 0 on clean paper, 1 to 3 on a good scan, about 0.6 times the standard deviation of noise.
 */
export function measureNoise({ data }: GrayPage): number {
  const stride = Math.max(1, Math.floor(data.length / MAX_SAMPLES))
  // Twice the distance, so that it is whole.
  const counts = new Uint32Array(511)
  let samples = 0
  for (let at = 1; at < data.length - 1; at += stride) {
    const distance = Math.abs(2 * (data[at] ?? 0) - (data[at - 1] ?? 0) - (data[at + 1] ?? 0))
    counts[distance] = (counts[distance] ?? 0) + 1
    samples += 1
  }
  let below = 0
  const median = counts.findIndex((count) => {
    below += count
    return below * 2 >= samples
  })
  return Math.max(0, median) / 2
}

/** A speck is so far from all that is beside it, in gray levels. */
const SPECK_CONTRAST = 80

/**
 * The share of single pixels that stand out from all eight around them, dark or light: 0 to 0.001 on pages of text, 0.02 where a copier left one pixel of
 * fifty black or white.
 */
export function measureSpecks({ data, width, height }: GrayPage): number {
  const stride = Math.max(1, Math.floor(data.length / MAX_SAMPLES))
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1]
  let samples = 0
  let specks = 0
  for (let at = width + 1; at < width * (height - 1) - 1; at += stride) {
    const value = data[at] ?? 0
    const beside = around.map((step) => data[at + step] ?? 0)
    if (value < Math.min(...beside) - SPECK_CONTRAST || value > Math.max(...beside) + SPECK_CONTRAST) specks += 1
    samples += 1
  }
  return samples === 0 ? 0 : specks / samples
}
