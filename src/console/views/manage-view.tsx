import { useEffect, useRef, useState } from 'preact/hooks'
import type { Verification } from '../../client/answers.ts'
import type { Job, Memory } from '../../client/client.ts'
import { followJob } from '../follow-job.ts'
import { formatBytes, formatCount, pluralize } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { reloadMemories } from '../memory-list.ts'
import { CopiedId } from '../parts/copy-as.tsx'
import { Guide } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Deletion } from '../parts/modal.tsx'
import { Notice } from '../parts/notice.tsx'
import { Time } from '../parts/time.tsx'
import { goTo, linkTo } from '../route.ts'
import { client, mayOrganize, mayWrite, readJson } from '../session.ts'
import { showToast } from '../shell/toasts.tsx'
import { saveAnswer } from '../transfers.ts'

/** Properties of a memory, and actions on the whole memory: verify, export, re-embed, delete. */
export function Manage({ memory, onChange }: { memory: Memory; onChange: () => void }) {
  const { id, name } = memory
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <div class="settings">
        {mayWrite.value && <Settings memory={memory} onChange={onChange} />}
        <Facts memory={memory} />
      </div>
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
            look="normal"
            action={async () => saveAnswer(await client.value.memories.export(id), `${name}.tar.gz`)}
          />
        </li>
        <Reembed memory={memory} onChange={onChange} />
        {mayOrganize.value && (
          <li class="danger-zone">
            <div>
              <h2>Delete</h2>
              <p>
                Deletes all documents and corrections. They are erased from disk within 15 minutes.{' '}
                <Guide name="permanent-deletion" of="deleting" />
              </p>
            </div>
            <button type="button" class="bad" onClick={() => setDeleting(true)}>
              Delete
            </button>
            {isDeleting && <DeleteMemory memory={memory} onClose={() => setDeleting(false)} />}
          </li>
        )}
      </ul>
    </>
  )
}

/** Confirmation of a deletion: by the name of the memory, if it has documents. */
export function DeleteMemory({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const { id, name, documentCount, correctionCount } = memory
  const isEmpty = documentCount === 0 && correctionCount === 0
  return (
    <Deletion
      title={`Delete “${name}”?`}
      label="Delete memory"
      warning={
        isEmpty ? (
          <p>The memory is empty. This cannot be undone.</p>
        ) : (
          <p>
            {pluralize(documentCount, 'document')} and {pluralize(correctionCount, 'correction')} will no longer be
            found as soon as you confirm. Their bytes are erased from disk within 15 minutes. This cannot be undone.
          </p>
        )
      }
      {...(isEmpty ? {} : { typedName: name })}
      action={async () => {
        await client.value.memories.delete(id)
        void reloadMemories()
        showToast(`“${name}” was deleted.`)
        goTo('memories')
      }}
      onClose={onClose}
    />
  )
}

/** Name, description and project of a memory. */
function Settings({ memory, onChange }: { memory: Memory; onChange: () => void }) {
  const projects = useLoad(
    async (signal) => (mayOrganize.value ? await Array.fromAsync(client.value.projects.list({ signal })) : []),
    [],
  )
  async function save(fields: FormData) {
    const [description, projectId] = [textOf(fields, 'description'), textOf(fields, 'projectId')]
    const hasProject = fields.has('projectId')
    await send({
      name: textOf(fields, 'name'),
      description: description === '' ? null : description,
      ...(hasProject ? { projectId: projectId === '' ? null : projectId } : {}),
    })
    const { name, description: words, projectId: project } = memory
    const before = { name, description: words, ...(hasProject ? { projectId: project } : {}) }
    showToast('The memory was saved.', () => send(before))
  }
  async function send(change: Parameters<typeof client.value.memories.change>[1]) {
    await client.value.memories.change(memory.id, change)
    onChange()
    void reloadMemories()
  }
  return (
    <Form label="Save" look="normal" action={save}>
      <Notice error={projects.error} onRetry={projects.reload} />
      <label>
        Name
        <input name="name" dir="auto" required maxLength={1000} defaultValue={memory.name} autocomplete="off" />
      </label>
      <label>
        Description
        <textarea name="description" dir="auto" maxLength={5000} rows={2} defaultValue={memory.description ?? ''} />
      </label>
      {mayOrganize.value && projects.value !== null && (
        <label>
          Project
          <select name="projectId" defaultValue={memory.projectId ?? ''}>
            <option value="">None</option>
            {projects.value.map(({ id, name }) => (
              <option key={id} value={id} selected={id === memory.projectId}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </Form>
  )
}

function Facts({ memory }: { memory: Memory }) {
  const { id, sizeBytes, documentCount, chunkCount, correctionCount, chunking, createdAt, updatedAt } = memory
  return (
    <dl class="facts">
      <dt>ID</dt>
      <dd>
        <CopiedId id={id} />
      </dd>
      <dt>Documents</dt>
      <dd>{formatCount(documentCount)}</dd>
      <dt>Passages</dt>
      <dd>{formatCount(chunkCount)}</dd>
      <dt>Passage size</dt>
      <dd>
        {chunking === null
          ? 'Default: about 1,000 characters'
          : `At most ${formatCount(chunking.maxCharacters)} characters, ${describeOverlap(chunking.overlap)}`}
        <p class="faint">
          Set when the memory is created. <a href="/docs/supported-files#sizes-of-chunks">Learn about passage sizes</a>
        </p>
      </dd>
      <dt>Corrections</dt>
      <dd>{formatCount(correctionCount)}</dd>
      <dt>Size</dt>
      <dd>{formatBytes(sizeBytes)}</dd>
      <dt>Created</dt>
      <dd>
        <Time at={createdAt} />
      </dd>
      <dt>Changed</dt>
      <dd>
        <Time at={updatedAt} />
      </dd>
    </dl>
  )
}

function describeOverlap(overlap: number): string {
  return overlap === 0 ? 'nothing repeated' : `up to ${formatCount(overlap)} repeated`
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
      <Form label="Verify" look="normal" action={verify} />
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
      {mayWrite.value && <ModelChoice current={memory.embeddingModel} onChoose={reembed} />}
    </li>
  )
}

type ModelChoiceProps = { current: string | null; onChoose: (fields: FormData) => Promise<void> }

/** Field for an embedding model, with those that the service has loaded as suggestions. */
function ModelChoice({ current, onChoose }: ModelChoiceProps) {
  const models = useLoad(
    async (signal) => (await readJson<{ data: { id: string }[] }>('/v1/models', signal)).data.filter(isEmbedder),
    [],
  )
  const others = models.value?.filter(({ id }) => id !== current) ?? []
  return (
    <Form label="Re-embed" look="normal" action={onChoose}>
      <Notice error={models.error} onRetry={models.reload} />
      <label>
        With the model
        <input name="model" list="models" required autocomplete="off" placeholder={others[0]?.id ?? 'openai:…'} />
      </label>
      <datalist id="models">
        {others.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </Form>
  )
}

/** Memories are models of the OpenAI interface as well. */
function isEmbedder({ id }: { id: string }): boolean {
  return !id.startsWith('mem_')
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
