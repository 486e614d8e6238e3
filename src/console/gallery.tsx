/**
 * Entry of the gallery: every part of the console in its states, with made-up data. A service that
 * runs from its sources shows it at `/console/gallery`; the script of the console is without it.
 */
import { Download, FileText, FolderOpen, Pencil, Trash2 } from 'lucide'
import { type ComponentChildren, render } from 'preact'
import { useState } from 'preact/hooks'
import { RecollectError } from '../client/client-errors.ts'
import { BarChart, LineChart } from './parts/chart.tsx'
import { CopyAs } from './parts/copy-as.tsx'
import { type Chosen, DocumentPicker } from './parts/document-picker.tsx'
import { Empty, FirstQuestions, Guide } from './parts/empty.tsx'
import { FileIcon } from './parts/file-icon.tsx'
import { Filters, type Narrowing } from './parts/filters.tsx'
import { Form, SearchField } from './parts/form.tsx'
import { Icon } from './parts/icon.tsx'
import { Menu } from './parts/menu.tsx'
import { Deletion, Modal, Secret } from './parts/modal.tsx'
import { Notice, Skeleton } from './parts/notice.tsx'
import { PageTurner } from './parts/page-turner.tsx'
import { Stepper } from './parts/stepper.tsx'
import { ACTIONS, numbers, Table } from './parts/table.tsx'
import { Time } from './parts/time.tsx'
import { apiKey, scope } from './session.ts'
import { CommandBar, KeyboardKeys, openCommands } from './shell/command-bar.tsx'
import { applyTheme, SideBar } from './shell/side-bar.tsx'
import { SignInAgain } from './shell/sign-in.tsx'
import { showToast, Toasts } from './shell/toasts.tsx'
import { TopBar, useCrumbs } from './shell/top-bar.tsx'

const LONG = `Rahmenvertrag über die Lieferung von ${'Hafenschlepperersatzteil'.repeat(5)}en, Fassung 2`
const ARABIC = 'عقد توريد القوارب للميناء القديم'
const NAMES = ['Harbour rules', LONG, ARABIC]
const DOCUMENTS = NAMES.map((title, index) => ({
  id: `doc_${index}`,
  title,
  filename: index === 1 ? `${LONG}.pdf` : null,
  tags: ['contract'],
  metadata: { year: 2026 },
}))
const MEMORIES = NAMES.map((name, index) => ({ id: `mem_${index}`, name }))
const NEVER = () => undefined
const MINUTE_MS = 60_000
const before = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString()

/** Answers the parts that ask the service; `mem_wait` is never answered. */
async function answer(...[request]: Parameters<typeof fetch>): Promise<Response> {
  const path = String(request instanceof Request ? request.url : request)
  if (path.includes('mem_wait')) return new Promise(NEVER)
  const lists = path.includes('/documents') ? { documents: DOCUMENTS, total: 3 } : { memories: MEMORIES }
  return Response.json({ ...lists, hasMore: false, nextCursor: null })
}

function Buttons() {
  return (
    <>
      {['primary', '', 'quiet', 'danger', 'small', 'link'].map((look) => (
        <div key={look} class="row">
          <button type="button" class={look}>
            {look || 'normal'}
          </button>
          <button type="button" class={look} disabled>
            {look || 'normal'}, disabled
          </button>
          <button type="button" class={look}>
            <Icon of={Download} /> With an icon
          </button>
        </div>
      ))}
    </>
  )
}

function Fields() {
  return (
    <Form label="Save" look="normal" action={async () => Promise.reject(new Error('The name is taken.'))}>
      <label>
        Name
        <input placeholder="Placeholder" />
      </label>
      <label>
        Disabled
        <input value={LONG} disabled />
      </label>
      <label>
        From right to left <span class="hint">with a hint</span>
        <input dir="auto" value={ARABIC} />
      </label>
      <label>
        Role
        <select>
          <option>Reader</option>
        </select>
      </label>
      <label class="choice">
        <input type="checkbox" checked /> Chosen
      </label>
      <label class="choice">
        <input type="radio" /> Not chosen
      </label>
      <label>
        File
        <input type="file" />
      </label>
    </Form>
  )
}

