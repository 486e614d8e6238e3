import { Pencil, TextSearch } from 'lucide'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { DocumentWithPages } from '../../client/resources.ts'
import { DocumentDialogs } from '../documents/document-dialogs.tsx'
import { DocumentFacts } from '../documents/document-facts.tsx'
import { DocumentText } from '../documents/document-text.tsx'
import { PageThumbnails } from '../documents/page-thumbnails.tsx'
import { isRunning } from '../follow-job.ts'
import { useEvery, useLoad } from '../hooks.ts'
import { memoryNames } from '../memory-list.ts'
import { FileIcon } from '../parts/file-icon.tsx'
import { Form } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { NotRead } from '../parts/notice.tsx'
import { goTo, keepQuery, linkBackTo, linkTo, route } from '../route.ts'
import { client, mayWrite } from '../session.ts'
import { useCrumbs } from '../shell/top-bar.tsx'
import { saveAnswer } from '../transfers.ts'

const REFRESH_MS = 2000

type DocumentProps = {
  memoryId: string
  documentId: string
  /** Range of the text to highlight. */
  marked: { start: number; end: number } | null
}

/** A document: its pages, its text, and what is known about it. */
export function DocumentView({ memoryId, documentId, marked }: DocumentProps) {
  const { value, error, isLoading, reload } = useLoad(
    (signal) => client.value.documents.get(memoryId, documentId, { signal }),
    [memoryId, documentId],
  )
  useEvery(REFRESH_MS, value !== null && isRunning(value) && !isLoading, reload)
  useCrumbs(
    value && [
      ['Memories', linkTo('memories')],
      [memoryNames.value.get(memoryId) ?? 'Memory', linkTo('memories', memoryId)],
      ['Documents', linkBackTo('memories', memoryId, 'documents')],
      [value.title, linkTo('memories', memoryId, 'documents', documentId)],
    ],
  )
  if (value === null) return <NotRead what="Document" error={error} onRetry={reload} />
  return <Loaded document={value} marked={marked} onChanged={reload} />
}

type LoadedProps = { document: DocumentWithPages; marked: DocumentProps['marked']; onChanged: () => void }

function Loaded({ document, marked, onChanged }: LoadedProps) {
  const { memoryId } = document
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const { page, isJump, jump, see } = usePage(document)
  const starts = useMemo(() => startsOf(document), [document.characterCount, document.pages.length])
  return (
    <>
      <Head document={document} onDialog={setDialog} />
      <div class={document.pages.length > 1 || document.hasSource ? 'document-view' : 'document-view no-pages'}>
        {(document.pages.length > 1 || document.hasSource) && (
          <PageThumbnails document={document} page={page} onJump={jump} />
        )}
        <DocumentText document={document} starts={starts} marked={marked} page={isJump ? page : null} onPage={see} />
        <DocumentFacts document={document} onChanged={onChanged} />
      </div>
      {dialog !== null && (
        <DocumentDialogs
          memoryId={memoryId}
          dialog={dialog === 'edit' ? { is: 'edit', document } : { is: 'delete', documents: [document] }}
          onAdded={onChanged}
          onChanged={onChanged}
          onDeleted={() => goTo('memories', memoryId, 'documents')}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  )
}

/** Page that is read, kept in the address. `isJump` if the text has to scroll to it. */
function usePage({ memoryId, id, pages }: DocumentWithPages) {
  const given = Number(route.peek().query.get('page'))
  const isGiven = Number.isInteger(given) && given >= 1 && given <= pages.length
  const [state, setState] = useState({ page: isGiven ? given : 1, isJump: isGiven })
  useEffect(() => {
    // A marked passage has its place in the address already.
    if (route.peek().query.has('start') || (state.page === 1 && !state.isJump)) return
    keepQuery(linkTo('memories', memoryId, 'documents', id), { page: state.page === 1 ? '' : `${state.page}` })
  }, [state.page])
  return {
    ...state,
    jump: (page: number) => setState({ page, isJump: true }),
    see: (page: number) => setState((before) => (before.page === page ? before : { page, isJump: false })),
  }
}

/** Offsets at which the pages begin. The text is the text of all pages, one after another. */
function startsOf({ pages, characterCount }: DocumentWithPages): readonly number[] {
  let at = 0
  const starts = pages.map(({ characters }) => {
    const start = at
    at += characters
    return start
  })
  return at === characterCount ? starts : []
}

type HeadProps = { document: DocumentWithPages; onDialog: (dialog: 'edit' | 'delete') => void }

function Head({ document, onDialog }: HeadProps) {
  const { memoryId, id, title, filename, mimeType, hasSource } = document
  return (
    <header class="head document-head">
      <div>
        <FileIcon mimeType={mimeType} />
        <h1 class="beginning" title={title}>
          <bdi>{title}</bdi>
        </h1>
        {mayWrite.value && (
          <button
            type="button"
            class="plain square small"
            aria-label="Edit title and tags"
            title="Edit title and tags"
            onClick={() => onDialog('edit')}
          >
            <Icon of={Pencil} />
          </button>
        )}
      </div>
      <div class="row">
        <a class="button" href={`${linkTo('memories', memoryId, 'search')}?documentId=${id}`}>
          <Icon of={TextSearch} /> Find in this document
        </a>
        {hasSource && (
          <Form
            label="Download original"
            look="quiet"
            action={async () =>
              saveAnswer(await client.value.documents.readSource(memoryId, id), filename ?? 'document')
            }
          />
        )}
        {mayWrite.value && (
          <button type="button" class="quiet" onClick={() => onDialog('delete')}>
            Delete
          </button>
        )}
      </div>
    </header>
  )
}
