/** The console asks for confirmation before every irreversible action. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'
import { until } from './until.ts'

const browser = useBrowser()
const service = useService()

/** A view with one deletable item: the texts before and after the deletion. */
type Deletable = { path: string; menu?: string; label: string; there: string; gone: string }

async function makeDeletables(): Promise<Deletable[]> {
  const [memoryId, other] = [await makeMemory(service, 'Lighthouses'), await makeMemory(service, 'Buoys')]
  const documentId = await addText(service, memoryId, 'The lamp turns once a minute.', { title: 'Lamp' })
  await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'The lamp stands still.' })
  await service.post('/v1/projects', { name: 'Coast' })
  await service.post('/v1/keys', { name: 'spare' })
  await service.post('/v1/webhooks', { url: 'https://hooks.example.com/jobs' })
  const memory = `#/memories/${memoryId}`
  return [
    {
      path: `${memory}/corrections`,
      menu: 'Actions of the correction',
      label: 'Delete',
      there: 'The lamp stands still.',
      gone: 'No corrections',
    },
    { path: `${memory}/documents/${documentId}`, label: 'Delete', there: 'once a minute', gone: 'No documents yet' },
    { path: '#/projects', menu: 'Actions for Coast', label: 'Delete', there: 'Coast', gone: 'No projects' },
    {
      path: '#/webhooks',
      menu: 'Actions for https://hooks.example.com/jobs',
      label: 'Delete',
      there: 'https://hooks.example.com/jobs',
      gone: 'No webhooks',
    },
    { path: `#/memories/${other}/manage`, label: 'Delete', there: 'Buoys', gone: 'Lighthouses' },
  ]
}

browserTest('deletions need a confirmation that names the effect, and Escape cancels', async () => {
  const deletables = await makeDeletables()
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  for (const { path, menu, label, there, gone } of deletables) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
    await page.getByText(there).first().waitFor()
    const remove = async () => {
      if (menu !== undefined) await page.getByRole('button', { name: menu }).click()
      const role = menu === undefined ? 'button' : 'menuitem'
      await page.locator('main').getByRole(role, { name: label, exact: true }).click()
    }
    await assertAsksFirst(page, remove, path)
    await page.getByText(there).first().waitFor()
    await remove()
    await page.getByRole('dialog').locator('button[type=submit]').click()
    await page.locator('main').getByText(gone).first().waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0, path)
  }
  await close()
})

browserTest('a memory with documents is deleted only after its name is typed', async () => {
  const memoryId = await makeMemory(service, 'Sea charts')
  await addText(service, memoryId, 'The bay is nine metres deep.')
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const chart = page.getByRole('row').filter({ hasText: 'Sea charts' })
  await chart.getByRole('button', { name: 'Actions for Sea charts' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “Sea charts”?' })
  await dialog.getByText('1 document').waitFor()
  const confirm = dialog.getByRole('button', { name: 'Delete memory' })
  for (const typed of ['', 'Sea chart', 'sea charts']) {
    await dialog.getByLabel('Type Sea charts to confirm').fill(typed)
    assert.equal(await confirm.isDisabled(), true, typed)
    await page.keyboard.press('Enter')
  }
  assert.equal((await service.get(`/v1/memories/${memoryId}`)).status, 200)
  await dialog.getByLabel('Type Sea charts to confirm').fill('Sea charts')
  await confirm.click()
  await chart.waitFor({ state: 'detached' })
  assert.equal((await service.get(`/v1/memories/${memoryId}`)).status, 404)
  await close()
})

browserTest('a key is revoked only after confirmation, and no other key', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.getByRole('link', { name: 'Keys' }).click()
  const spare = page.getByRole('row').filter({ hasText: 'spare' })
  const revoke = async () => {
    await spare.getByRole('button', { name: 'Actions for spare' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
  }
  await assertAsksFirst(page, revoke, 'keys')
  const keys = await page.getByRole('row').count()
  await revoke()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await spare.waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('row').count(), keys - 1)
  await close()
})

browserTest('a secret whose response was lost is reported as lost, and the list shows the created item', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const places = {
    keys: { opens: 'New key', field: 'Name', value: 'lost key', button: 'Create key' },
    webhooks: { opens: 'New webhook', field: 'URL', value: 'https://hooks.example.com/lost', button: 'Create webhook' },
  }
  for (const [place, { opens, field, value, button }] of Object.entries(places)) {
    await page.evaluate(`location.hash = '/${place}'`)
    await page.getByRole('button', { name: opens }).click()
    await page.getByLabel(field, { exact: true }).fill(value)
    // The service has answered, and its answer does not arrive; the client sends the request
    // again.
    let isLost = false
    await page.route(`**/v1/${place}`, async (route) => {
      if (isLost || route.request().method() !== 'POST') return route.continue()
      isLost = true
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('alert').getByText('was lost').waitFor()
    await page.locator('main :is(tr, li)').filter({ hasText: value }).waitFor()
    assert.equal(await page.locator('code.key').count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await close()
})

/**
 * A dialog opens, names the affected data, traps the keyboard, closes on Escape and returns the
 * focus to the button.
 */
async function assertAsksFirst(page: Page, open: () => Promise<void>, what: string): Promise<void> {
  await open()
  const dialog = page.getByRole('dialog')
  await dialog.locator('button[type=submit]').waitFor()
  assert.ok(((await dialog.locator('.body > :first-child').textContent()) ?? '').length > 15, what)
  await assertUsable(page, what)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'BUTTON', what)
}

browserTest('names, tags, metadata, settings and expiry are set back by the undo of their message', async () => {
  const memoryId = await makeMemory(service, 'Piers')
  const documentId = await addText(service, memoryId, 'The pier is long.', { title: 'Pier', tags: ['old'] })
  await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'It is short.' })
  const read = async (path: string) => {
    const { json } = await service.get<object>(`/v1/memories/${memoryId}${path}`)
    return JSON.stringify(json, (name, value) => (name === 'updatedAt' ? '' : value))
  }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const undone = async (path: string, act: () => Promise<void>) => {
    const before = await read(path)
    await act()
    const button = page.getByRole('button', { name: 'Undo' })
    await button.waitFor()
    assert.notEqual(await read(path), before, path)
    await button.click()
    await until(async () => (await read(path)) === before)
  }
  await page.goto(`${service.url}/#/memories/${memoryId}/documents/${documentId}`)
  await undone(`/documents/${documentId}`, () => page.getByRole('button', { name: 'Remove the tag old' }).click())
  await undone(`/documents/${documentId}`, async () => {
    await page.getByLabel('Name of new metadata').fill('depth')
    await page.getByLabel('Value of new metadata').fill('12')
    await page.getByRole('button', { name: 'Add the metadata' }).click()
  })
  await undone(`/documents/${documentId}`, async () => {
    await page.getByRole('button', { name: 'Edit title and tags' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Jetty')
    await page.getByRole('button', { name: 'Save' }).click()
  })
  await page.goto(`${service.url}/#/memories/${memoryId}/manage`)
  await undone('', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Jetties')
    await page.getByRole('button', { name: 'Save' }).click()
  })
  await page.goto(`${service.url}/#/memories/${memoryId}/corrections`)
  await undone('/corrections', async () => {
    await page.getByRole('button', { name: 'Actions of the correction' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Expires').fill('2099-01-01T00:00')
    await page.getByRole('button', { name: 'Save' }).click()
  })
  await close()
})