const STATES = ['ready', 'pending', 'processing', 'partial', 'failed', 'cancelled', 'enabled', 'disabled']

function States() {
  return (
    <>
      <div class="row">
        {STATES.map((state) => (
          <span key={state} class={`state ${state}`}>
            {state}
          </span>
        ))}
      </div>
      <div class="tags">
        <span class="tag">tag</span>
        <span class="tag strong">this key</span>
        {[ARABIC, LONG].map((name) => (
          <span key={name} class="tag one-line" dir="auto">
            {name}
          </span>
        ))}
      </div>
      <progress value={0.4} aria-label="Progress" />
      <p>
        <Time at={before(0)} />, <Time at={before(130)} />, <Time at={before(-3 * 1440)} />, <Time at={null} />
      </p>
    </>
  )
}

const REFUSAL = { code: 'rate_limited', status: 429 }

function Notices() {
  return (
    <>
      <Notice error={new RecollectError('Too many requests.', REFUSAL)} onRetry={NEVER} />
      <Notice error={new RecollectError('No response.', { code: 'no_response', status: 0 })} />
      <Notice error={new Error(`${LONG} was not found.`)} onRetry={NEVER} />
      {['info', 'good', 'warn'].map((look) => (
        <p key={look} class={`notice ${look}`}>
          A notice of the look {look}.
        </p>
      ))}
      <Skeleton rows={3} />
    </>
  )
}

function Emptiness() {
  return (
    <>
      <Empty title="No documents yet" icon={FolderOpen}>
        <p>Drop files here.</p>
        <Guide name="security" of="access" />
      </Empty>
      <FirstQuestions
        title="Ask a question"
        icon={FileText}
        hint="Answers name their sources."
        isSample
        onAsk={NEVER}
      />
    </>
  )
}

const TYPES = [
  'application/pdf',
  'image/png',
  'text/csv',
  'a.pptx',
  'a.docx',
  'application/epub+zip',
  'a.eml',
  'a.html',
]

function Files() {
  return (
    <div class="row">
      {[...TYPES, 'text/plain'].map((type) => (
        <FileIcon key={type} mimeType={type} />
      ))}
    </div>
  )
}

