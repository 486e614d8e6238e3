import { KeyRound, PencilLine, Plus, Trash2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { Key } from '../../client/accounts.ts'
import { finishStep } from '../first-steps.ts'
import { formatDay } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { memoryList, memoryNames } from '../memory-list.ts'
import { Empty } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Deletion, Modal, Secret } from '../parts/modal.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { ACTIONS, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { linkTo, route } from '../route.ts'
import { client, mayAdminister, ownKey } from '../session.ts'
import { showToast } from '../shell/toasts.tsx'

/** Permissions of each role. */
const ROLES: Readonly<Record<Key['role'], string>> = {
  admin: 'Everything, also keys and webhooks',
  writer: 'Add, change and delete documents',
  reader: 'Search and read, change nothing',
}

type Open = { dialog: 'new' } | { dialog: 'rename' | 'revoke'; key: Key } | { dialog: 'secret'; secret: string } | null

/** API keys of the organization. */
export function Keys() {
  const { query } = route.value
  const [open, setOpen] = useState<Open>(null)
  const keys = useLoad((signal) => Array.fromAsync(client.value.keys.list({ signal })), [])
  useEffect(() => {
    if (query.has('new')) setOpen({ dialog: 'new' })
  }, [query])
  const close = () => setOpen(null)
  const rows = keys.value?.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
  return (
    <>
      <header class="head">
        <h1>Keys</h1>
        {mayAdminister.value && (
          <button type="button" class="primary" onClick={() => setOpen({ dialog: 'new' })}>
            <Icon of={Plus} /> New key
          </button>
        )}
      </header>
      <Notice error={keys.error} onRetry={keys.reload} />
      {keys.value === null && keys.error === null && <Skeleton rows={4} />}
      {rows?.length === 0 && (
        <Empty title="No keys" icon={KeyRound}>
          <p>The service requires no key. Create one, and set RECOLLECT_AUTH to require it.</p>
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && <KeyTable keys={rows} onOpen={setOpen} />}
      {open?.dialog === 'new' && (
        <NewKey
          onClose={close}
          onMade={(secret) => {
            keys.reload()
            finishStep('key')
            if (secret !== null) setOpen({ dialog: 'secret', secret })
          }}
        />
      )}
      {open?.dialog === 'rename' && <Renaming apiKey={open.key} onClose={close} onChange={keys.reload} />}
      {open?.dialog === 'revoke' && <Revoking apiKey={open.key} onClose={close} onChange={keys.reload} />}
      {open?.dialog === 'secret' && (
        <Secret title="Your new API key" secret={open.secret} onClose={close}>
          Copy the key now. It is not stored and will not be shown again.
        </Secret>
      )}
    </>
  )
}

function isOwn({ id }: Key): boolean {
  return ownKey.value?.id === id
}

function KeyTable({ keys, onOpen }: { keys: readonly Key[]; onOpen: (open: Open) => void }) {
  return (
    <Table columns={['Name', 'Key', 'Role', 'Access', 'Last used', 'Created', 'Expires', ACTIONS]}>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} onOpen={onOpen} />
      ))}
    </Table>
  )
}

function KeyRow({ apiKey, onOpen }: { apiKey: Key; onOpen: (open: Open) => void }) {
  const { name, keyPreview, role, memoryIds, lastUsedAt, createdAt, expiresAt } = apiKey
  const isExpired = expiresAt !== null && Date.parse(expiresAt) < Date.now()
  return (
    <tr>
      <td class="named">
        <bdi>{name}</bdi> {isOwn(apiKey) && <span class="tag strong">this key</span>}
      </td>
      <td data-label="Key">
        <code>{keyPreview}</code>
      </td>
      <td data-label="Role" title={ROLES[role]}>
        {role}
      </td>
      <td data-label="Access">{memoryIds.length === 0 ? 'All memories' : <MemoryLinks ids={memoryIds} />}</td>
      <td data-label="Last used">{lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />}</td>
      <td data-label="Created">
        <Time at={createdAt} />
      </td>
      <td data-label="Expires">
        {isExpired ? <span class="state failed">expired</span> : expiresAt === null ? 'never' : <Time at={expiresAt} />}
      </td>
      <td class="actions">
        {mayAdminister.value && (
          <Menu
            label={`Actions for ${name}`}
            entries={[
              { label: 'Rename', icon: PencilLine, onSelect: () => onOpen({ dialog: 'rename', key: apiKey }) },
              {
                label: 'Revoke',
                icon: Trash2,
                isDanger: true,
                onSelect: () => onOpen({ dialog: 'revoke', key: apiKey }),
              },
            ]}
          />
        )}
      </td>
    </tr>
  )
}

