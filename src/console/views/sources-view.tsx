import { Pause, Pencil, Play, Plus, RefreshCw, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import type { MemorySource, SourceRun } from '../../client/client.ts'
import { formatCount, pluralize } from '../format.ts'
import { useEvery, useLoad } from '../hooks.ts'
import { Empty, Guide } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Modal } from '../parts/modal.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { Time } from '../parts/time.tsx'
import { client, mayWrite } from '../session.ts'
import { showToast } from '../shell/toasts.tsx'

const REFRESH_MS = 2000

/** Intervals to choose from, in minutes; empty for runs on request. */
const INTERVALS = { '': 'Only on request', 60: 'Every hour', 1440: 'Every day', 10080: 'Every week' } as const

const TYPES = { website: 'Website', s3: 'Bucket (S3)', folder: 'Folder on the server' } as const
type SourceType = keyof typeof TYPES

type Dialog = { is: 'new' } | { is: 'edit' | 'delete'; source: MemorySource }

/** Websites, buckets and folders that the memory follows, with their runs. */
export function Sources({ memoryId, onChange }: { memoryId: string; onChange: () => void }) {
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const { value, error, isLoading, reload } = useLoad(
    (signal) => Array.fromAsync(client.value.sources.list(memoryId, { signal })),
    [memoryId],
  )
  const isBusy = value?.some(({ status }) => status === 'queued' || status === 'running') ?? false
  useEvery(REFRESH_MS, isBusy && !isLoading, () => {
    reload()
    onChange()
  })
  const close = () => setDialog(null)
  return (
    <>
      <div class="toolbar">
        <p class="quiet">
          The memory follows what changes at its sources. <Guide name="sources" of="sources" />
        </p>
        {mayWrite.value && (
          <button type="button" class="primary end" onClick={() => setDialog({ is: 'new' })}>
            <Icon of={Plus} /> New source
          </button>
        )}
      </div>
      <Notice error={error} onRetry={reload} />
      {value === null && error === null && <Skeleton rows={3} />}
      {value?.length === 0 && (
        <Empty title="No sources" icon={RefreshCw}>
          <p>Let this memory follow a website, a bucket or a folder: what is new, changed and gone there.</p>
        </Empty>
      )}
      <ul class="list">
        {value?.map((source) => (
          <SourceRow key={source.id} source={source} onChange={reload} onDialog={setDialog} />
        ))}
      </ul>
      {dialog?.is === 'new' && <NewSource memoryId={memoryId} onClose={close} onChange={reload} />}
      {dialog?.is === 'edit' && <SourceEditor source={dialog.source} onClose={close} onChange={reload} />}
      {dialog?.is === 'delete' && <SourceDeletion source={dialog.source} onClose={close} onChange={reload} />}
    </>
  )
}

type RowProps = { source: MemorySource; onChange: () => void; onDialog: (dialog: Dialog) => void }

function SourceRow({ source, onChange, onDialog }: RowProps) {
  const [error, setError] = useState<unknown>(null)
  const { id, memoryId, name, type, status, documentCount, nextRunAt, currentRun, lastRun } = source
  const act = (work: (memoryId: string, id: string) => Promise<unknown>) => () => {
    setError(null)
    work(memoryId, id).then(onChange, setError)
  }
  const isPaused = status === 'paused'
  return (
    <li>
      <div>
        <p>
          <span class={`state ${STATES[status]}`}>{status}</span> <bdi>{name}</bdi>{' '}
          <span class="tag">{TYPES[type]}</span>
        </p>
        <p class="quiet">
          {pluralize(documentCount, 'document')}
          {nextRunAt !== null && (
            <>
              {' '}
              · next run <Time at={nextRunAt} />
            </>
          )}
        </p>
        {currentRun && <Run run={currentRun} />}
        {lastRun && !currentRun && <Run run={lastRun} />}
        <Notice error={error} />
      </div>
      {mayWrite.value && (
        <div class="row end">
          <button type="button" class="quiet" onClick={act(client.value.sources.run)}>
            <Icon of={RefreshCw} /> Run now
          </button>
          <Menu
            label={`Actions for ${name}`}
            entries={[
              isPaused
                ? { label: 'Resume', icon: Play, onSelect: act(client.value.sources.resume) }
                : { label: 'Pause', icon: Pause, onSelect: act(client.value.sources.pause) },
              { label: 'Edit', icon: Pencil, onSelect: () => onDialog({ is: 'edit', source }) },
              { label: 'Delete', icon: Trash2, isDanger: true, onSelect: () => onDialog({ is: 'delete', source }) },
            ]}
          />
        </div>
      )}
    </li>
  )
}

