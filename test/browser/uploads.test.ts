/** All supported file types, dropped into the console together. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { makeMemory } from '../spec/steps.ts'
import { openWebServer } from '../spec/web-server.ts'
import { SAMPLE_DOCUMENTS } from '../support/sample-documents.ts'
import { makeSamplePictures } from '../support/sample-pictures.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { chooseAdd, openConsole } from './open-console.ts'
import { until } from './until.ts'

/** Plain text, by file extension. */
const PLAIN: Readonly<Record<string, string>> = {
  txt: 'The ferry leaves Tollness at seven.',
  log: '07:00:01 INFO ferry Marigold left Tollness',
  md: '# Ferries\n\nThe Marigold carries forty cars.',
  csv: 'boat,cars\nMarigold,40\nPrimrose,25\n',
  tsv: 'boat\tcaptain\nMarigold\tRuth Ekker\n',
  json: '{"boat":"Primrose","captain":"Olav Brix"}',
  jsonl: '{"boat":"Tansy"}\n{"boat":"Yarrow"}\n',
}

const web = await openWebServer({
  '/tides': {
    headers: { 'content-type': 'text/html' },
    body: '<title>Tide table</title><p>High water is at nine.</p>',
  },
})
after(() => web.close())
const browser = useBrowser()
const service = useService({ RECOLLECT_URL_ALLOW_PRIVATE: web.host })

