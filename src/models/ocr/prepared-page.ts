import type { Table } from './find-tables.ts'
import { type GrayPage, openGray, readGray } from './gray-page.ts'
import { type Placement, placeScaled, placeTurned } from './placement.ts'

/** A page made ready for the engine, how to find its places in the picture again, and its tables in places of its own. */
export type PreparedPage = { page: GrayPage; placement: Placement; dpi: number | null; tables: readonly Table[] }

/** Times `factor`, but to no more than `maxPixels`; the page itself where that changes nothing. Its tables are no more known. */
export async function scalePage(prepared: PreparedPage, factor: number, maxPixels: number): Promise<PreparedPage> {
  const { page, placement, dpi } = prepared
  const allowed = Math.min(factor, Math.sqrt(maxPixels / (page.width * page.height)))
  if (Math.abs(allowed - 1) < 0.01) return prepared
  const width = Math.max(1, Math.round(page.width * allowed))
  const height = Math.max(1, Math.round(page.height * allowed))
  const scaled = await readGray(openGray(page).resize(width, height, { fit: 'fill', kernel: 'cubic' }))
  return {
    page: scaled,
    placement: placeScaled(placement, page, scaled),
    dpi: dpi === null ? null : Math.round(dpi * allowed),
    tables: [],
  }
}

/** Turned clockwise by any angle; what comes into the corners is white. Its tables are no more known. */
export async function turnPage({ page, placement, dpi }: PreparedPage, degrees: number): Promise<PreparedPage> {
  const turned = await readGray(openGray(page).rotate(degrees, { background: '#fff' }))
  return { page: turned, placement: placeTurned(placement, degrees, { from: page, to: turned }), dpi, tables: [] }
}

/** Without grain; `sigma` is the radius in pixels over which it is evened out. */
export async function smoothPage(page: GrayPage, sigma: number): Promise<GrayPage> {
  return await readGray(openGray(page).blur(sigma))
}

/** Without the single dark and light pixels that a scanner adds. */
export async function despecklePage(page: GrayPage): Promise<GrayPage> {
  return await readGray(openGray(page).median(3))
}

/** Light on dark made dark on light. */
export async function invertPage(prepared: PreparedPage): Promise<PreparedPage> {
  return { ...prepared, page: await readGray(openGray(prepared.page).negate()) }
}
