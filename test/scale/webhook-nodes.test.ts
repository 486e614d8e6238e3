/**
 * The sender of a webhook message dies, or stalls until its lease has expired. A second process
 * sends the message under the same `webhook-id`, and the late result changes nothing. Seen to fail
 * without the token in `postponeMessage`: the stalled attempt was recorded beside the valid one.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertStatus } from '../spec/answer.ts'
import type { Delivery, List, NewWebhook } from '../spec/shapes.ts'
import { addInBackground, makeMemory } from '../spec/steps.ts'
import { type Message, openReceiver, type Reply } from '../spec/webhook-receiver.ts'
import type { MortalService } from './mortal-service.ts'
import { describeInstallation } from './support/scaled-installation.ts'

const LEASE_MS = 60_000
const PATIENCE_MS = 240_000
const LOOK_MS = 200

describeInstallation('webhooks of several processes', { name: 'webhooks' }, (installation) => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let api: MortalService
  before(async () => {
    receiver = await openReceiver()
    api = await startNode('api')
  })
  after(() => receiver?.close())

  const startNode = (role: 'api' | 'worker') =>
    installation().startNode(role, { settings: { RECOLLECT_URL_ALLOW_PRIVATE: receiver.host } })

  /** The messages about a job, once there are so many. */
  async function messagesOf(jobId: string, count: number): Promise<Message[]> {
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      const found = receiver.messages.filter((message) => jobOf(message) === jobId)
      if (found.length >= count) return found
      assert.ok(Date.now() < until, `${found.length} of ${count} messages came about ${jobId}`)
      await pause(LOOK_MS)
    }
  }

  /** The recorded attempts for a job, oldest first, as soon as there are `count`. */
  async function deliveriesOf(webhookId: string, jobId: string, count: number): Promise<Delivery[]> {
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      const answer = await api.get<List<'deliveries', Delivery>>(`/v1/webhooks/${webhookId}/deliveries`)
      assertStatus(answer, 200)
      const found = answer.json.deliveries.filter((delivery) => delivery.jobId === jobId).reverse()
      if (found.length >= count) return found
      assert.ok(Date.now() < until, `${found.length} of ${count} attempts are noted of ${jobId}`)
      await pause(LOOK_MS)
    }
  }

  test('a message of a killed or stalled sender is sent by another, and the late response has no effect', async () => {
    const made = await api.post<NewWebhook>('/v1/webhooks', { url: `${receiver.url}/held`, events: ['job.completed'] })
    assertStatus(made, 201)
    const { id: webhookId } = made.json
    const memoryId = await makeMemory(api)
    const [toTheLate, toTheNext] = [Promise.withResolvers<Reply>(), Promise.withResolvers<Reply>()]
    let first = ''
    receiver.replyWith((message) => {
      const jobId = jobOf(message)
      const times = receiver.messages.filter((one) => jobOf(one) === jobId).length
      if (jobId !== first) return times === 1 ? 'silence' : { status: 204 }
      return [toTheLate.promise, toTheNext.promise][times - 1] ?? { status: 204 }
    })

    const late = await startNode('worker')
    first = (await addInBackground(api, memoryId, 'The first barge left at dawn.')).json.jobId
    await messagesOf(first, 1)
    process.kill(late.pid, 'SIGSTOP')
    const mortal = await startNode('worker')
    const second = (await addInBackground(api, memoryId, 'The second barge left at noon.')).json.jobId
    await messagesOf(second, 1)
    await mortal.kill()
    await startNode('worker')

    await messagesOf(first, 2)
    // The stalled sender gets its response while the other sender has the message, and ends before
    // the other response.
    toTheLate.resolve({ status: 204 })
    process.kill(late.pid, 'SIGCONT')
    await late.stop()
    toTheNext.resolve({ status: 500 })
    for (const [jobId, outcomes] of [
      [first, ['failed', 'delivered']],
      [second, ['delivered']],
    ] as const) {
      const noted = await deliveriesOf(webhookId, jobId, outcomes.length)
      assert.deepEqual(
        noted.map(({ outcome, attempt }) => ({ outcome, attempt })),
        outcomes.map((outcome, index) => ({ outcome, attempt: index + 1 })),
      )
      for (const { durationMs } of noted) assert.ok(durationMs < LEASE_MS, `an attempt of ${durationMs} ms is noted`)
      const messages = await messagesOf(jobId, outcomes.length + 1)
      assert.equal(messages.length, outcomes.length + 1)
      assert.deepEqual([...new Set(messages.map(({ headers }) => headers['webhook-id']))], [noted[0]?.messageId])
    }
  })
})

/** The job of a message. */
function jobOf({ body }: Message): unknown {
  return (JSON.parse(body) as { data: { id: unknown } }).data.id
}
