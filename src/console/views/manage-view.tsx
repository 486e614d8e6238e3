import type { Memory } from '../../client/client.ts'
import { formatBytes, formatTime, pluralize } from '../format.ts'
import { Guide } from '../parts/empty.tsx'
import { Form } from '../parts/form.tsx'
import { Confirmed } from '../parts/modal.tsx'
import { goTo } from '../route.ts'
import { client, scope } from '../session.ts'
import { saveAnswer } from '../transfers.ts'
import { Reembed } from './reembed-view.tsx'
import { Verify } from './verify-view.tsx'

/** Properties of a memory, and actions on the whole memory: verify, export, re-embed, delete. */
export function Manage({ memory, onChange }: { memory: Memory; onChange: () => void }) {
  const { id, name } = memory
  return (
    <>
      <Facts memory={memory} />
      <ul class="list">
        <Verify memoryId={id} />
        <li>
          <div>
            <h2>Export</h2>
            <p>
              Download the memory as an archive. Use “Import an archive” to restore it on any installation.{' '}
              <Guide name="export-and-import" of="archives" />
            </p>
          </div>
          <Form
            label="Export"
            look="quiet"
            action={async () => saveAnswer(await client.value.memories.export(id), `${name}.tar.gz`)}
          />
        </li>
        <Reembed memory={memory} onChange={onChange} />
        {scope.value === 'organization' && (
          <li>
            <div>
              <h2>Delete</h2>
              <p>
                Deletes all documents and corrections. They are erased from disk within 15 minutes.{' '}
                <Guide name="permanent-deletion" of="deleting" />
              </p>
            </div>
            <Confirmed
              label="Delete"
              title={`Delete “${name}”?`}
              warning="All documents and corrections will be deleted. This cannot be undone."
              action={async () => {
                await client.value.memories.delete(id)
                goTo('memories')
              }}
            />
          </li>
        )}
      </ul>
    </>
  )
}

function Facts({ memory }: { memory: Memory }) {
  const { id, name, description, projectName, sizeBytes, correctionCount, createdAt, updatedAt } = memory
  return (
    <dl class="facts">
      <dt>Name</dt>
      <dd dir="auto">{name}</dd>
      {description && (
        <>
          <dt>Description</dt>
          <dd dir="auto">{description}</dd>
        </>
      )}
      <dt>ID</dt>
      <dd>
        <code>{id}</code>
      </dd>
      {projectName && (
        <>
          <dt>Project</dt>
          <dd dir="auto">{projectName}</dd>
        </>
      )}
      <dt>Size</dt>
      <dd>
        {formatBytes(sizeBytes)}, {pluralize(correctionCount, 'correction')}
      </dd>
      <dt>Created</dt>
      <dd>
        {formatTime(createdAt)} · last changed {formatTime(updatedAt)}
      </dd>
    </dl>
  )
}