function MemoryLinks({ ids }: { ids: readonly string[] }) {
  return (
    <span class="tags">
      {ids.map((id) => (
        <a key={id} class="tag" href={linkTo('memories', id)}>
          <bdi>{memoryNames.value.get(id) ?? id}</bdi>
        </a>
      ))}
    </span>
  )
}

type NewKeyProps = {
  onClose: () => void
  /** Gets `null` if the response with the secret was lost. */
  onMade: (secret: string | null) => void
}

function NewKey({ onClose, onMade }: NewKeyProps) {
  const [isLimited, setLimited] = useState(false)
  const [role, setRole] = useState<Key['role']>('writer')
  async function make(fields: FormData) {
    const memoryIds = fields.getAll('memoryIds').map(String)
    if (isLimited && memoryIds.length === 0) throw new Error('Select at least one memory.')
    const expires = textOf(fields, 'expires')
    const { key } = await client.value.keys.create({
      name: textOf(fields, 'name'),
      role,
      ...(isLimited ? { memoryIds } : {}),
      ...(expires === '' ? {} : { expiresAt: new Date(`${expires}T23:59:59Z`).toISOString() }),
    })
    onMade(key)
    if (key === null)
      throw new Error('The key was created, but the response was lost. Revoke it and create another one.')
  }
  const roles = Object.entries(ROLES).filter(([name]) => !isLimited || name !== 'admin')
  return (
    <Modal title="New key" onClose={onClose}>
      <Form label="Create key" onCancel={onClose} action={make}>
        <label>
          Name
          <input name="name" dir="auto" required maxLength={200} autocomplete="off" placeholder="Help desk" />
        </label>
        <fieldset class="stack-small">
          <legend>Role</legend>
          {roles.map(([name, meaning]) => (
            <label key={name} class="choice">
              <input
                type="radio"
                name="role"
                value={name}
                checked={role === name}
                onChange={() => setRole(name as Key['role'])}
              />
              <span>
                <strong>{name}</strong> <span class="hint">{meaning}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <MemoryChoice
          isLimited={isLimited}
          onLimit={(limited) => {
            setLimited(limited)
            if (limited && role === 'admin') setRole('writer')
          }}
        />
        <label>
          <span>
            Expires <span class="hint">optional; at the end of this day, UTC</span>
          </span>
          <input name="expires" type="date" min={new Date().toISOString().slice(0, 10)} />
        </label>
      </Form>
    </Modal>
  )
}

/** All memories, or some by name. The day of creation distinguishes equal names. */
function MemoryChoice({ isLimited, onLimit }: { isLimited: boolean; onLimit: (limited: boolean) => void }) {
  const memories = memoryList.value.memories ?? []
  return (
    <fieldset class="stack-small">
      <legend>Access</legend>
      {[false, true].map((limited) => (
        <label key={String(limited)} class="choice">
          <input type="radio" name="access" checked={isLimited === limited} onChange={() => onLimit(limited)} />
          {limited ? 'Only some memories' : 'All memories'}
        </label>
      ))}
      {isLimited && (
        <div class="choices">
          {memories.map(({ id, name, createdAt }) => (
            <label key={id} class="choice">
              <input type="checkbox" name="memoryIds" value={id} />
              <span>
                <bdi>{name}</bdi> <span class="hint">{formatDay(createdAt)}</span>
              </span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}

type KeyDialogProps = { apiKey: Key; onClose: () => void; onChange: () => void }

function Renaming({ apiKey: { id, name }, onClose, onChange }: KeyDialogProps) {
  async function rename(fields: FormData) {
    const renamed = textOf(fields, 'name')
    await send(renamed)
    showToast(`The key is called “${renamed}”.`, () => send(name))
    onClose()
  }
  async function send(to: string) {
    await client.value.keys.rename(id, to)
    onChange()
  }
  return (
    <Modal title={`Rename “${name}”`} onClose={onClose}>
      <Form label="Rename" onCancel={onClose} action={rename}>
        <label>
          Name
          <input name="name" dir="auto" required maxLength={200} defaultValue={name} autocomplete="off" />
        </label>
      </Form>
    </Modal>
  )
}

function Revoking({ apiKey, onClose, onChange }: KeyDialogProps) {
  return (
    <Deletion
      title={`Revoke “${apiKey.name}”?`}
      label="Revoke key"
      warning={
        <p>
          Clients that use this key lose access immediately. This cannot be undone.
          {isOwn(apiKey) && <strong> You are signed in with this key.</strong>}
        </p>
      }
      action={async () => {
        await client.value.keys.revoke(apiKey.id)
        showToast(`The key “${apiKey.name}” was revoked.`)
        onChange()
      }}
      onClose={onClose}
    />
  )
}
