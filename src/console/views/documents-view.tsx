import { Download, FileText, Pencil, RotateCw, SearchX, Tags, TextSearch, Trash2, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { MemoryDocument } from '../../client/resources.ts'
import {
  type DocumentDialog as Dialog,
  DocumentDialogs,
  isRetryable,
  retryDocuments,
} from '../documents/document-dialogs.tsx'
import { type DocumentList, type ListQuery, useDocumentList } from '../documents/document-list.ts'
import { DocumentTable, type Selection, type Sort, type SortColumn } from '../documents/document-table.tsx'
import { PageTotals } from '../documents/page-report.tsx'
import { AddButtons, DropZone } from '../documents/upload-area.tsx'
import { ends } from '../documents/uploads.ts'
import { isRunning } from '../follow-job.ts'
import { formatCount, pluralize } from '../format.ts'
import { Empty } from '../parts/empty.tsx'
import { SearchField } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import type { MenuEntry } from '../parts/menu.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { keepQuery, linkTo, route } from '../route.ts'
import { client, mayWrite } from '../session.ts'
import { saveAnswer } from '../transfers.ts'

/** Pause after typing before the list is read. */
const TYPING_MS = 180

const STATES = ['ready', 'partial', 'processing', 'pending', 'failed'] as const
const SOURCES = { file: 'Files', text: 'Texts', url: 'From URLs', ocr: 'Images' } as const
const NEWEST: Sort = '-added'

/** Filter and order of the view, as in its address. */
type Fields = { q: string; status: string; tag: string; source: string; sort: string }

/** Documents of a memory: a table to find, mark and change them, and what adds others. */
export function Documents({ memoryId, onChange }: { memoryId: string; onChange: () => void }) {
  const [fields, setFields] = useFields(memoryId)
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const query = useMemo(() => toQuery(fields), [JSON.stringify(fields)])
  const { list, shown } = useDocumentList(memoryId, query)
  const sort = fields.sort as Sort
  const documents = useSorted(list, shown.documents, sort)
  const selection = useSelection(documents)
  // Changes when documents come, go or end, but not when further ones are loaded.
  const states = `${shown.total} ${shown.documents.filter(isRunning).map(({ id }) => id)}`
  // Updates the counts of the memory.
  useEffect(() => {
    if (shown.isRead) onChange()
  }, [states, ends.value])
  const isFiltered = Object.keys(query).some((name) => name !== 'sort')
  const isEmpty = shown.isRead && shown.total === 0 && !isFiltered
  return (
    <DropZone memoryId={memoryId}>
      {!isEmpty && (
        <Toolbar fields={fields} onChange={setFields}>
          {mayWrite.value && <AddButtons memoryId={memoryId} onAdd={(is) => setDialog({ is })} />}
        </Toolbar>
      )}
      <Notice error={shown.error} onRetry={() => void list.refresh()} />
      {!shown.isRead && shown.error === null && <Skeleton rows={8} />}
      {isEmpty && <NothingYet memoryId={memoryId} onAdd={(is) => setDialog({ is })} />}
      {shown.isRead && shown.total === 0 && isFiltered && (
        <Empty title="No documents match" icon={SearchX}>
          <p>No document of this memory has all of these.</p>
          <button type="button" onClick={() => setFields({ q: '', status: '', tag: '', source: '', sort })}>
            Clear filters
          </button>
        </Empty>
      )}
      {shown.total > 0 && (
        <>
          {!isFiltered && <PageTotals memoryId={memoryId} of={states} />}
          <DocumentTable
            memoryId={memoryId}
            documents={documents}
            total={shown.total}
            list={list}
            sort={sort}
            onSort={(next) => setFields({ ...fields, sort: next })}
            selection={selection}
            menuOf={(document) => listActions(document, setDialog)}
          />
          <p class="quiet count">
            <span>{pluralize(shown.total, 'document')}</span>
            {documents.length < shown.total && ` · ${formatCount(documents.length)} loaded`}
          </p>
          {selection.ids.size > 0 && (
            <SelectionBar list={list} selection={selection} documents={documents} onDialog={setDialog} />
          )}
        </>
      )}
      {dialog !== null && (
        <DocumentDialogs
          memoryId={memoryId}
          dialog={dialog}
          onAdded={() => {
            setDialog(null)
            void list.refresh()
          }}
          onChanged={list.replace}
          onDeleted={(ids) => {
            selection.clear()
            list.remove(ids)
            void list.refresh()
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </DropZone>
  )
}

function readFields(): Fields {
  const { query } = route.value
  const read = (name: string) => query.get(name) ?? ''
  return {
    q: read('q'),
    status: read('status'),
    tag: read('tag'),
    source: read('source'),
    sort: read('sort') || NEWEST,
  }
}

/** The fields, kept in the address. A link or the back button may bring others. */
function useFields(memoryId: string): [Fields, (fields: Fields) => void] {
  const [fields, setFields] = useState(readFields)
  useEffect(() => setFields(readFields()), [route.value])
  useLayoutEffect(() => {
    const { sort, ...filter } = fields
    keepQuery(linkTo('memories', memoryId, 'documents'), { ...filter, sort: sort === NEWEST ? '' : sort })
  }, [fields])
  return [fields, setFields]
}

function toQuery({ q, status, tag, source, sort }: Fields): ListQuery {
  const given = { name: q.trim(), status, tag: tag.trim(), sourceType: source }
  const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  return { ...query, ...(sort === 'added' ? { sort: 'createdAt' } : {}) }
}

/** The service sorts by time. Other orders need all documents, which are loaded then. */
function useSorted(list: DocumentList, documents: readonly MemoryDocument[], sort: Sort): readonly MemoryDocument[] {
  const isLocal = !sort.endsWith('added')
  useEffect(() => {
    if (isLocal) void list.want(Number.POSITIVE_INFINITY)
  }, [list, isLocal])
  return useMemo(() => (isLocal ? sorted(documents, sort) : documents), [documents, sort])
}

function sorted(documents: readonly MemoryDocument[], sort: Sort): MemoryDocument[] {
  const [column, turn] = sort.startsWith('-') ? [sort.slice(1) as SortColumn, -1] : [sort as SortColumn, 1]
  if (column === 'title') {
    const { compare } = new Intl.Collator(undefined, { numeric: true })
    return documents.toSorted((a, b) => turn * compare(a.title, b.title))
  }
  const figureOf = ({ pageCount, sizeBytes }: MemoryDocument) => (column === 'pages' ? (pageCount ?? 0) : sizeBytes)
  return documents.toSorted((a, b) => turn * (figureOf(a) - figureOf(b)))
}

function useSelection(documents: readonly MemoryDocument[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef(0)
  return {
    ids,
    toggle(index, isRange) {
      const from = isRange ? Math.min(last.current, index) : index
      const to = isRange ? Math.max(last.current, index) : index
      const isOn = !ids.has(documents[index]?.id ?? '')
      const next = new Set(ids)
      for (const { id } of documents.slice(from, to + 1)) {
        if (isOn) next.add(id)
        else next.delete(id)
      }
      last.current = index
      setIds(next)
    },
    clear: () => setIds(new Set()),
    mark: (marked) => setIds(new Set(marked.map(({ id }) => id))),
    toggleAll: () => setIds(ids.size >= documents.length ? new Set() : new Set(documents.map(({ id }) => id))),
  }
}

type ToolbarProps = { fields: Fields; onChange: (fields: Fields) => void; children: ComponentChildren }

function Toolbar({ fields, onChange, children }: ToolbarProps) {
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [typed, setTyped] = useState({ q: fields.q, tag: fields.tag })
  useEffect(() => setTyped({ q: fields.q, tag: fields.tag }), [fields.q, fields.tag])
  function type(facts: Partial<typeof typed>) {
    const next = { ...typed, ...facts }
    setTyped(next)
    clearTimeout(typing.current)
    typing.current = setTimeout(() => onChange({ ...fields, ...next }), TYPING_MS)
  }
  return (
    <search class="toolbar">
      <SearchField label="Title or file name" value={typed.q} onInput={(q) => type({ q })} />
      <select
        aria-label="State"
        value={fields.status}
        onChange={(event) => onChange({ ...fields, status: event.currentTarget.value })}
      >
        <option value="">All states</option>
        {STATES.map((state) => (
          <option key={state}>{state}</option>
        ))}
      </select>
      <select
        aria-label="Source"
        value={fields.source}
        onChange={(event) => onChange({ ...fields, source: event.currentTarget.value })}
      >
        <option value="">All sources</option>
        {Object.entries(SOURCES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <input
        class="of-tag"
        dir="auto"
        aria-label="Tag"
        placeholder="Tag"
        autocomplete="off"
        value={typed.tag}
        onInput={(event) => type({ tag: event.currentTarget.value })}
      />
      <div class="end">{children}</div>
    </search>
  )
}

function NothingYet({ memoryId, onAdd }: { memoryId: string; onAdd: (is: 'text' | 'url') => void }) {
  return (
    <Empty title="No documents yet" icon={FileText}>
      {mayWrite.value ? (
        <>
          <p>Drop files or whole folders here. They are searchable as soon as they are processed.</p>
          <AddButtons memoryId={memoryId} onAdd={onAdd} />
          <p class="faint">PDF, scans, Office, web pages, tables, text, images and ZIP archives; up to 100 MB each</p>
        </>
      ) : (
        <p>Your key only reads. Documents of this memory appear here.</p>
      )}
    </Empty>
  )
}

function listActions(document: MemoryDocument, open: (dialog: Dialog) => void): MenuEntry[] {
  const { memoryId, id, filename, hasSource } = document
  const download = async () => saveAnswer(await client.value.documents.readSource(memoryId, id), filename ?? 'document')
  const entries: MenuEntry[] = [
    { label: 'Open', icon: FileText, href: linkTo('memories', memoryId, 'documents', id) },
    {
      label: 'Find in this document',
      icon: TextSearch,
      href: `${linkTo('memories', memoryId, 'search')}?documentId=${id}`,
    },
  ]
  if (hasSource) entries.push({ label: 'Download original', icon: Download, onSelect: () => void download() })
  if (!mayWrite.value) return entries
  entries.push({ label: 'Edit title and tags', icon: Pencil, onSelect: () => open({ is: 'edit', document }) })
  if (isRetryable(document))
    entries.push({ label: 'Process missing pages', icon: RotateCw, onSelect: () => void retryDocuments([document]) })
  const remove = () => open({ is: 'delete', documents: [document] })
  return [...entries, { label: 'Delete', icon: Trash2, isDanger: true, onSelect: remove }]
}

type BarProps = {
  list: DocumentList
  selection: Selection
  documents: readonly MemoryDocument[]
  onDialog: (dialog: Dialog) => void
}

/** Actions for the marked documents, over the foot of the list. */
function SelectionBar({ list, selection, documents, onDialog }: BarProps) {
  const marked = documents.filter(({ id }) => selection.ids.has(id))
  const { total } = list.state.value
  const isWhole = marked.length === documents.length
  async function markAll() {
    await list.want(Number.POSITIVE_INFINITY)
    selection.mark(list.state.peek().documents)
  }
  const retryable = marked.filter(isRetryable)
  return (
    <section class="selection-bar" aria-label="Selected documents">
      <strong role="status">{formatCount(marked.length)} selected</strong>
      {isWhole && documents.length < total && (
        <button type="button" class="link" onClick={() => void markAll()}>
          Select all {formatCount(total)}
        </button>
      )}
      <button type="button" class="small" onClick={() => onDialog({ is: 'tags', documents: marked })}>
        <Icon of={Tags} /> Tags
      </button>
      {retryable.length > 0 && (
        <button type="button" class="small" onClick={() => void retryDocuments(retryable).then(list.refresh)}>
          <Icon of={RotateCw} /> Retry {formatCount(retryable.length)}
        </button>
      )}
      <button type="button" class="small bad" onClick={() => onDialog({ is: 'delete', documents: marked })}>
        <Icon of={Trash2} /> Delete
      </button>
      <button type="button" class="plain square small" aria-label="Clear selection" onClick={selection.clear}>
        <Icon of={X} />
      </button>
    </section>
  )
}
