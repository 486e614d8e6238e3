import {
  ChevronDown,
  Circle,
  CircleCheck,
  Database,
  FileText,
  Folder,
  FolderInput,
  LayoutGrid,
  List,
  Plus,
  Search,
  Settings,
  Sparkles,
  Trash2,
  X,
} from 'lucide'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Memory } from '../../client/resources.ts'
import { doneSteps, FIRST_STEPS, type FirstStep, finishStep } from '../first-steps.ts'
import { formatBytes, formatContents, formatCount } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { MAX_MEMORIES, memoryList, reloadMemories } from '../memory-list.ts'
import { Empty } from '../parts/empty.tsx'
import { Form, SearchField, textOf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Modal } from '../parts/modal.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { ACTIONS, numbers, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { goTo, keepQuery, linkTo, route } from '../route.ts'
import { makeSampleMemory, SAMPLE_NAME } from '../sample.ts'
import { client, mayAdminister, mayOrganize } from '../session.ts'
import { showToast } from '../shell/toasts.tsx'
import { ImportArchive } from './import-view.tsx'
import { DeleteMemory } from './manage-view.tsx'

/** Orders of the list by their label. */
const ORDERS: Readonly<Record<string, { label: string; compare: (a: Memory, b: Memory) => number }>> = {
  changed: { label: 'Last changed', compare: (a, b) => b.updatedAt.localeCompare(a.updatedAt) },
  name: { label: 'Name', compare: (a, b) => a.name.localeCompare(b.name) },
  size: { label: 'Size', compare: (a, b) => b.sizeBytes - a.sizeBytes },
}

/** All memories with their content. The query, order and look are in the URL. */
export function Memories({ projectId }: { projectId: string | null }) {
  const { query } = route.value
  const [dialog, setDialog] = useState<'new' | 'import' | null>(query.has('new') ? 'new' : null)
  const project = useLoad(
    async (signal) => (projectId === null ? null : await client.value.projects.get(projectId, { signal })),
    [projectId],
  )
  useEffect(() => void reloadMemories(), [])
  useEffect(() => {
    if (query.has('new')) setDialog('new')
  }, [query])
  const { memories, error, hasMore } = memoryList.value
  const listed = projectId === null ? memories : (memories?.filter((memory) => memory.projectId === projectId) ?? null)
  const projectName = projectId === null ? '' : (project.value?.name ?? '')
  return (
    <>
      <Head projectName={projectName} onMake={() => setDialog('new')} onImport={() => setDialog('import')} />
      {projectId === null && <Checklist onMake={() => setDialog('new')} />}
      <Notice error={error ?? project.error} onRetry={() => void reloadMemories()} />
      {listed === null && error === null && <Skeleton rows={5} />}
      {listed?.length === 0 &&
        (projectId === null ? <NoMemories onMake={() => setDialog('new')} /> : project.value && <EmptyProject />)}
      {listed !== null && listed.length > 0 && <MemoryBrowser memories={listed} />}
      {hasMore && <p class="quiet">Showing the newest {formatCount(MAX_MEMORIES)}.</p>}
      {dialog === 'new' && <NewMemory projectName={projectName} onClose={() => setDialog(null)} />}
      {dialog === 'import' && <ImportArchive onClose={() => setDialog(null)} onMade={() => void reloadMemories()} />}
    </>
  )
}

type HeadProps = { projectName: string; onMake: () => void; onImport: () => void }

function Head({ projectName, onMake, onImport }: HeadProps) {
  return (
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
      {mayOrganize.value && (
        <div class="row">
          <Menu
            label="More ways to add a memory"
            look=""
            entries={[
              { label: 'Import an archive', icon: FolderInput, onSelect: onImport },
              { label: 'Add the sample', icon: Sparkles, onSelect: () => void openSample() },
            ]}
          >
            Add <Icon of={ChevronDown} />
          </Menu>
          <button type="button" class="primary" onClick={onMake}>
            <Icon of={Plus} /> New memory
          </button>
        </div>
      )}
    </header>
  )
}

/** Opens the sample memory, and makes it first where there is none. */
async function openSample(): Promise<void> {
  const existing = memoryList.peek().memories?.find(({ name }) => name === SAMPLE_NAME)
  const id = existing?.id ?? (await makeSampleMemory(client.peek()))
  void reloadMemories()
  goTo('memories', id)
}

