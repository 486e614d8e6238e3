/**
 * Photographs of every view of the console with fixed content: at three widths, light and dark.
 * Each view has a sheet in `test/browser/reference` to compare with.
 */
import { join } from 'node:path'
import type { Browser, Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { assertStatus } from '../spec/answer.ts'
import type { Service } from '../spec/service.ts'
import type { Accepted } from '../spec/shapes.ts'
import { addInBackground, addText, endOfJob, makeMemory, type Upload, upload } from '../spec/steps.ts'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { openConsole } from './open-console.ts'
import { until } from './until.ts'

/** Folder of the sheets to compare with. */
export const REFERENCE = join(import.meta.dirname, 'reference')

/** Settings of the service: the key is shown in a view. */
export const SETTINGS = { RECOLLECT_BOOTSTRAP_KEY: 'rk_picture_0123456789abcdef0123456789' }

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 900 },
  { width: 380, height: 900 },
] as const

/** Share of the size in which a sheet shows its photographs. */
const SCALE = 0.4

/** The time of the browser. All times of the service are shown as two and a half hours earlier. */
const NOW = new Date('2026-03-20T12:00:00Z')
const DAY_MS = 86_400_000

/** Photographs of a view on one sheet, as WebP. */
export type Photograph = { name: string; sheet: Buffer }

type View = {
  name: string
  path: string
  /** Selector of what the complete view has. */
  ready: string
  /** What a person does first. */
  act?: (page: Page) => Promise<void>
}

/**
 * Photographs all views and the gallery of parts. The service must be empty, and run from its
 * sources, which have the gallery.
 */
export async function* photographViews(browser: Browser, service: Service): AsyncGenerator<Photograph> {
  const credentials = { url: service.url, key: service.bootstrapKey }
  const { page, close } = await openConsole(browser, credentials, { viewport: SIZES[0], reducedMotion: 'reduce' })
  yield { name: 'fonts', sheet: await photographFonts(browser) }
  await page.clock.setFixedTime(NOW)
  await page.context().route(/\/(v1|health)\b/, shiftTimes)
  await page.reload()
  yield await photograph(page, { name: 'first-steps', path: '#/memories', ready: 'section.empty' })
  for (const view of listViews(await fill(page, service))) yield await photograph(page, view)
  await page.goto(`${service.url}/console/gallery`)
  yield { name: 'gallery', sheet: await takeSheet(page, true) }
  await close()
}

/** Shows the times of the service as fixed ones, and asks it for days around the real today. */
async function shiftTimes(route: Route): Promise<void> {
  const days = Math.floor(Date.now() / DAY_MS) - Math.floor(NOW.getTime() / DAY_MS)
  const shift = (day: string, by: number) => new Date(Date.parse(day) + by * DAY_MS).toISOString().slice(0, 10)
  const url = route
    .request()
    .url()
    .replace(/\d{4}-\d\d-\d\d/g, (day) => shift(day, days))
  const answer = await route.fetch({ url })
  if (!answer.headers()['content-type']?.includes('json')) return route.fulfill({ response: answer })
  const body = (await answer.text())
    .replace(/"(\d{4}-\d\d-\d\d)(T[\d:.]+Z)?"/g, (_, day, time) =>
      JSON.stringify(shift(day, -days) + (time === undefined ? '' : 'T09:30:00.000Z')),
    )
    .replace(/"(\w+Ms)":[\d.]+/g, '"$1":12')
  await route.fulfill({ response: answer, body: url.includes('/v1/usage') ? steady(body) : body })
}

/** Usage without what depends on the moment: measured storage, and memories without a search. */
function steady(body: string): string {
  const usage = JSON.parse(body) as { groups?: unknown[] }
  return JSON.stringify({ ...usage, groups: usage.groups?.slice(0, 1) }).replace(
    /"storageBytes":(\d+|null)/g,
    '"storageBytes":11000',
  )
}

