import { useState } from 'preact/hooks'
import type { Key } from '../../client/accounts.ts'
import { formatTime } from '../format.ts'
import { useLoad, useMemoryNames } from '../hooks.ts'
import { Form, textOf } from '../parts/form.tsx'
import { Confirmed, Secret } from '../parts/modal.tsx'
import { Notice } from '../parts/notice.tsx'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'

/** The keys that open this service. */
export function Keys() {
  const [made, setMade] = useState<string | null>(null)
  const keys = useLoad((signal) => Array.fromAsync(client.value.keys.list({ signal })), [])
  const names = useMemoryNames().value
  async function make(fields: FormData) {
    const memoryId = textOf(fields, 'memoryId')
    const { key } = await client.value.keys.create({
      name: textOf(fields, 'name'),
      ...(memoryId === '' ? {} : { memoryId }),
    })
    keys.reload()
    if (key === null) throw new Error('The key was made, but the answer with it was lost: revoke it and make another.')
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
          Opens
          <select name="memoryId">
            <option value="">Everything of the organization</option>
            {[...(names ?? [])].map(([id, name]) => (
              <option key={id} value={id}>
                {`Only ${name}`}
              </option>
            ))}
          </select>
        </label>
      </Form>
      <Notice error={keys.error} onRetry={keys.reload} />
      <ul class="list">
        {keys.value?.map((key) => (
          <KeyRow key={key.id} apiKey={key} memoryName={names?.get(key.memoryId ?? '')} onChange={keys.reload} />
        ))}
      </ul>
      {made && (
        <Secret title="Your new key" secret={made} onClose={() => setMade(null)}>
          Copy it now: it is not kept, and never shown again.
        </Secret>
      )}
    </>
  )
}

function KeyRow({
  apiKey,
  memoryName,
  onChange,
}: {
  apiKey: Key
  memoryName: string | undefined
  onChange: () => void
}) {
  const { id, name, keyPreview, scope, memoryId, lastUsedAt, createdAt } = apiKey
  return (
    <li>
      <div>
        <p>
          <bdi>{name}</bdi> <code>{keyPreview}</code> <span class="tag">{scope}</span>{' '}
          {memoryId !== null && (
            <a dir="auto" href={linkTo('memories', memoryId)}>
              {memoryName ?? memoryId}
            </a>
          )}
        </p>
        <p class="quiet">
          made {formatTime(createdAt)} · {lastUsedAt === null ? 'never used' : `used ${formatTime(lastUsedAt)}`}
        </p>
      </div>
      <Confirmed
        label="Revoke"
        title={`Revoke “${name}”?`}
        warning="Whoever uses it is locked out at once. This cannot be taken back."
        action={async () => {
          await client.value.keys.revoke(id)
          onChange()
        }}
      />
    </li>
  )
}
