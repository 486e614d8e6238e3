import { useEffect, useRef, useState } from 'preact/hooks'
import type { Verification } from '../../client/answers.ts'
import type { Job, Memory } from '../../client/client.ts'
import { followJob } from '../follow-job.ts'
import { formatBytes, formatTime, pluralize } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Guide } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Confirmed } from '../parts/modal.tsx'
import { Notice } from '../parts/notice.tsx'
import { goTo, linkTo } from '../route.ts'
import { client, scope } from '../session.ts'
import { saveAnswer } from '../transfers.ts'

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

/** Integrity check of a memory, with the problems found and their remedies. */
function Verify({ memoryId }: { memoryId: string }) {
  const [found, setFound] = useState<Verification | null>(null)
  const leaving = useRef(new AbortController())
  // The check reads every passage, so leaving the view stops it.
  useEffect(() => () => leaving.current.abort(), [])
  async function verify() {
    setFound(null)
    setFound(await client.value.memories.verify(memoryId, { signal: leaving.current.signal }))
  }
  return (
    <li>
      <div>
        <h2>Verify</h2>
        <p>
          Checks the stored data of this memory for corruption. <Guide name="integrity-checks" of="verifying" />
        </p>
        <div role="status">{found && <Outcome memoryId={memoryId} found={found} />}</div>
      </div>
      <Form label="Verify" look="quiet" action={verify} />
    </li>
  )
}

function Outcome({ memoryId, found }: { memoryId: string; found: Verification }) {
  const { ok, documents, chunks, problemsFound, problems } = found
  if (ok) {
    return (
      <p>
        <span class="state ready">ok</span> {pluralize(documents, 'document')} and {pluralize(chunks, 'passage')}{' '}
        verified.
      </p>
    )
  }
  return (
    <>
      <p>
        <span class="state failed">{pluralize(problemsFound, 'problem')}</span>{' '}
        {problems.length < problemsFound && `Showing the first ${problems.length}.`}
      </p>
      <ul>
        {problems.map(({ code, message, documentId, remedy }) => (
          <li key={`${code} ${documentId}`}>
            <strong dir="auto">{message}</strong> {remedy}{' '}
            {documentId !== null && (
              <a href={linkTo('memories', memoryId, 'documents', documentId)}>Open the document</a>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Embedding model of a memory, and a form to change it. Shows a running re-embedding. */
function Reembed({ memory, onChange }: { memory: Memory; onChange: () => void }) {
  const [job, setJob] = useState<Job | null>(null)
  async function reembed(fields: FormData) {
    const { job: begun } = await client.value.memories.reembed(memory.id, textOf(fields, 'model'))
    await follow(begun)
  }
  async function follow(begun: Job, signal?: AbortSignal) {
    setJob(begun)
    const ended = await followJob(begun.id, setJob, signal)
    onChange()
    if (ended.status !== 'completed') throw new Error(ended.error ?? ended.message)
  }
  const running = useLoad(
    async (signal) => {
      const begun = await findReembedding(memory.id, signal)
      if (begun !== null) await follow(begun, signal)
    },
    [memory.id],
  )
  return (
    <li>
      <div>
        <h2>Embedding model</h2>
        <p>
          {memory.embeddingModel === null ? (
            'The first document sets the embedding model.'
          ) : (
            <>
              Embedding model: <code>{memory.embeddingModel}</code>.
            </>
          )}{' '}
          Switching re-embeds all documents in the background. See <a href={linkTo('jobs')}>Jobs</a>. Search keeps
          working. <Guide name="re-embedding" of="embedding models" />
        </p>
        <p role="status">{job && `${job.progress} % ${job.message}`}</p>
        <Notice error={running.error} onRetry={running.reload} />
      </div>
      <Form label="Re-embed" look="quiet" action={reembed}>
        <label>
          With the model
          <input name="model" required autocomplete="off" placeholder="openai:text-embedding-3-small" />
        </label>
      </Form>
    </li>
  )
}

/**
 * Finds the job that re-embeds this memory. The second query covers a job that starts between the
 * two.
 */
async function findReembedding(memoryId: string, signal: AbortSignal): Promise<Job | null> {
  for (const status of ['pending', 'processing'] as const) {
    for await (const job of client.value.jobs.list({ memoryId, status, limit: 100 }, { signal })) {
      if (job.jobType === 'reembedding') return job
    }
  }
  return null
}