browserTest('every supported file type is read, and an unsupported one says what to do', async () => {
  const memoryId = await makeMemory(service)
  const files = await makeFiles()
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const nothing = {
    name: 'program.exe',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('MZ\x90\0\x03\0\0\0'),
  }
  await page.getByLabel('Choose files').setInputFiles([...files, nothing])
  for (const { name } of files) {
    const row = rowOf(page, name)
    await row.locator('.state.done, .state.failed, .state.partial').waitFor()
    assert.match((await row.textContent()) ?? '', /searchable.*done/, name)
  }
  const refused = rowOf(page, 'program.exe')
  assert.match((await refused.getByRole('alert').textContent()) ?? '', /type.*PDF.*images/is)
  assert.equal(await refused.getByRole('button').count(), 0, 'it would be refused again')
  await page.getByText(`${files.length} documents`, { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Search', exact: true }).click()
  await page.getByRole('searchbox').fill('who painted the lantern room')
  await page.locator('.hits mark').first().waitFor()
  await page.locator('.hits li').filter({ hasText: 'page 2' }).getByRole('button').first().click()
  const picture = page.getByRole('img', { name: 'Page 2 with the passage highlighted' })
  await picture.waitFor()
  const width = await page.evaluate<number>("document.querySelector('img.page').naturalWidth")
  assert.ok(width > 100, `the picture is ${width} wide`)
  await close()
})

browserTest('dropped files and folders are added concurrently and remain visible from other views', async () => {
  const path = `#/memories/${await makeMemory(service, 'Dropped')}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByText('No documents yet').waitFor()
  const names = ['ebb', 'flood', 'slack', 'spring']
  const folder = await makeFolder(names)
  const held: (() => void)[] = []
  let isHeld = true
  await page.route('**/documents', async (route) => {
    if (isHeld && route.request().method() === 'POST') await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  // A drop outside the drop area is ignored, and the console stays open.
  for (const place of ['nav.side', 'main .drop'])
    await dropFiles(page, place, [join(folder, 'tides'), join(folder, 'ebb.txt')])
  await until(async () => held.length === 3)
  await page.getByRole('link', { name: 'Corrections' }).click()
  await page.getByText('No corrections').waitFor()
  await page.getByRole('link', { name: 'Documents' }).click()
  assert.equal(await page.locator('.uploads progress').count(), held.length)
  isHeld = false
  for (const go of held) go()
  for (const name of names) {
    await rowOf(page, `${name}.txt`).locator('.state.done').waitFor()
    await page.locator('main').getByRole('link', { name, exact: true }).waitFor()
  }
  await page.getByText('4 documents', { exact: true }).waitFor()
  // Complete uploads close, and lead to their documents.
  await page.getByRole('button', { name: 'Show the files' }).click()
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'ebb.txt' }).click()
  await page.getByRole('heading', { level: 1, name: 'ebb' }).waitFor()
  await close()
  await rm(folder, { recursive: true })
})

browserTest(
  'of very many files those that need attention are shown, and all failed ones are retried together',
  async () => {
    const path = `#/memories/${await makeMemory(service, 'Many')}/documents`
    const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
    const refusal = { code: 'queue_full', message: 'Too much waits.', param: null, details: [] }
    const json = { error: { ...refusal, remedy: 'Wait.', requestId: 'req_1' } }
    let sent = 0
    const held: (() => void)[] = []
    await page.route('**/documents', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sent += 1
      if (sent > 5 && sent <= 8) await new Promise<void>((resolve) => held.push(resolve))
      await (sent > 2 ? route.continue() : route.fulfill({ status: 503, json }))
    })
    const files = Array.from({ length: 1000 }, (_, index) => {
      return { name: `buoy ${index}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`Buoy ${index} is green.`) }
    })
    await page.getByLabel('Choose files').setInputFiles(files)
    await page.getByText('3 of 1,000 files done, 2 failed, 992 waiting').waitFor()
    await page.locator('.uploads li').nth(4).waitFor()
    assert.equal(await page.locator('.uploads li').count(), 5)
    await page.getByRole('button', { name: 'Cancel queued files' }).click()
    await page.getByText('3 of 8 files done, 2 failed').waitFor()
    for (const go of held) go()
    await page.getByRole('button', { name: 'Retry all failed' }).click()
    await page.getByText('8 of 8 files done').waitFor()
    await page.getByText('8 documents', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear list' }).click()
    await page.locator('.uploads li').first().waitFor({ state: 'detached' })
    assert.equal(await page.getByText('files done').count(), 0)
    await close()
  },
)

browserTest('a text and a page of the web are added, and an address that cannot be read says why', async () => {
  const path = `#/memories/${await makeMemory(service, 'Typed')}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await chooseAdd(page, 'Add text')
  await page.getByLabel('Title').fill('Ropes')
  await page.getByRole('textbox', { name: 'Text' }).fill('Ropes hang on the red wall.')
  await page.getByLabel('Tags').fill('loft, gear')
  await page.getByRole('button', { name: 'Add document' }).click()
  await page.getByRole('link', { name: 'Ropes', exact: true }).waitFor()
  await chooseAdd(page, 'Add from URL')
  await page.getByLabel('URL', { exact: true }).fill(`${web.url}/nowhere`)
  const add = page.getByRole('button', { name: 'Download and add' })
  await add.click()
  await page.getByRole('dialog').getByRole('alert').getByText('404').waitFor()
  await page.getByLabel('URL', { exact: true }).fill(`${web.url}/tides`)
  await add.click()
  await page.getByRole('link', { name: 'Tide table' }).click()
  await page.getByRole('link', { name: `${web.url}/tides` }).waitFor()
  await page.getByText('High water is at nine.').waitFor()
  await close()
})

browserTest('a file with a temporary failure is sent again under a new key', async () => {
  const error = { code: 'storage_quota_exceeded', message: 'There is no room.', param: null, details: [] }
  const json = { error: { ...error, remedy: 'Delete documents.', requestId: 'req_1' } }
  const keys = await sendAgainAfter({ status: 403, json })
  assert.equal(new Set(keys).size, 2)
})

browserTest('a file whose job status is unavailable is not added twice when sent again', async () => {
  const keys = await sendAgainAfter({ status: 202, json: { jobId: 'job_1' } })
  assert.equal(keys.length, 2)
  assert.equal(new Set(keys).size, 1)
})

/**
 * Sends a file whose first response is replaced by `first`, and retries. Returns the idempotency
 * keys of both requests.
 */
async function sendAgainAfter(first: { status: number; json: object }): Promise<(string | undefined)[]> {
  const path = `#/memories/${await makeMemory(service)}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const keys: (string | undefined)[] = []
  await page.route('**/documents', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    await (keys.length > 1 ? route.continue() : route.fulfill(first))
  })
  const buffer = Buffer.from('High water is at nine.')
  await page.getByLabel('Choose files').setInputFiles({ name: 'tides.txt', mimeType: 'text/plain', buffer })
  await page.getByRole('button', { name: 'Retry tides.txt' }).click()
  await rowOf(page, 'tides.txt').locator('.state.done').waitFor()
  await close()
  return keys
}

function rowOf(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
}

/** A folder with one file and a nested folder with the other files. */
async function makeFolder([first, ...others]: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-dropped-'))
  const inner = join(folder, 'tides', 'inner')
  await mkdir(inner, { recursive: true })
  await writeFile(join(folder, `${first}.txt`), `The ${first} is kept in the pilot house.`)
  for (const name of others) await writeFile(join(inner, `${name}.txt`), `The ${name} is kept in the pilot house.`)
  await writeFile(join(folder, 'tides', '.DS_Store'), 'of the system')
  return folder
}

/** Drops local files onto the middle of an element, as a user would. */
async function dropFiles(page: Page, place: string, files: string[]): Promise<void> {
  const box = await page.locator(place).boundingBox()
  if (box === null) throw new Error(`there is no ${place}`)
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const hand = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await hand.send('Input.dispatchDragEvent', { type, ...at, data })
}

type NamedFile = { name: string; mimeType: string; buffer: Buffer }

async function makeFiles(): Promise<NamedFile[]> {
  const made = [...Object.values(SAMPLE_DOCUMENTS), ...Object.values(await makeSamplePictures())]
  return [
    ...made.map(({ filename, mimeType, content }) => ({ name: filename, mimeType, buffer: Buffer.from(content) })),
    ...Object.entries(PLAIN).map(([ending, text]) => {
      return { name: `ferry.${ending}`, mimeType: 'text/plain', buffer: Buffer.from(text) }
    }),
  ]
}
