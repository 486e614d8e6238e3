/**
 * Renews the pictures of the console: those of the documentation in `docs/images`, and the sheets
 * of `test/browser/reference`, which the tests compare. Run
 * `node test/browser/take-screenshots.ts` after a change of the console's looks, and look at them.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { assertStatus } from '../spec/answer.ts'
import { createService } from '../spec/service.ts'
import { upload } from '../spec/steps.ts'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { launchBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'
import { photographViews, REFERENCE, SETTINGS } from './photographs.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'images')
const VIEWPORT = { width: 1000, height: 640 }

const service = createService()
const fixed = createService(SETTINGS)
const browser = await launchBrowser()
try {
  for (const folder of [FOLDER, REFERENCE]) mkdirSync(folder, { recursive: true })
  await fixed.start()
  for await (const { name, sheet } of photographViews(browser, fixed))
    writeFileSync(join(REFERENCE, `${name}.webp`), sheet)
  await service.start()
  const { page, close } = await openConsole(
    browser,
    { url: service.url, key: service.bootstrapKey },
    { viewport: VIEWPORT },
  )
  const take = async (name: string, height = VIEWPORT.height) => {
    const clip = { x: 0, y: 0, width: VIEWPORT.width, height }
    // This palette takes a quarter of the bytes without a visible difference.
    const picture = sharp(await page.screenshot({ clip })).png({ palette: true, colours: 64, effort: 10 })
    await picture.toFile(join(FOLDER, `${name}.png`))
  }
  await page.getByRole('button', { name: 'Try a sample' }).click()
  await page.getByRole('searchbox').fill('when does the boat house close')
  await page.locator('.hits mark').first().waitFor()
  await take('console-search')
  const memoryId = /mem_\w+/.exec(page.url())?.[0] ?? ''
  const quays = ['The north quay has a crane', 'The south quay is dredged in May', 'The fuel quay'].map((scan) => ({
    scan,
  }))
  const survey = {
    content: await makeScannedPdf(quays),
    filename: 'Survey of the quays.pdf',
    options: { ocrMaxPages: 2 },
  }
  assertStatus(await upload(service, memoryId, survey), 200)
  await page.getByRole('link', { name: 'Documents' }).click()
  const content = await makeScannedPdf([
    { text: 'Rules of the slip: boats wait in a row, bow to the sea.' },
    { scan: 'Boats wait for the harbour master' },
    { scan: '' },
  ])
  const file = { name: 'Rules of the slip.pdf', mimeType: 'application/pdf', buffer: Buffer.from(content) }
  await page.getByLabel('Choose files').setInputFiles(file)
  await page.getByRole('img', { name: '3 recognised' }).waitFor()
  await take('console-pages')
  await page.getByRole('link', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('how do boats wait')
  await page.getByRole('button', { name: 'Rules of the slip' }).first().click()
  await page.getByRole('img', { name: 'with the passage highlighted' }).waitFor()
  // Empty space follows below.
  await take('console-passage', 280)
  await close()
} finally {
  await browser.close()
  await service.dispose()
  await fixed.dispose()
}
