/** Every kind of file that the service reads, dropped into the console at once. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { makeMemory } from '../spec/steps.ts'
import { SAMPLE_DOCUMENTS } from '../support/sample-documents.ts'
import { makeSamplePictures } from '../support/sample-pictures.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

/** What is plain text, by the endings of its files. */
const PLAIN: Readonly<Record<string, string>> = {
  txt: 'The ferry leaves Tollness at seven.',
  log: '07:00:01 INFO ferry Marigold left Tollness',
  md: '# Ferries\n\nThe Marigold carries forty cars.',
  csv: 'boat,cars\nMarigold,40\nPrimrose,25\n',
  tsv: 'boat\tcaptain\nMarigold\tRuth Ekker\n',
  json: '{"boat":"Primrose","captain":"Olav Brix"}',
  jsonl: '{"boat":"Tansy"}\n{"boat":"Yarrow"}\n',
}

const browser = useBrowser()
const service = useService()

browserTest('every kind of file is read, and one that is none says what to do', async () => {
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
    assert.match((await row.textContent()) ?? '', /done.*can be found/, name)
  }
  const refused = rowOf(page, 'program.exe')
  assert.match((await refused.getByRole('alert').textContent()) ?? '', /type.*PDF/is)
  await page.getByText(`${files.length} documents`, { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Search', exact: true }).click()
  await page.getByRole('searchbox').fill('who painted the lantern room')
  await page.locator('.hits mark').first().waitFor()
  await page.locator('.hits li').filter({ hasText: 'page 2' }).getByRole('button').first().click()
  const picture = page.getByRole('img', { name: 'Page 2 with the passage marked' })
  await picture.waitFor()
  const width = await page.evaluate<number>("document.querySelector('img.page').naturalWidth")
  assert.ok(width > 100, `the picture is ${width} wide`)
  await close()
})

function rowOf(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
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
