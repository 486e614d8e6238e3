import { useState } from 'preact/hooks'
import type { Key } from '../../client/accounts.ts'
import { formatTime } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { memoryNames } from '../memory-list.ts'
import { Form, textOf } from '../parts/form.tsx'
import { Confirmed, Secret } from '../parts/modal.tsx'
import { Notice } from '../parts/notice.tsx'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'

/** API keys of the organization. */
export function Keys() {
  const [made, setMade] = useState<string | null>(null)
  const keys = useLoad((signal) => Array.fromAsync(client.value.keys.list({ signal })), [])
  const names = memoryNames.value
  async function make(fields: FormData) {
    const memoryId = textOf(fields, 'memoryId')
    const role = textOf(fields, 'role') as Key['role'] | ''
    const { key } = await client.value.keys.create({
      name: textOf(fields, 'name'),
      ...(memoryId === '' ? {} : { memoryId }),
      ...(role === '' ? {} : { role }),
    })
    keys.reload()
    if (key === null)
      throw new Error('The key was created, but the response was lost. Revoke it and create another one.')
    setMade(key)
  }
  return (
    <>
      <h1>Keys</h1>
      <Form label="New key" clears action={make}>
        <label>
          Name
          <input name="name" dir="auto" required autocomplete="off" />
        </label>
        <label>
          Scope
          <select name="memoryId">
            <option value="">Whole organization</option>
            {[...(names ?? [])].map(([id, name]) => (
              <option key={id} value={id}>
                {`Only ${name}`}
              </option>
            ))}
          </select>
        </label>
        <label>
          Role
          <select name="role">
            <option value="">Full access</option>
            <option value="writer">Writer: no keys and webhooks</option>
            <option value="reader">Reader: changes nothing</option>
          </select>
        </label>
      </Form>
      <Notice error={keys.error} onRetry={keys.reload} />
      <ul class="list">
        {keys.value?.map((key) => (
          <KeyRow key={key.id} apiKey={key} names={names} onChange={keys.reload} />
        ))}
      </ul>
      {made && (
        <Secret title="Your new API key" secret={made} onClose={() => setMade(null)}>
          Copy the key now. It is not stored and will not be shown again.
        </Secret>
      )}
    </>
  )
}

function KeyRow({
  apiKey,
  names,
  onChange,
}: {
  apiKey: Key
  names: ReadonlyMap<string, string> | null
  onChange: () => void
}) {
  const { id, name, keyPreview, scope, role, memoryIds, lastUsedAt, createdAt } = apiKey
  return (
    <li>
      <div>
        <p>
          <bdi>{name}</bdi> <code>{keyPreview}</code> <span class="tag">{`${scope} ${role}`}</span>{' '}
          {memoryIds.map((memoryId) => (
            <a key={memoryId} dir="auto" href={linkTo('memories', memoryId)}>
              {names?.get(memoryId) ?? memoryId}{' '}
            </a>
          ))}
        </p>
        <p class="quiet">
          created {formatTime(createdAt)} · {lastUsedAt === null ? 'never used' : `last used ${formatTime(lastUsedAt)}`}
        </p>
      </div>
      <Confirmed
        label="Revoke"
        title={`Revoke “${name}”?`}
        warning="Clients that use this key lose access immediately. This cannot be undone."
        action={async () => {
          await client.value.keys.revoke(id)
          onChange()
        }}
      />
    </li>
  )
}
