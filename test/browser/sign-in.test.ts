/** People sign in to the console at a provider, and sign out at both. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { CLIENT, findFreePort, startProvider, type TestProvider } from '../spec/identity-provider.ts'
import { createService, type Service } from '../spec/service.ts'
import { browserTest, useBrowser } from './open-browser.ts'

const browser = useBrowser()
const open = { provider: null as TestProvider | null, service: null as Service | null, url: '' }

before(async () => {
  const [port, providerPort] = [await findFreePort(), await findFreePort()]
  open.url = `http://127.0.0.1:${port}`
  open.provider = await startProvider(open.url, providerPort)
  open.service = createService({
    RECOLLECT_PORT: String(port),
    RECOLLECT_PUBLIC_URL: open.url,
    RECOLLECT_OIDC_ISSUER: open.provider.issuer,
    RECOLLECT_OIDC_CLIENT_ID: CLIENT.id,
    RECOLLECT_OIDC_CLIENT_SECRET: CLIENT.secret,
  })
  await open.service.start()
})

after(async () => {
  await open.service?.dispose()
  await open.provider?.stop()
})

browserTest('a person signs in with single sign-on, works in the console, and signs out', async () => {
  const context = await browser().newContext()
  const page = await context.newPage()
  const broken: string[] = []
  page.on('pageerror', (error) => broken.push(error.message))
  await page.goto(open.url)
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).waitFor()
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).click()
  await page.locator('input[name=login]').fill('ada')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { name: 'Memories', exact: true }).waitFor()
  await page.getByText('Signed in as ada <b>Tester</b>').waitFor()
  await page.getByRole('button', { name: 'New memory' }).click()
  await page.getByLabel('Name').fill('Of Ada')
  await page.getByRole('button', { name: 'Create memory' }).click()
  await page.getByRole('heading', { name: 'Of Ada', exact: true }).waitFor()
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Six.') })
  await page.getByText('searchable').first().waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Of Ada', exact: true }).waitFor()
  assert.equal(await page.evaluate('document.cookie + sessionStorage.length'), '0')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${open.provider?.issuer}/session/end*`)
  await page.goto(open.url)
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).waitFor()
  await context.close()
  assert.deepEqual(broken, [])
})

browserTest('a session that has ended keeps the view, and continues after signing in again', async () => {
  const context = await browser().newContext()
  const page = await context.newPage()
  const signIn = async (at: typeof page) => {
    await at.locator('input[name=login]').fill('ada')
    await at.locator('input[name=password]').fill('any')
    await at.locator('button[type=submit]').click()
    await at.getByRole('heading', { name: 'Memories', exact: true }).waitFor()
  }
  await page.goto(`${open.url}/auth/sign-in`)
  await signIn(page)
  await context.clearCookies()
  await page.getByRole('link', { name: 'Jobs' }).click()
  await page.getByText('Your session has ended.').waitFor()
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('dialog').getByRole('link', { name: 'Sign in with single sign-on' }).click(),
  ])
  await signIn(other)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  await context.close()
})
