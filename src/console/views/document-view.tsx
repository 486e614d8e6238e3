import { useEffect, useState } from 'preact/hooks'
import { isRunning } from '../follow-job.ts'
import { formatBytes, formatCount, formatTime, pluralize } from '../format.ts'
import { useEvery, useLoad } from '../hooks.ts'
import { memoryNames } from '../memory-list.ts'
import { Form } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { Notice, NotRead } from '../parts/notice.tsx'
import { PageReport } from '../parts/page-report.tsx'
import { goTo, linkTo } from '../route.ts'
import { client } from '../session.ts'
import { useCrumbs } from '../shell/top-bar.tsx'
import { saveAnswer } from '../transfers.ts'

/** Maximum number of characters to show. Browsers become slow with more. */
const MAX_CHARACTERS = 200_000
const REFRESH_MS = 2000

/** A document with its properties, page processing and text. `marked` is a range to highlight. */
export function DocumentView({
  memoryId,
  documentId,
  marked,
}: {
  memoryId: string
  documentId: string
  marked: { start: number; end: number } | null
}) {
  const [isDeleting, setDeleting] = useState(false)
  const {
    value: document,
    error,
    reload,
  } = useLoad((signal) => client.value.documents.get(memoryId, documentId, { signal }), [memoryId, documentId])
  useEvery(REFRESH_MS, document !== null && isRunning(document), reload)
  useCrumbs(
    document && [
      ['Memories', linkTo('memories')],
      [memoryNames.value.get(memoryId) ?? 'Memory', linkTo('memories', memoryId)],
      ['Documents', linkTo('memories', memoryId, 'documents')],
      [document.title, linkTo('memories', memoryId, 'documents', documentId)],
    ],
  )
  if (document === null) return <NotRead what="Document" error={error} onRetry={reload} />
  return (
    <>
      <header class="head">
        <h1 dir="auto">{document.title}</h1>
        <div class="row">
          {document.hasSource && <Download memoryId={memoryId} documentId={documentId} name={document.filename} />}
          <button type="button" onClick={() => setDeleting(true)}>
            Delete
          </button>
        </div>
      </header>
      {document.error && <Missing error={document.error} jobId={document.jobId} />}
      <p class="quiet">
        <span class={`state ${document.status}`}>{document.status}</span>{' '}
        <bdi>{document.filename ?? document.sourceType}</bdi> · {document.mimeType}
        {` · ${formatBytes(document.sizeBytes)} · `}
        {formatCount(document.characterCount)} characters · {pluralize(document.chunkCount, 'passage')} ·{' '}
        {formatTime(document.createdAt)} · <code>{document.id}</code>
      </p>
      {document.url && (
        <p>
          <a href={document.url} rel="noreferrer noopener" target="_blank">
            {document.url}
          </a>
        </p>
      )}
      <PageReport document={document} />
      <Text memoryId={memoryId} documentId={documentId} status={document.status} marked={marked} />
      {isDeleting && <Deletion memoryId={memoryId} document={document} onClose={() => setDeleting(false)} />}
    </>
  )
}

type DeletionProps = { memoryId: string; document: { id: string; title: string }; onClose: () => void }

function Deletion({ memoryId, document: { id, title }, onClose }: DeletionProps) {
  return (
    <Modal title={`Delete “${title}”?`} onClose={onClose}>
      <p>The document will no longer be searchable. This cannot be undone.</p>
      <Form
        label="Delete document"
        look="danger"
        action={async () => {
          await client.value.documents.delete(memoryId, id)
          goTo('memories', memoryId, 'documents')
        }}
      />
    </Modal>
  )
}

/** Error of an incomplete document. If a job added it, the missing parts can be processed again. */
function Missing({ error, jobId }: { error: string; jobId: string | null }) {
  async function retry(id: string) {
    await client.value.jobs.retry(id)
    goTo('jobs')
  }
  return (
    <div class="notice">
      <p>
        <strong>{error}</strong>
      </p>
      {jobId !== null && <Form label="Process missing pages" look="quiet" action={() => retry(jobId)} />}
    </div>
  )
}

type TextProps = {
  memoryId: string
  documentId: string
  /** The text does not exist until the document is processed. */
  status: string
  marked: { start: number; end: number } | null
}

function Text({ memoryId, documentId, status, marked }: TextProps) {
  const text = useLoad(
    (signal) => client.value.documents.readText(memoryId, documentId, { signal }),
    [memoryId, documentId, status],
  )
  useEffect(() => document.querySelector('main .text mark')?.scrollIntoView({ block: 'center' }), [text.value])
  const { start, end } = marked ?? { start: 0, end: 0 }
  const from = Math.max(0, start - MAX_CHARACTERS / 2)
  const to = from + MAX_CHARACTERS
  return (
    <section aria-label="Text">
      <h3>Text</h3>
      <Notice error={text.error} onRetry={text.reload} />
      {text.value !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keyboard
        <section class="text tall" dir="auto" aria-label="Extracted text" tabIndex={0}>
          {from > 0 && '… '}
          {text.value.slice(from, start)}
          {end > start && <mark>{text.value.slice(start, end)}</mark>}
          {text.value.slice(end, to)}
          {to < text.value.length && ' …'}
        </section>
      )}
      {text.value !== null && text.value.length > MAX_CHARACTERS && (
        <p class="quiet">
          Showing {formatCount(MAX_CHARACTERS)} of {pluralize(text.value.length, 'character')}
          {from > 0 && ', around the highlighted passage'}. All of the text is searchable.
        </p>
      )}
    </section>
  )
}

function Download({ memoryId, documentId, name }: { memoryId: string; documentId: string; name: string | null }) {
  const download = async () =>
    saveAnswer(await client.value.documents.readSource(memoryId, documentId), name ?? 'document')
  return <Form label="Download original" look="quiet" action={download} />
}