/** List of memories, as a table or as cards, with a search and an order. */
function MemoryBrowser({ memories }: { memories: readonly Memory[] }) {
  const { query } = route.value
  const [text, setText] = useState(query.get('q') ?? '')
  const [order, setOrder] = useState(query.get('sort') ?? 'changed')
  const [look, setLook] = useState(query.get('look') === 'cards' ? 'cards' : 'table')
  const project = query.get('project') ?? ''
  // A link or the back button may lead to another state of the list.
  useEffect(() => {
    setText(query.get('q') ?? '')
    setOrder(query.get('sort') ?? 'changed')
    setLook(query.get('look') === 'cards' ? 'cards' : 'table')
  }, [query])
  useLayoutEffect(() => {
    const facts = { project, q: text, sort: order === 'changed' ? '' : order, look: look === 'cards' ? look : '' }
    keepQuery(linkTo('memories'), facts)
  }, [project, text, order, look])
  const words = text.toLowerCase()
  const shown = memories
    .filter(({ name, description, id }) => `${name} ${description ?? ''} ${id}`.toLowerCase().includes(words))
    .toSorted((Object.hasOwn(ORDERS, order) ? ORDERS[order] : ORDERS['changed'])?.compare)
  return (
    <>
      <div class="toolbar">
        <SearchField label="Search memories" value={text} onInput={setText} />
        <select aria-label="Order" value={order} onChange={(event) => setOrder(event.currentTarget.value)}>
          {Object.entries(ORDERS).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        <fieldset class="segmented end" aria-label="Look">
          {LOOKS.map(([name, icon]) => (
            <button key={name} type="button" aria-pressed={look === name} onClick={() => setLook(name)}>
              <Icon of={icon} label={`Show as ${name}`} />
            </button>
          ))}
        </fieldset>
      </div>
      {shown.length === 0 && <p class="quiet">No memory has this name.</p>}
      {shown.length > 0 && (look === 'table' ? <MemoryTable memories={shown} /> : <MemoryCards memories={shown} />)}
    </>
  )
}

const LOOKS = [
  ['table', List],
  ['cards', LayoutGrid],
] as const

function MemoryTable({ memories }: { memories: readonly Memory[] }) {
  const [deleted, setDeleted] = useState<Memory | null>(null)
  return (
    <Table
      columns={['Name', ...numbers('Documents', 'Corrections', 'Size'), 'Project', 'Changed', ACTIONS]}
      foot={deleted && <DeleteMemory memory={deleted} onClose={() => setDeleted(null)} />}
    >
      {memories.map((memory) => (
        <MemoryRow key={memory.id} memory={memory} onDelete={() => setDeleted(memory)} />
      ))}
    </Table>
  )
}

function MemoryRow({ memory, onDelete }: { memory: Memory; onDelete: () => void }) {
  const { id, name, description, documentCount, correctionCount, sizeBytes, projectName, updatedAt } = memory
  return (
    <tr>
      <td class="named">
        <a class="one-line" href={linkTo('memories', id)} title={name}>
          <bdi>{name}</bdi>
        </a>
        {description && (
          <p class="faint one-line" title={description}>
            <bdi>{description}</bdi>
          </p>
        )}
      </td>
      <td class="number" data-label="Documents">
        {formatCount(documentCount)}
      </td>
      <td class="number" data-label="Corrections">
        {formatCount(correctionCount)}
      </td>
      <td class="number" data-label="Size">
        {formatBytes(sizeBytes)}
      </td>
      <td class="few" data-label="Project">
        {projectName && (
          <bdi class="tag one-line" title={projectName}>
            {projectName}
          </bdi>
        )}
      </td>
      <td data-label="Changed">
        <Time at={updatedAt} />
      </td>
      <td class="actions">
        <Menu
          label={`Actions for ${name}`}
          entries={[
            { label: 'Documents', icon: FileText, href: linkTo('memories', id, 'documents') },
            { label: 'Search', icon: Search, href: linkTo('memories', id, 'search') },
            { label: 'Manage', icon: Settings, href: linkTo('memories', id, 'manage') },
            ...(mayOrganize.value
              ? [{ label: 'Delete', icon: Trash2, isDanger: true, onSelect: onDelete } as const]
              : []),
          ]}
        />
      </td>
    </tr>
  )
}

function MemoryCards({ memories }: { memories: readonly Memory[] }) {
  return (
    <ul class="cards">
      {memories.map((memory) => (
        <li key={memory.id}>
          <a class="card" href={linkTo('memories', memory.id)}>
            <h2 class="one-line" title={memory.name}>
              <bdi>{memory.name}</bdi>
            </h2>
            {memory.description && (
              <p class="quiet beginning">
                <bdi>{memory.description}</bdi>
              </p>
            )}
            <p class="faint facts-line">
              <span>
                {formatContents(memory)} · {formatBytes(memory.sizeBytes)}
              </span>
              <Time at={memory.updatedAt} />
            </p>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** First steps of a newcomer, until all are done or the list is closed. */
function Checklist({ onMake }: { onMake: () => void }) {
  const done = doneSteps()
  const newest = memoryList.value.memories?.find(({ documentCount }) => documentCount > 0)
  if (done === null || memoryList.value.memories === null || !mayAdminister.value) return null
  const inMemory = (tab: string) => (newest === undefined ? null : linkTo('memories', newest.id, tab))
  const places: Record<FirstStep, string | null> = {
    memory: null,
    document: memoryList.value.memories[0] ? linkTo('memories', memoryList.value.memories[0].id, 'documents') : null,
    search: inMemory('search'),
    ask: inMemory('ask'),
    key: '#/keys?new=1',
    connect: '/docs/guides/typescript-client',
  }
  return (
    <section class="card checklist" aria-label="First steps">
      <header class="row">
        <h2>First steps</h2>
        <span class="faint">
          {Object.keys(FIRST_STEPS).filter((step) => done.has(step)).length} of {Object.keys(FIRST_STEPS).length}
        </span>
        <button type="button" class="plain square small" aria-label="Close" onClick={() => finishStep('closed')}>
          <Icon of={X} />
        </button>
      </header>
      <ol>
        {(Object.entries(FIRST_STEPS) as [FirstStep, string][]).map(([step, label]) => (
          <li key={step} class={done.has(step) ? 'done' : ''}>
            <Icon of={done.has(step) ? CircleCheck : Circle} />
            {done.has(step) && <span class="hidden">Done: </span>}
            {step === 'memory' && !done.has(step) ? (
              <button type="button" class="link" onClick={onMake}>
                {label}
              </button>
            ) : places[step] === null || done.has(step) ? (
              <span>{label}</span>
            ) : (
              <a href={places[step]} onClick={() => step === 'connect' && finishStep('connect')}>
                {label}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function NoMemories({ onMake }: { onMake: () => void }) {
  return (
    <Empty title="Create a memory to search and ask your documents" icon={Database}>
      <p>Add PDFs, scans, Office files, web pages or plain text. Every answer cites its sources.</p>
      {mayOrganize.value && (
        <div class="row">
          <button type="button" class="primary" onClick={onMake}>
            Create your first memory
          </button>
          <Form look="normal" label="Try a sample" action={openSample} />
        </div>
      )}
    </Empty>
  )
}

function EmptyProject() {
  return (
    <Empty title="No memories in this project" icon={Folder}>
      <p>
        New memories created here belong to it. <a href={linkTo('memories')}>Show all memories</a>
      </p>
    </Empty>
  )
}

function NewMemory({ projectName, onClose }: { projectName: string; onClose: () => void }) {
  async function make(fields: FormData) {
    const [description, chosen, size] = ['description', 'projectName', 'size'].map((name) => textOf(fields, name))
    const { id, name } = await client.value.memories.create({
      name: textOf(fields, 'name'),
      ...(size === '' ? {} : { chunking: { maxCharacters: Number(size) } }),
      ...(description === '' ? {} : { description }),
      ...(chosen === '' ? {} : { projectName: chosen }),
    })
    onClose()
    void reloadMemories()
    showToast(`“${name}” was created.`)
    goTo('memories', id, 'documents')
  }
  return (
    <Modal title="New memory" onClose={onClose}>
      <Form label="Create memory" onCancel={onClose} action={make}>
        <label>
          Name
          <input name="name" dir="auto" required maxLength={1000} autocomplete="off" />
        </label>
        <label>
          <span>
            Description <span class="hint">optional</span>
          </span>
          <textarea name="description" dir="auto" maxLength={5000} rows={2} />
        </label>
        <label>
          <span>
            Project <span class="hint">optional; created if it does not exist</span>
          </span>
          <input name="projectName" dir="auto" defaultValue={projectName} autocomplete="off" />
        </label>
        <details>
          <summary>Passage size</summary>
          <div class="stack">
            <p class="quiet">
              By default, passages have about 1,000 characters. The size cannot be changed later.{' '}
              <a href="/docs/supported-files#sizes-of-chunks">Learn about passage sizes</a>
            </p>
            <label>
              Maximum characters
              <input name="size" type="number" min={200} max={4000} placeholder="1000" />
            </label>
          </div>
        </details>
      </Form>
    </Modal>
  )
}