const DAYS = Array.from({ length: 30 }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}`)
const wave = (day: number) => Math.round(50 + 45 * Math.sin(day / 3))

function Charts() {
  const values = DAYS.map((_, day) => wave(day))
  const gaps = values.map((value, day) => (day % 10 < 3 ? null : value))
  const few = values.map((value) => value / 4)
  const two = [
    { name: 'answered', values },
    { name: 'declined', values: few },
  ] as const
  return (
    <div class="figures">
      <BarChart title="Questions" days={DAYS} series={two} total="1,500" />
      <BarChart title="No searches" days={DAYS} series={[{ name: 'none', values: DAYS.map(() => 0) }]} total="0" />
      <LineChart title="Latency" days={DAYS} series={[{ name: 'median', values: gaps }]} total="50 ms" />
    </div>
  )
}

const ENTRIES = [
  { label: 'Open', icon: FileText, href: '#' },
  { label: 'Rename', icon: Pencil, onSelect: () => showToast(`Renamed to ${LONG}`, NEVER) },
  { label: 'Delete', icon: Trash2, isDanger: true, onSelect: () => showToast('1 document deleted') },
] as const

const SAMPLE = {
  method: 'GET',
  path: '/v1/memories',
  typescript: ['memories.list'],
  python: ['memories.list'],
} as const

function Controls() {
  const [at, setAt] = useState(1)
  const [text, setText] = useState('')
  const pages = { query: {}, isFirst: false, older: NEVER, newer: NEVER, first: NEVER }
  return (
    <>
      <SearchField label="Title or file name" value={text} onInput={setText} />
      <div class="row">
        <Menu label="Actions" entries={ENTRIES} />
        <CopyAs sample={SAMPLE} />
        <Stepper what="match" label={`${at + 1} of 3`} at={at} count={3} onMove={setAt} />
      </div>
      <PageTurner pages={pages} nextCursor="next">
        51 to 100 of 500
      </PageTurner>
    </>
  )
}

function Chips() {
  const [narrowing, setNarrowing] = useState<Narrowing>({
    tags: `contract, ${LONG}, ${ARABIC}`,
    documentId: 'doc_0',
    metadata: 'year = 2026',
    mode: 'semantic',
  })
  return (
    <Filters
      memoryId="mem_0"
      narrowing={narrowing}
      onChange={(facts) => setNarrowing((given) => ({ ...given, ...facts }))}
    />
  )
}

function Rows() {
  return (
    <Table columns={['Status', 'Name', 'Access', ...numbers('Size'), 'Created', ACTIONS]}>
      {[LONG, ARABIC, 'Harbour rules'].map((name) => (
        <tr key={name}>
          <td>
            <span class="state ready">ready</span>
          </td>
          <td class="named">
            <a class="one-line" href="#/memories" title={name}>
              <bdi>{name}</bdi>
            </a>
          </td>
          <td class="few" data-label="Access">
            <bdi class="tag one-line">{name}</bdi>
          </td>
          <td class="number" data-label="Size">
            1.8 MB
          </td>
          <td data-label="Created">
            <Time at={new Date().toISOString()} />
          </td>
          <td class="actions">
            <Menu label={`Actions for ${name}`} entries={ENTRIES} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Dialogs by their names, each opened by a button. */
const DIALOGS: Readonly<Record<string, (close: () => void) => ComponentChildren>> = {
  Dialog: (onClose) => (
    <Modal title={LONG} onClose={onClose}>
      <p>{LONG}</p>
    </Modal>
  ),
  Deletion: (onClose) => (
    <Deletion
      title="Delete 3 documents"
      warning="They cannot be restored."
      label="Delete 3 documents"
      typedName={ARABIC}
      action={async () => Promise.reject(new Error('The service is stopping.'))}
      onClose={onClose}
    />
  ),
  Secret: (onClose) => (
    <Secret title="New key" secret={`rcl_${'0123456789'.repeat(4)}`} onClose={onClose}>
      It is shown only once.
    </Secret>
  ),
  Picker: (onClose) => <Picker memoryId="mem_0" onClose={onClose} />,
  'Loading picker': (onClose) => <Picker memoryId="mem_wait" onClose={onClose} />,
  'Sign in again': () => <SignInAgain />,
}

function Picker({ memoryId, onClose }: { memoryId: string; onClose: () => void }) {
  const chosen: readonly Chosen[] = [{ id: 'doc_0', title: 'Harbour rules' }]
  const given = { title: 'Documents', memoryId, chosen, max: 2 }
  return <DocumentPicker {...given} onChoose={onClose} onClose={onClose} />
}

function Dialogs() {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <div class="row">
      {Object.keys(DIALOGS).map((name) => (
        <button key={name} type="button" onClick={() => setOpen(name)}>
          {name}
        </button>
      ))}
      <button type="button" onClick={openCommands}>
        Command bar
      </button>
      {open !== null && DIALOGS[open]?.(() => setOpen(null))}
    </div>
  )
}

const PARTS: Readonly<Record<string, () => ComponentChildren>> = {
  Buttons,
  Fields,
  'States and tags': States,
  'Notices and loading': Notices,
  Empty: Emptiness,
  'Kinds of files': Files,
  Controls,
  Filters: Chips,
  Table: Rows,
  Charts,
  Dialogs,
}

function Gallery() {
  useCrumbs([
    ['Memories', '#'],
    [ARABIC, '#'],
    [LONG, '#'],
  ])
  return (
    <>
      <SideBar />
      <div class="content">
        <TopBar />
        <main id="content">
          <h1>Gallery</h1>
          {Object.entries(PARTS).map(([name, Part]) => (
            <section key={name} class="stack" aria-label={name}>
              <h2>{name}</h2>
              <Part />
            </section>
          ))}
        </main>
      </div>
      <CommandBar />
      <KeyboardKeys />
      <Toasts />
    </>
  )
}

const place = document.getElementById('console')
if (place === null) throw new Error('missing root element of the gallery')
window.fetch = answer
scope.value = 'organization'
apiKey.value = ''
applyTheme()
place.replaceChildren()
render(<Gallery />, place)
