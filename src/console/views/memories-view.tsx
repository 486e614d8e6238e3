import { useState } from 'preact/hooks'
import type { Memory } from '../../client/resources.ts'
import { formatBytes, formatContents, formatTime } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Empty } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { Notice } from '../parts/notice.tsx'
import { goTo, linkTo } from '../route.ts'
import { makeSampleMemory } from '../sample.ts'
import { client, scope } from '../session.ts'
import { ImportArchive } from './import-view.tsx'

/** Maximum number of cards. Browsers become slow with more. */
const MAX_CARDS = 500

/** All memories with their content. */
export function Memories({ projectId }: { projectId: string | null }) {
  const [isMaking, setMaking] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const memories = useLoad((signal) => readNewest(projectId, signal), [projectId])
  const project = useLoad(
    async (signal) => (projectId === null ? null : await client.value.projects.get(projectId, { signal })),
    [projectId],
  )
  const projectName = projectId === null ? '' : (project.value?.name ?? '')
  const mayMake = scope.value === 'organization'
  return (
    <>
      <header class="head">
        <h1>
          Memories
          {projectName !== '' && (
            <>
              {' '}
              of <bdi>{projectName}</bdi>
            </>
          )}
        </h1>
        {mayMake && (
          <div class="row">
            <button type="button" onClick={() => setImporting(true)}>
              Import an archive
            </button>
            <button type="button" class="primary" onClick={() => setMaking(true)}>
              New memory
            </button>
          </div>
        )}
      </header>
      <Notice error={memories.error ?? project.error} onRetry={memories.reload} />
      {memories.value?.length === 0 &&
        (projectId === null ? <FirstSteps onMake={() => setMaking(true)} /> : project.value && <EmptyProject />)}
      <ul class="cards">
        {memories.value?.slice(0, MAX_CARDS).map((memory) => (
          <li key={memory.id}>
            <MemoryCard memory={memory} />
          </li>
        ))}
      </ul>
      {memories.value !== null && memories.value.length > MAX_CARDS && (
        <p class="quiet">Showing the newest {MAX_CARDS}.</p>
      )}
      {isMaking && <NewMemory projectName={projectName} onClose={() => setMaking(false)} />}
      {isImporting && <ImportArchive onClose={() => setImporting(false)} onMade={memories.reload} />}
    </>
  )
}

/** The newest memories, one more than shown if there are more. */
async function readNewest(projectId: string | null, signal: AbortSignal): Promise<Memory[]> {
  const found: Memory[] = []
  const query = projectId === null ? {} : { projectId }
  for await (const memory of client.value.memories.list(query, { signal })) {
    if (found.push(memory) > MAX_CARDS) break
  }
  return found
}

function MemoryCard({ memory }: { memory: Memory }) {
  return (
    <a class="card" href={linkTo('memories', memory.id)}>
      <h2 class="beginning" dir="auto">
        {memory.name}
      </h2>
      {memory.description && (
        <p class="beginning" dir="auto">
          {memory.description}
        </p>
      )}
      <p class="quiet">
        {formatContents(memory)} · {formatBytes(memory.sizeBytes)}
      </p>
      <p class="quiet">
        {memory.projectName && (
          <span class="tag" dir="auto">
            {memory.projectName}
          </span>
        )}{' '}
        {formatTime(memory.updatedAt)}
      </p>
    </a>
  )
}

function FirstSteps({ onMake }: { onMake: () => void }) {
  return (
    <Empty title="Create a memory to search and ask your documents">
      <p>Add PDFs, scans, Office files, web pages or plain text. Every answer cites its sources.</p>
      <div class="row">
        <button type="button" class="primary" onClick={onMake}>
          Create your first memory
        </button>
        <Form
          look="quiet"
          label="Try a sample"
          action={async () => goTo('memories', await makeSampleMemory(client.value))}
        />
      </div>
    </Empty>
  )
}

function EmptyProject() {
  return (
    <Empty title="No memories in this project">
      <p>
        New memories created here belong to it. <a href={linkTo('memories')}>Show all memories</a>
      </p>
    </Empty>
  )
}

function NewMemory({ projectName, onClose }: { projectName: string; onClose: () => void }) {
  async function make(fields: FormData) {
    const [description, chosen] = [textOf(fields, 'description'), textOf(fields, 'projectName')]
    const { id } = await client.value.memories.create({
      name: textOf(fields, 'name'),
      ...(description === '' ? {} : { description }),
      ...(chosen === '' ? {} : { projectName: chosen }),
    })
    onClose()
    goTo('memories', id, 'documents')
  }
  return (
    <Modal title="New memory" onClose={onClose}>
      <Form label="Create memory" action={make}>
        <label>
          Name
          <input name="name" dir="auto" required maxLength={1000} autocomplete="off" />
        </label>
        <label>
          Description <span class="quiet">(optional)</span>
          <textarea name="description" dir="auto" maxLength={5000} rows={2} />
        </label>
        <label>
          Project <span class="quiet">(optional; created if it does not exist)</span>
          <input name="projectName" dir="auto" defaultValue={projectName} autocomplete="off" />
        </label>
      </Form>
    </Modal>
  )
}
