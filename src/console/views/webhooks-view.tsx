import { List, Plus, Send, Trash2, Webhook as WebhookIcon } from 'lucide'
import { useState } from 'preact/hooks'
import type { Webhook, WebhookDelivery } from '../../client/accounts.ts'
import { formatCount, formatTime } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Empty, Guide } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Deletion, Modal, Secret } from '../parts/modal.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { ACTIONS, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { client } from '../session.ts'

const EVENTS = { 'job.completed': 'completed', 'job.partial': 'partial', 'job.failed': 'failed' } as const
type Event = keyof typeof EVENTS
const EVENT_NAMES = Object.keys(EVENTS) as Event[]

/** Webhooks for finished jobs. */
export function Webhooks() {
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { value, error, reload } = useLoad((signal) => Array.fromAsync(client.value.webhooks.list({ signal })), [])
  async function make(fields: FormData) {
    const events = EVENT_NAMES.filter((name) => fields.has(name))
    if (events.length === 0) throw new Error('Select at least one event.')
    const made = await client.value.webhooks.create({ url: textOf(fields, 'url'), events })
    reload()
    if (made.secret === null) {
      throw new Error(
        'The webhook was created, but the response with its secret was lost. Delete it and create another one.',
      )
    }
    setMaking(false)
    setSecret(made.secret)
  }
  return (
    <>
      <header class="head">
        <div>
          <h1>Webhooks</h1>
          <p class="quiet">
            Webhooks notify your app when a job finishes, so you don't have to poll.{' '}
            <Guide name="webhooks" of="webhooks and signature verification" />
          </p>
        </div>
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          <Icon of={Plus} /> New webhook
        </button>
      </header>
      <Notice error={error} onRetry={reload} />
      {value === null && error === null && <Skeleton rows={4} />}
      {isMaking && (
        <Modal title="New webhook" onClose={() => setMaking(false)}>
          <Form label="Create webhook" onCancel={() => setMaking(false)} action={make}>
            <label>
              URL
              <input name="url" type="url" required autocomplete="off" placeholder="https://" />
            </label>
            <fieldset class="stack-small">
              <legend>Send when a job is</legend>
              {EVENT_NAMES.map((name) => (
                <label key={name} class="choice">
                  <input type="checkbox" name={name} defaultChecked /> {EVENTS[name]}
                </label>
              ))}
            </fieldset>
          </Form>
        </Modal>
      )}
      {value?.length === 0 && (
        <Empty title="No webhooks" icon={WebhookIcon}>
          <p>Create one with the URL of your app. Its secret is shown once.</p>
        </Empty>
      )}
      {value !== null && value.length > 0 && (
        <Table columns={['URL', 'Status', 'Events', 'Created', ACTIONS]}>
          {value.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onChange={reload} />
          ))}
        </Table>
      )}
      {secret && (
        <Secret title="Your webhook secret" secret={secret} onClose={() => setSecret(null)}>
          Your app verifies messages with this secret. Copy it now; it will not be shown again.
        </Secret>
      )}
    </>
  )
}

function WebhookRow({ webhook, onChange }: { webhook: Webhook; onChange: () => void }) {
  const [outcome, setOutcome] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [open, setOpen] = useState<'deliveries' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const { id, url, status, disabledReason, waiting, events, createdAt } = webhook
  async function test() {
    setError(null)
    setOutcome('Sending a test message …')
    try {
      setOutcome(describe(await client.value.webhooks.test(id)))
      onChange()
    } catch (why) {
      setOutcome('')
      setError(why)
    }
  }
  return (
    <tr>
      <td class="named">
        <p class="one-line" dir="ltr" title={url}>
          {url}
        </p>
        {disabledReason && <p class="quiet">{disabledReason} A successful test enables it again.</p>}
        <p class="quiet" role="status">
          {outcome}
        </p>
        <Notice error={error} />
      </td>
      <td>
        <span class={`state ${status}`}>{status}</span>
      </td>
      <td class="few" data-label="Events">
        {events.map((name) => EVENTS[name]).join(', ')}
        {waiting > 0 && <span class="faint"> {waiting} waiting</span>}
      </td>
      <td class="few quiet" data-label="Created">
        <Time at={createdAt} />
      </td>
      <td class="actions">
        <Menu
          label={`Actions for ${url}`}
          entries={[
            { label: 'Send test message', icon: Send, onSelect: () => void test() },
            { label: 'Deliveries', icon: List, onSelect: () => setOpen('deliveries') },
            { label: 'Delete', icon: Trash2, isDanger: true, onSelect: () => setOpen('delete') },
          ]}
        />
        {open === 'deliveries' && <Deliveries webhook={webhook} onClose={close} />}
        {open === 'delete' && (
          <Deletion
            label="Delete"
            title="Delete this webhook?"
            warning={<p>Messages to {url} stop. Waiting messages are discarded.</p>}
            action={async () => {
              await client.value.webhooks.delete(id)
              onChange()
            }}
            onClose={close}
          />
        )}
      </td>
    </tr>
  )
}

function Deliveries({ webhook: { id, url }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { value, error, reload } = useLoad(
    (signal) => client.value.webhooks.listDeliveriesPage(id, { limit: 100 }, { signal }),
    [id],
  )
  return (
    <Modal title={`Deliveries to ${url}`} wide onClose={onClose}>
      <Notice error={error} onRetry={reload} />
      {value?.total === 0 && <p>No messages sent yet.</p>}
      <ul class="list">
        {value?.deliveries.map((delivery) => (
          <li key={delivery.id}>
            <div>
              <p>
                <span class={`state ${delivery.outcome === 'delivered' ? 'delivered' : 'failed'}`}>
                  {delivery.outcome}
                </span>{' '}
                <strong>{delivery.event}</strong> {describe(delivery)}
              </p>
              {delivery.response && <p dir="auto">{delivery.response}</p>}
              <p class="quiet">
                {formatTime(delivery.attemptedAt)} · attempt {delivery.attempt}
                {delivery.nextAttemptAt && ` · again ${formatTime(delivery.nextAttemptAt)}`}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {value?.hasMore && (
        <p class="quiet">
          Showing the newest {value.deliveries.length} of {formatCount(value.total)}.
        </p>
      )}
    </Modal>
  )
}

function describe({ statusCode, durationMs, error }: WebhookDelivery): string {
  return error ?? `Status ${statusCode} after ${durationMs} ms`
}