/** Looks of the states of a source. */
const STATES = {
  queued: 'pending',
  running: 'processing',
  scheduled: 'ready',
  idle: 'ready',
  paused: 'idle',
} as const

/** What a run did, and the items that it could not read. */
function Run({ run }: { run: SourceRun }) {
  const counts = Object.entries({
    added: run.added,
    changed: run.changed,
    removed: run.removed,
    unchanged: run.unchanged,
    failed: run.failed,
    skipped: run.skipped,
  }).filter(([, count]) => count > 0)
  return (
    <>
      <p class="quiet">
        {run.endedAt === null ? 'Run started ' : `Last run ${run.outcome ?? ''} `}
        <Time at={run.endedAt ?? run.startedAt} />
        {counts.map(([what, count]) => ` · ${formatCount(count)} ${what}`)}
        {run.reason !== null && ` · ${run.reason}`}
      </p>
      {run.problems.length > 0 && (
        <details>
          <summary>{pluralize(run.problems.length, 'problem')}</summary>
          <ul>
            {run.problems.map(({ item, outcome, reason }) => (
              <li key={item}>
                <span class={outcome === 'failed' ? 'state failed' : 'state'}>{outcome}</span> <bdi>{item}</bdi>:{' '}
                {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

type NewProps = { memoryId: string; onClose: () => void; onChange: () => void }

function NewSource({ memoryId, onClose, onChange }: NewProps) {
  const [type, setType] = useState<SourceType>('website')
  async function make(fields: FormData) {
    const [name, interval] = [textOf(fields, 'name'), textOf(fields, 'interval')]
    const source = await client.value.sources.create(memoryId, {
      type,
      ...(name === '' ? {} : { name }),
      intervalMinutes: interval === '' ? null : Number(interval),
      storeSource: true,
      ...readSettings(type, fields),
    })
    showToast(`The first run of “${source.name}” starts.`)
    onClose()
    onChange()
  }
  return (
    <Modal title="New source" onClose={onClose}>
      <Form label="Add source" onCancel={onClose} action={make}>
        <fieldset class="segmented" aria-label="Type">
          {(Object.entries(TYPES) as [SourceType, string][]).map(([key, label]) => (
            <button key={key} type="button" aria-pressed={key === type} onClick={() => setType(key)}>
              {label}
            </button>
          ))}
        </fieldset>
        <SettingFields type={type} />
        <label>
          <span>
            Name <span class="hint">optional; defaults to the address</span>
          </span>
          <input name="name" dir="auto" autocomplete="off" />
        </label>
        <Interval minutes={1440} />
      </Form>
    </Modal>
  )
}

/** Form for the name, the interval and the settings of a source. */
function SourceEditor({ source, onClose, onChange }: DialogProps) {
  const { id, memoryId, name, type, intervalMinutes } = source
  async function save(fields: FormData) {
    const interval = textOf(fields, 'interval')
    const changed = await client.value.sources.change(memoryId, id, {
      name: textOf(fields, 'name'),
      intervalMinutes: interval === '' ? null : Number(interval),
      ...readSettings(type, fields, source.s3?.endpoint),
    })
    showToast(`“${changed.name}” was changed. The next run uses its settings.`)
    onClose()
    onChange()
  }
  return (
    <Modal title={`Edit “${name}”`} onClose={onClose}>
      <Form label="Save source" onCancel={onClose} action={save}>
        <label>
          Name
          <input name="name" dir="auto" required defaultValue={name} autocomplete="off" />
        </label>
        <SettingFields type={type} source={source} />
        <Interval minutes={intervalMinutes} />
      </Form>
    </Modal>
  )
}

/** Choice of the time between runs. An interval that only the API offers stays a choice. */
function Interval({ minutes: chosen }: { minutes: number | null }) {
  const value = String(chosen ?? '')
  const others = Object.hasOwn(INTERVALS, value) ? {} : { [value]: `Every ${pluralize(Number(value), 'minute')}` }
  return (
    <label>
      Runs
      <select name="interval" defaultValue={value}>
        {Object.entries({ ...INTERVALS, ...others }).map(([minutes, label]) => (
          <option key={minutes} value={minutes} selected={minutes === value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Fields of a type, filled with the settings of a source that is edited. */
function SettingFields({ type, source }: { type: SourceType; source?: MemorySource }) {
  if (type === 'website') return <WebsiteFields website={source?.website} />
  if (type === 'folder')
    return (
      <label>
        <span>
          Folder <span class="hint">absolute, below RECOLLECT_SOURCE_FOLDERS</span>
        </span>
        <input
          name="path"
          required
          placeholder="/srv/documents"
          defaultValue={source?.folder?.path ?? ''}
          autocomplete="off"
        />
      </label>
    )
  const bucket = source?.s3
  return (
    <>
      {BUCKET_FIELDS.map(([name, label, placeholder, isRequired]) => (
        <label key={name}>
          {label}
          <input
            name={name}
            required={isRequired}
            placeholder={placeholder}
            defaultValue={bucket?.[name] ?? ''}
            autocomplete="off"
          />
        </label>
      ))}
      <label>
        Access key ID
        <input
          name="accessKeyId"
          placeholder={bucket?.hasCredentials === true ? 'empty: unchanged' : 'empty: anonymous'}
          autocomplete="off"
        />
      </label>
      <label>
        Secret access key
        <input name="secretAccessKey" type="password" autocomplete="off" />
      </label>
    </>
  )
}

function WebsiteFields({ website }: { website: MemorySource['website'] | undefined }) {
  const urls = website?.startUrls ?? []
  // A sitemap takes the place of a start.
  const isRequired = (website?.sitemapUrl ?? null) === null
  return (
    <>
      <label>
        <span>
          Start at <span class="hint">one address per line</span>
        </span>
        <textarea
          name="startUrl"
          rows={Math.max(2, Math.min(urls.length, 6))}
          required={isRequired}
          placeholder="https://example.com/docs/"
          defaultValue={urls.join('\n')}
        />
      </label>
      <label>
        <span>
          Links to follow <span class="hint">0: only this page</span>
        </span>
        <input name="maxDepth" type="number" required min={0} max={50} defaultValue={website?.maxDepth ?? 3} />
      </label>
      <label>
        Maximum number of pages
        <input name="maxPages" type="number" required min={1} defaultValue={website?.maxPages ?? 200} />
      </label>
    </>
  )
}

const BUCKET_FIELDS = [
  ['bucket', 'Bucket', 'reports', true],
  ['prefix', 'Prefix', 'empty: the whole bucket', false],
  ['endpoint', 'Endpoint', 'empty: AWS', false],
] as const

/** Settings as typed. The style of the addresses of a bucket follows a new endpoint only. */
function readSettings(type: SourceType, fields: FormData, endpointBefore: string | null = null) {
  const text = (name: string) => textOf(fields, name)
  if (type === 'folder') return { folder: { path: text('path') } }
  if (type === 'website') {
    const [maxDepth, maxPages] = [Number(text('maxDepth')), Number(text('maxPages'))]
    return { website: { startUrls: text('startUrl').split(/\s+/).filter(Boolean), maxDepth, maxPages } }
  }
  const [endpoint, accessKeyId, secretAccessKey] = [text('endpoint'), text('accessKeyId'), text('secretAccessKey')]
  if (accessKeyId === '' && secretAccessKey !== '') throw new Error('Enter the access key ID as well.')
  return {
    s3: {
      bucket: text('bucket'),
      prefix: text('prefix'),
      ...(endpoint === (endpointBefore ?? '') ? {} : { endpoint: endpoint || null, pathStyle: endpoint !== '' }),
      ...(accessKeyId === '' ? {} : { credentials: { accessKeyId, secretAccessKey } }),
    },
  }
}

type DialogProps = { source: MemorySource; onClose: () => void; onChange: () => void }

function SourceDeletion({ source, onClose, onChange }: DialogProps) {
  async function remove(fields: FormData) {
    const more = fields.has('documents') ? { documents: 'delete' as const } : {}
    await client.value.sources.delete(source.memoryId, source.id, more)
    showToast(`The source “${source.name}” was deleted.`)
    onClose()
    onChange()
  }
  return (
    <Modal title={`Delete the source “${source.name}”?`} onClose={onClose}>
      <p>The memory no longer follows it. This cannot be undone.</p>
      <Form label="Delete source" look="danger" onCancel={onClose} action={remove}>
        <label class="choice">
          <input type="checkbox" name="documents" /> Delete its {pluralize(source.documentCount, 'document')} as well
        </label>
      </Form>
    </Modal>
  )
}