async function fill(page: Page, service: Service): Promise<{ memoryPath: string; documentId: string }> {
  await page.getByRole('button', { name: 'Try a sample' }).click()
  await page.getByRole('searchbox').waitFor()
  const memoryId = /mem_\w+/.exec(page.url())?.[0] ?? ''
  const content = await makeScannedPdf([
    { text: 'Rules of the slip: boats wait in a row, bow to the sea.' },
    { scan: 'Boats wait for the harbour master' },
    { scan: '' },
  ])
  const survey = await makeScannedPdf(['Quay one', 'Quay two'].map((scan) => ({ scan })))
  const add = async (file: Upload) => {
    // Always as a job: a machine with other work would make one of some uploads.
    const answer = await upload<Accepted>(service, memoryId, { ...file, options: { ...file.options, async: true } })
    assertStatus(answer, 202)
    await endOfJob(service, answer.json.jobId)
    return answer.json.documentIds[0] ?? ''
  }
  const documentId = await add({ content, filename: 'Rules of the slip.pdf', options: { storeSource: true } })
  await add({ content: survey, filename: 'Survey.pdf', options: { ocrMaxPages: 1 } })
  for (const title of ['عقد توريد القوارب', `Rahmenvertrag ${'Hafenschlepperersatzteil'.repeat(8)}`])
    await addText(service, memoryId, `${title}. Boats wait for the crane.`, { title, tags: ['contract'] })
  await addInBackground(service, await makeMemory(service, 'عقود'), 'The crane lifts nine tonnes.')
  await makeMemory(service, `Lieferung ${'Hafenschlepperersatzteil'.repeat(8)}`)
  for (const [path, body] of [
    ['/v1/projects', { name: 'Harbour' }],
    ['/v1/webhooks', { url: `https://hooks.example.com/${'a-long-path'.repeat(9)}` }],
    ['/v1/keys', { name: 'Reader of the harbour', memoryId, role: 'reader' }],
  ] as const)
    assertStatus(await service.post(path, body), 201)
  await page.reload()
  return { memoryPath: `#/memories/${memoryId}`, documentId }
}

function listViews({ memoryPath, documentId }: { memoryPath: string; documentId: string }): View[] {
  return [
    { name: 'memories', path: '#/memories', ready: 'td.named' },
    { name: 'memories-cards', path: '#/memories?look=cards', ready: '.cards .card' },
    { name: 'search', path: `${memoryPath}/search?q=when%20does%20the%20boat%20house%20close`, ready: '.hits mark' },
    { name: 'passage', path: `${memoryPath}/search?q=how%20do%20boats%20wait`, ready: '.hits mark', act: openSlip },
    { name: 'nothing-found', path: `${memoryPath}/search?q=zebra%20quartz`, ready: 'section.empty' },
    { name: 'ask', path: `${memoryPath}/ask`, ready: '[name=question]', act: ask },
    { name: 'documents', path: `${memoryPath}/documents`, ready: 'td a' },
    { name: 'document', path: `${memoryPath}/documents/${documentId}`, ready: '.thumbnails img' },
    { name: 'corrections', path: `${memoryPath}/corrections`, ready: '.corrections > li' },
    { name: 'extract', path: `${memoryPath}/extract`, ready: 'fieldset' },
    { name: 'evaluate', path: `${memoryPath}/evaluate`, ready: '.questions' },
    { name: 'manage', path: `${memoryPath}/manage`, ready: '.facts' },
    { name: 'jobs', path: '#/jobs', ready: 'td.named' },
    { name: 'projects', path: '#/projects', ready: 'td.named' },
    { name: 'webhooks', path: '#/webhooks', ready: 'td.named' },
    { name: 'keys', path: '#/keys', ready: 'td.named' },
    { name: 'usage', path: '#/usage', ready: '.meter' },
    { name: 'health', path: '#/health', ready: 'main li, main dl' },
    { name: 'not-found', path: '#/nowhere', ready: 'main a' },
  ]
}

