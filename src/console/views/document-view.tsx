import { useEffect, useState } from 'preact/hooks'
import { isRunning } from '../follow-job.ts'
import { formatBytes, formatCount, formatTime, pluralize } from '../format.ts'
import { useEvery, useLoad, useTabTitle } from '../hooks.ts'
import { Form } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { Notice, NotRead } from '../parts/notice.tsx'
import { PageReceipt } from '../parts/page-receipt.tsx'
import { goTo, linkTo } from '../route.ts'
import { client } from '../session.ts'
import { saveAnswer } from '../transfers.ts'

/** Longer texts are shown in part: a browser is slow with more. */
const MOST_CHARACTERS = 200_000
const REFRESH_MS = 2000

/** One document: its facts, what became of its pages, its text. `marked` is a span of the text to be shown. */
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
  useTabTitle(document && [document.title])
  if (document === null) return <NotRead what="Document" error={error} onRetry={reload} />
  return (
    <>
      <p>
        <a href={linkTo('memories', memoryId, 'documents')}>← Documents</a>
      </p>
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
        <bdi>{document.filename ?? document.sourceType}</bdi> · {document.mimeType} · {formatBytes(document.sizeBytes)}{' '}
        · {formatCount(document.characterCount)} characters · {pluralize(document.chunkCount, 'passage')} ·{' '}
        {formatTime(document.createdAt)} · <code>{document.id}</code>
      </p>
      {document.url && (
        <p>
          <a href={document.url} rel="noreferrer noopener" target="_blank">
            {document.url}
          </a>
        </p>
      )}
      <PageReceipt document={document} />
      <Text memoryId={memoryId} documentId={documentId} status={document.status} marked={marked} />
      {isDeleting && <Deletion memoryId={memoryId} document={document} onClose={() => setDeleting(false)} />}
    </>
  )
}

type DeletionProps = { memoryId: string; document: { id: string; title: string }; onClose: () => void }

function Deletion({ memoryId, document: { id, title }, onClose }: DeletionProps) {
  return (
    <Modal title={`Delete “${title}”?`} onClose={onClose}>
      <p>It is no longer found from then on. This cannot be taken back.</p>
      <Form
        label="Delete the document"
        look="danger"
        action={async () => {
          await client.value.documents.delete(memoryId, id)
          goTo('memories', memoryId, 'documents')
        }}
      />
    </Modal>
  )
}

/** What a document is missing; where a job made it, that does only what is missing when it is done again. */
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
      {jobId !== null && <Form label="Read what is missing" look="quiet" action={() => retry(jobId)} />}
    </div>
  )
}

type TextProps = {
  memoryId: string
  documentId: string
  /** There is no text before it has been read. */
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
  const from = Math.max(0, start - MOST_CHARACTERS / 2)
  const to = from + MOST_CHARACTERS
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
      {text.value !== null && text.value.length > MOST_CHARACTERS && (
        <p class="quiet">
          These are {formatCount(MOST_CHARACTERS)} of {pluralize(text.value.length, 'character')}
          {from > 0 && ', around the marked words'}. All of them can be searched.
        </p>
      )}
    </section>
  )
}

function Download({ memoryId, documentId, name }: { memoryId: string; documentId: string; name: string | null }) {
  const download = async () =>
    saveAnswer(await client.value.documents.readSource(memoryId, documentId), name ?? 'document')
  return <Form label="Download the original" look="quiet" action={download} />
}
