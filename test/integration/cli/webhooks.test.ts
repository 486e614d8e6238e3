import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runProgram } from '../../../src/cli/program.ts'
import { useService } from '../../spec/service.ts'
import { openReceiver, verifyMessage } from '../../spec/webhook-receiver.ts'
import { fakeCliContext } from '../../support/fake-cli-context.ts'

const receiver = await openReceiver()
after(() => receiver.close())
const service = useService({ RECOLLECT_URL_ALLOW_PRIVATE: receiver.host })

async function run(...args: string[]) {
  const environment = { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey }
  const { context, written } = fakeCliContext({ environment, fetch: globalThis.fetch })
  return { status: await runProgram(['webhooks', ...args], context), ...written }
}

test('a webhook is added, listed, tested, looked into and removed from the shell', async () => {
  const added = await run('add', `${receiver.url}/cli`, '--event', 'job.failed', 'job.partial')
  assert.equal(added.status, 0)
  assert.match(added.out, /^whsec_\S+\n$/)
  const [id = ''] = added.error.match(/whk_\w{26}/) ?? []
  const listed = await run('list')
  assert.match(listed.out, new RegExp(`${id} +enabled +0 +failed,partial .*${receiver.url}/cli`))

  assert.match((await run('test', id)).error, /^The test arrived: 204 after \d+ ms\.\n$/)
  const [message] = await receiver.waitFor('/cli', 1)
  assert.ok(message)
  assert.equal(verifyMessage(added.out.trim(), message).type, 'webhook.test')

  receiver.replyWith(() => ({ status: 500, body: 'out of \u001b[31morder' }))
  const failed = await run('test', id)
  assert.notEqual(failed.status, 0)
  assert.match(failed.error, /The receiver returned 500\./)
  const { out } = await run('deliveries', id)
  assert.match(out, /webhook\.test +- +1 +failed +500 +\d+ +- +out of/)
  assert.equal(out.includes('\u001b'), false)
  assert.equal((await run('deliveries', id, '-n', '1')).error, 'These are 1 of 2.\n')
  const { deliveries } = JSON.parse((await run('deliveries', id, '--json', '-n', '1')).out)
  assert.deepEqual([deliveries.length, deliveries[0].statusCode], [1, 500])

  assert.equal((await run('remove', id)).status, 0)
  assert.equal(JSON.parse((await run('list', '--json')).out).webhooks.length, 0)
})

test('a secret whose answer was lost is said to be lost', async () => {
  let isLost = false
  const { context, written } = fakeCliContext({
    environment: { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey },
    fetch: async (...request) => {
      const answer = await fetch(...request)
      if (isLost) return answer
      isLost = true
      throw new TypeError('fetch failed')
    },
  })
  assert.equal(await runProgram(['webhooks', 'add', `${receiver.url}/lost`, '--json'], context), 1)
  const { message } = JSON.parse(written.error).error
  assert.match(message, /^whk_\w{26} is made, but the answer with its secret was lost\./)
  assert.equal(written.out, '')
})

test('a forbidden address is refused with the reason', async () => {
  const { status, error } = await run('add', 'http://10.0.0.1/')
  assert.notEqual(status, 0)
  assert.match(error, /not public \(private\)/)
})