async function openSlip(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Rules of the slip' }).first().click()
  await page.getByRole('img', { name: 'with the passage highlighted' }).waitFor()
}

async function ask(page: Page): Promise<void> {
  await page.getByLabel('Your question').fill('When does the boat house close?')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('button', { name: 'Citation 1' }).first().waitFor()
}

async function photograph(page: Page, { name, path, ready, act }: View): Promise<Photograph> {
  await page.setViewportSize(SIZES[0])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
  await page.locator(ready).first().waitFor()
  await act?.(page)
  return { name, sheet: await takeSheet(page) }
}

/** A text in the fonts of this machine: sheets of other fonts have other lines. */
async function photographFonts(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 480, height: 40 } })
  await page.setContent('<p style="font: 20px Inter, system-ui, sans-serif">Harbour 0123 <b>Hafen</b> ميناء</p>')
  const shot = await page.screenshot()
  await page.close()
  return sharp(shot).webp({ lossless: true }).toBuffer()
}

/** The page at three widths beside each other, light above dark. */
async function takeSheet(page: Page, fullPage = false): Promise<Buffer> {
  const shots: { input: Buffer; left: number; row: number; height: number }[] = []
  let left = 0
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const [row, colorScheme] of (['light', 'dark'] as const).entries()) {
      await page.emulateMedia({ colorScheme })
      const { data, info } = await sharp(await takeStill(page, fullPage))
        .resize(Math.round(size.width * SCALE))
        .png()
        .toBuffer({ resolveWithObject: true })
      shots.push({ input: data, left, row, height: info.height })
    }
    left += Math.round(size.width * SCALE)
  }
  const rowHeight = Math.max(...shots.map(({ height }) => height))
  return sharp({ create: { width: left, height: 2 * rowHeight, channels: 3, background: '#888' } })
    .composite(shots.map(({ row, ...shot }) => ({ ...shot, top: row * rowHeight })))
    .webp({ quality: 55, effort: 6 })
    .toBuffer()
}

/** What is still loading: skeletons, busy parts, and pages without their picture. */
const LOADING = '.skeleton:visible, .no-bar:visible, [aria-busy=true], .thumbnails .paper:not(:has(img)):visible'

/** A photograph once nothing moves and nothing loads any longer. */
async function takeStill(page: Page, fullPage: boolean): Promise<Buffer> {
  let last: Buffer = Buffer.alloc(0)
  await until(async () => {
    if (!fullPage && (await page.locator(LOADING).count()) > 0) return false
    const shot = await page.screenshot({ fullPage, animations: 'disabled' })
    const isStill = shot.equals(last)
    last = shot
    return isStill
  })
  return last
}

/** Pixels of a sheet that are compared as one: a missing frame differs, a digit does not. */
const CELL = 12

/** Steps of brightness, of 255, from which a cell differs. Frames in the dark have seven. */
const STEP = 3

/** Share of two sheets that differs in brightness, from 0 to 1. */
export async function compareSheets(one: Buffer, other: Buffer): Promise<number> {
  const { width, height } = await sharp(one).metadata()
  const [cells, others] = await Promise.all([one, other].map((sheet) => toCells(sheet, width, height)))
  const differing = [...(cells ?? [])].filter((value, index) => Math.abs(value - (others?.[index] ?? 0)) > STEP)
  return differing.length / (cells?.length ?? 1)
}

async function toCells(sheet: Buffer, width: number, height: number): Promise<Buffer> {
  const size = { fit: 'cover', position: 'left top' } as const
  const blurred = await sharp(sheet).resize(width, height, size).greyscale().blur(CELL).png().toBuffer()
  const [across, down] = [width, height].map((pixels) => Math.ceil(pixels / CELL))
  return sharp(blurred).resize(across, down, { fit: 'fill' }).greyscale().raw().toBuffer()
}
