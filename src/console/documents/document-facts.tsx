import { Plus, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { DocumentWithPages } from '../../client/resources.ts'
import { formatBytes, formatCount, pluralize } from '../format.ts'
import { useMedia } from '../hooks.ts'
import { CopiedId } from '../parts/copy-as.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { Time } from '../parts/time.tsx'
import { goTo, linkTo } from '../route.ts'
import { client, mayWrite } from '../session.ts'
import { showToast } from '../shell/toasts.tsx'
import { readValue } from '../to-filter.ts'
import { splitTags } from './document-dialogs.tsx'
import { PageReport } from './page-report.tsx'

type FactsProps = { document: DocumentWithPages; onChanged: () => void }

/** Facts of a document. Tags and metadata are changed in place. */
export function DocumentFacts({ document, onChanged }: FactsProps) {
  const isWide = useMedia('(min-width: 1081px)')
  const [error, setError] = useState<unknown>(null)
  const { memoryId, id, tags, metadata } = document
  async function send(facts: { tags?: string[]; metadata?: DocumentWithPages['metadata'] }) {
    await client.value.documents.change(memoryId, id, facts)
    setError(null)
    onChanged()
  }
  async function change(facts: Parameters<typeof send>[0]) {
    try {
      await send(facts)
      const [what, before] = facts.tags === undefined ? ['Metadata', { metadata }] : ['Tags', { tags }]
      showToast(`${what} changed.`, () => send(before), [`${what.toLowerCase()} of ${id}`])
    } catch (caught) {
      setError(caught)
    }
  }
  const facts = (
    <>
      {document.error && <Missing error={document.error} jobId={document.jobId} />}
      <Properties document={document} />
      <Notice error={error} />
      <Part title="Tags">
        <Tags tags={tags} onChange={(next) => change({ tags: next })} />
      </Part>
      <Part title="Metadata">
        <Metadata metadata={metadata} onChange={(next) => change({ metadata: next })} />
      </Part>
      <PageReport document={document} />
    </>
  )
  if (isWide) return <aside class="document-facts">{facts}</aside>
  return (
    <details class="document-facts">
      <summary>
        <span class={`state ${document.status}`}>{document.status}</span> Details
      </summary>
      {facts}
    </details>
  )
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function Properties({ document }: { document: DocumentWithPages }) {
  const { status, filename, mimeType, sizeBytes, createdAt, url, jobId } = document
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <span class={`state ${status}`}>{status}</span>
        {!document.enabled && ' hidden from searches'}
      </dd>
      {filename !== null && (
        <>
          <dt>File</dt>
          <dd>
            <bdi>{filename}</bdi>
          </dd>
        </>
      )}
      <dt>Type</dt>
      <dd>{mimeType}</dd>
      <dt>Size</dt>
      <dd>{formatBytes(sizeBytes)}</dd>
      <dt>Text</dt>
      <dd>
        {formatCount(document.characterCount)} characters · {pluralize(document.chunkCount, 'passage')}
      </dd>
      <dt>Added</dt>
      <dd>
        <Time at={createdAt} />
      </dd>
      {url !== null && (
        <>
          <dt>Source</dt>
          <dd>
            <a href={url} rel="noreferrer noopener" target="_blank">
              {url}
            </a>
          </dd>
        </>
      )}
      {jobId !== null && (
        <>
          <dt>Job</dt>
          <dd>
            <a href={linkTo('jobs', jobId)} title={jobId}>
              Open the job
            </a>
          </dd>
        </>
      )}
      <dt>ID</dt>
      <dd>
        <CopiedId id={document.id} />
      </dd>
    </dl>
  )
}

function Tags({ tags, onChange }: { tags: readonly string[]; onChange: (tags: string[]) => Promise<void> }) {
  async function add(fields: FormData) {
    const added = splitTags(textOf(fields, 'tag'))
    if (added.length > 0) await onChange([...new Set([...tags, ...added])])
  }
  if (!mayWrite.value && tags.length === 0) return <p class="faint">No tags</p>
  return (
    <div class="tags">
      {tags.map((tag) => (
        <span key={tag} class="tag" dir="auto">
          {tag}
          {mayWrite.value && (
            <button
              type="button"
              class="plain"
              aria-label={`Remove the tag ${tag}`}
              onClick={() => void onChange(tags.filter((one) => one !== tag))}
            >
              <Icon of={X} />
            </button>
          )}
        </span>
      ))}
      {mayWrite.value && (
        <InlineForm action={add} label="Add the tag">
          <input name="tag" dir="auto" aria-label="New tag" placeholder="Add a tag" autocomplete="off" />
        </InlineForm>
      )}
    </div>
  )
}

type Metadata = DocumentWithPages['metadata']

function Metadata({ metadata, onChange }: { metadata: Metadata; onChange: (metadata: Metadata) => Promise<void> }) {
  const names = Object.keys(metadata)
  async function add(fields: FormData) {
    const name = textOf(fields, 'name')
    if (name !== '') await onChange({ ...metadata, [name]: readValue(textOf(fields, 'value')) })
  }
  function remove(name: string) {
    void onChange(Object.fromEntries(Object.entries(metadata).filter(([other]) => other !== name)))
  }
  if (!mayWrite.value && names.length === 0) return <p class="faint">No metadata</p>
  return (
    <>
      {names.map((name) => (
        <div key={name} class="metadata-row">
          <span class="quiet" dir="auto">
            {name}
          </span>
          {mayWrite.value ? (
            <>
              <input
                dir="auto"
                aria-label={`Value of ${name}`}
                value={shownValue(metadata[name] ?? null)}
                onChange={({ currentTarget: { value } }) => {
                  if (value !== shownValue(metadata[name] ?? null))
                    void onChange({ ...metadata, [name]: readValue(value) })
                }}
              />
              <button
                type="button"
                class="plain square small"
                aria-label={`Remove ${name}`}
                onClick={() => remove(name)}
              >
                <Icon of={X} />
              </button>
            </>
          ) : (
            <bdi>{shownValue(metadata[name] ?? null)}</bdi>
          )}
        </div>
      ))}
      {mayWrite.value && (
        <InlineForm action={add} label="Add the metadata">
          <input name="name" dir="auto" aria-label="Name of new metadata" placeholder="Name" autocomplete="off" />
          <input name="value" dir="auto" aria-label="Value of new metadata" placeholder="Value" autocomplete="off" />
        </InlineForm>
      )}
    </>
  )
}

/** A text that looks like a number keeps its quotes, so that it stays a text. */
function shownValue(value: Metadata[string]): string {
  if (typeof value !== 'string') return String(value)
  return readValue(value) === value ? value : `"${value}"`
}

type InlineProps = { action: (fields: FormData) => Promise<void>; label: string; children: ComponentChildren }

/** Fields in a line that are added with Enter, or the button. */
function InlineForm({ action, label, children }: InlineProps) {
  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    await action(new FormData(form))
    form.reset()
  }
  return (
    <form class="inline-form" onSubmit={(event) => void submit(event as unknown as SubmitEvent)}>
      {children}
      <button type="submit" class="plain square small" aria-label={label} title={label}>
        <Icon of={Plus} />
      </button>
    </form>
  )
}

/** Error of an incomplete document. If a job added it, the missing parts can be processed again. */
function Missing({ error, jobId }: { error: string; jobId: string | null }) {
  async function retry(id: string) {
    await client.value.jobs.retry(id)
    goTo('jobs', id)
  }
  return (
    <div class="notice warn">
      <p>
        <strong>{error}</strong>
      </p>
      {jobId !== null && mayWrite.value && (
        <Form label="Process missing pages" look="quiet" action={() => retry(jobId)} />
      )}
    </div>
  )
}
