/** The console shows only the data that a key grants, and asks for no key where none is needed. */
import assert from 'node:assert/strict'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole, openTab } from './open-console.ts'

const browser = useBrowser()
const service = useService()
const open = useService({ RECOLLECT_AUTH: 'off' })

browserTest("a memory's key shows that memory, and nothing of the organization", async () => {
  const memoryId = await makeMemory(service, 'Sandpipers')
  await makeMemory(service, 'Not theirs')
  const made = await service.post<{ key: string }>('/v1/keys', { name: 'one memory', memoryId })
  const { page, close } = await openConsole(browser(), { url: service.url, key: made.json.key })
  const memories = page.locator('main')
  await memories.getByRole('link', { name: 'Sandpipers' }).waitFor()
  assert.equal(await page.getByText('Not theirs').count(), 0)
  for (const name of ['Keys', 'Projects', 'Usage']) assert.equal(await page.getByRole('link', { name }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'New memory' }).count(), 0)
  await page.reload()
  await memories.getByRole('link', { name: 'Sandpipers' }).click()
  await page.getByLabel('Choose files').waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'Manage' }).click()
  await page.getByRole('button', { name: 'Export' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
  await close()
})

browserTest(
  'a reading key of one memory gets no button that would be refused, and none of its requests is',
  async () => {
    const memoryId = await makeMemory(service, 'Turnstones')
    const documentId = await addText(service, memoryId, 'Turnstones turn stones.', { title: 'Stones' })
    await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'Turnstones turn shells as well.' })
    const made = await service.post<{ key: string }>('/v1/keys', { name: 'reads', memoryId, role: 'reader' })
    const { page, close } = await openConsole(browser(), { url: service.url, key: made.json.key })
    const refused: string[] = []
    page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(answer.url())
    })
    const views = {
      documents: page.getByRole('row').filter({ hasText: 'Stones' }),
      [`documents/${documentId}`]: page.getByText('Turnstones turn stones.'),
      corrections: page.getByText('Turnstones turn shells as well.'),
      sources: page.getByText('No sources'),
      manage: page.getByRole('button', { name: 'Export' }),
    }
    const changes = /^(Add|Delete|Edit|New|Save|Re-embed|Process|Select|Remove|Actions of|Tag)\b/
    for (const [path, sign] of Object.entries(views)) {
      await page.goto(`${service.url}/#/memories/${memoryId}/${path}`)
      await sign.waitFor()
      assert.deepEqual(await page.locator('main').getByRole('button', { name: changes }).allTextContents(), [], path)
      assert.equal(
        await page
          .locator('main')
          .getByRole('checkbox', { name: /^Select/ })
          .count(),
        0,
        path,
      )
    }
    assert.deepEqual(refused, [])
    await close()
  },
)

browserTest('a writing key of the organization makes and deletes memories, and sees no keys', async () => {
  const made = await service.post<{ key: string }>('/v1/keys', { name: 'writes', role: 'writer' })
  const { page, close } = await openConsole(browser(), { url: service.url, key: made.json.key })
  await page.getByRole('link', { name: 'Projects' }).waitFor()
  for (const name of ['Keys', 'Webhooks']) assert.equal(await page.getByRole('link', { name }).count(), 0)
  await page.getByRole('button', { name: 'New memory' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Avocets')
  await page.getByRole('button', { name: 'Create memory' }).click()
  await page.getByRole('heading', { name: 'Avocets' }).waitFor()
  await page.getByRole('link', { name: 'Manage' }).click()
  await page.locator('main').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete memory' }).click()
  await page.getByText('“Avocets” was deleted.').waitFor()
  await close()
})

browserTest('the address /console leads to the console', async () => {
  const { page, close } = await openTab(browser())
  await page.goto(`${service.url}/console`)
  await page.getByLabel('API key').waitFor()
  assert.equal(new URL(page.url()).pathname, '/')
  await close()
})

browserTest(
  "the list of keys leads to the memory of a memory's key, and a project without memories to its first",
  async () => {
    const memoryId = await makeMemory(service, 'Dunlins')
    await service.post('/v1/keys', { name: 'of a memory', memoryId })
    await service.post('/v1/keys', { name: 'of everything' })
    const path = '#/keys'
    const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('of everything').waitFor()
    assert.equal(await row('of everything').getByRole('link').count(), 0)
    await row('of a memory').getByRole('link', { name: 'Dunlins', exact: true }).click()
    await page.getByRole('heading', { name: 'Dunlins' }).waitFor()
    const { json } = await service.post<{ id: string }>('/v1/projects', { name: 'Waders' })
    await page.evaluate(`location.hash = '/memories?project=${json.id}'`)
    await page.getByRole('heading', { name: 'No memories in this project' }).waitFor()
    await page.getByRole('heading', { name: 'Memories of Waders' }).waitFor()
    await page.getByRole('button', { name: 'New memory' }).click()
    assert.equal(await page.getByLabel('Project', { exact: false }).inputValue(), 'Waders')
    await close()
  },
)

browserTest('a wrong key is refused in a sentence, and signing out forgets the right one', async () => {
  const { page, close } = await openTab(browser())
  await page.goto(service.url)
  await page.getByLabel('API key').fill('rcl_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('API key').fill(service.bootstrapKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Memories', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  const kept = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
  assert.ok(!kept.includes(service.bootstrapKey), kept)
  assert.equal(await page.evaluate('sessionStorage.length'), 0)
  await close()
})

browserTest('a new tab takes the key of an open one, and signing out in one ends all of them', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const other = await page.context().newPage()
  await other.goto(`${service.url}/#/keys`)
  await other.getByRole('heading', { name: 'Keys' }).waitFor()
  await other.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [other, page]) {
    await tab.getByLabel('API key').waitFor()
    assert.equal(await tab.evaluate('sessionStorage.length'), 0)
  }
  const later = await page.context().newPage()
  await later.goto(service.url)
  await later.getByLabel('API key').waitFor()
  await close()
})

browserTest('a service without key checks opens immediately', async () => {
  const { page, close } = await openTab(browser())
  await page.goto(open.url)
  await page.getByRole('heading', { name: 'Memories', exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign out' }).count(), 0)
  await close()
})
