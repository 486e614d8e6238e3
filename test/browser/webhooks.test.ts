/**
 * Webhooks in the console: creation with a secret shown once, test delivery, delivery log,
 * deletion.
 */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { openReceiver, verifyMessage } from '../spec/webhook-receiver.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const receiver = await openReceiver()
after(() => receiver.close())
const browser = useBrowser()
const service = useService({ RECOLLECT_URL_ALLOW_PRIVATE: receiver.host })

browserTest('a webhook without events is refused, and then receives the selected events', async () => {
  const path = '#/webhooks'
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('URL').fill(`${receiver.url}/nothing`)
  for (const name of ['completed', 'partial', 'failed']) await page.getByRole('checkbox', { name }).uncheck()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('alert').getByText('Select at least one event').waitFor()
  const listed = await service.get<{ webhooks: unknown[] }>('/v1/webhooks')
  assert.deepEqual(listed.json.webhooks, [])
  await page.getByRole('checkbox', { name: 'failed' }).check()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('dialog', { name: 'Your webhook secret' }).getByRole('button', { name: 'Close' }).click()
  await page.getByText('failed', { exact: true }).waitFor()
  await choose(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks').waitFor()
  await close()
})

browserTest('a webhook is created, tested and inspected, and its secret verifies messages', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('No webhooks').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('URL').fill(`${receiver.url}/console`)
  await page.getByRole('checkbox', { name: 'partial' }).uncheck()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const secret = (await page.locator('code.key').textContent()) ?? ''
  assert.match(secret, /^whsec_/)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('completed, failed').waitFor()

  receiver.replyWith(() => ({ status: 503, body: '<img src=x onerror=alert(1)>' }))
  await choose(page, 'Send test message')
  await page.getByText('The receiver returned 503.').waitFor()
  const [message] = await receiver.waitFor('/console', 1)
  assert.ok(message)
  assert.equal(verifyMessage(secret, message).type, 'webhook.test')
  receiver.replyWith(() => ({ status: 204 }))
  await choose(page, 'Send test message')
  await page.getByText('Status 204').waitFor()

  await choose(page, 'Deliveries')
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await choose(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks').waitFor()
  await close()
})

/** Chooses an entry of the menu of the only webhook. */
async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}
