import { ArrowDown, ArrowUp, EyeOff } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MemoryDocument } from '../../client/resources.ts'
import { formatBytes } from '../format.ts'
import { useMedia, useVisibleRows } from '../hooks.ts'
import { FileIcon } from '../parts/file-icon.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuEntry } from '../parts/menu.tsx'
import { Time } from '../parts/time.tsx'
import { linkTo } from '../route.ts'
import { mayWrite } from '../session.ts'
import type { DocumentList } from './document-list.ts'
import { PageCell } from './page-report.tsx'

/** Heights of a row and of a card in pixels, as in `documents.css`. */
const ROW = 48
const CARD = 84

/** Rows that are made in one frame: a jump by a screen would take longer than a frame otherwise. */
const MADE_AT_A_TIME = 6

/** Columns by which the list can be sorted, with their headers. */
const COLUMNS = {
  title: 'Document',
  status: 'State',
  pages: 'Pages',
  size: 'Size',
  tags: 'Tags',
  added: 'Added',
} as const
const SORTED = ['title', 'pages', 'size', 'added'] as const

/** Order of the list; a minus sorts descending. */
export type SortColumn = (typeof SORTED)[number]
export type Sort = SortColumn | `-${SortColumn}`

/** Documents that are marked for an action, and how to mark them. */
export type Selection = {
  ids: ReadonlySet<string>
  /** Marks or unmarks a row; with `isRange`, all rows since the last one as well. */
  toggle(index: number, isRange: boolean): void
  /** Marks all loaded rows, or none. */
  toggleAll(): void
  mark(documents: readonly MemoryDocument[]): void
  clear(): void
}

type TableProps = {
  memoryId: string
  documents: readonly MemoryDocument[]
  total: number
  list: DocumentList
  sort: Sort
  onSort: (sort: Sort) => void
  selection: Selection
  menuOf: (document: MemoryDocument) => readonly MenuEntry[]
}

/**
 * Documents as a table. Only visible rows are in the page, the table has the height of all, and
 * scrolling loads further documents.
 */
export function DocumentTable({ memoryId, documents, total, list, selection, menuOf, ...order }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const height = useMedia('(max-width: 760px)') ? CARD : ROW
  const { first, end } = useVisibleRows(body, { count: total, height })
  useEffect(() => void list.want(end), [list, end])
  const { active, onKeyDown, setActive } = useRowKeys({ memoryId, documents, total, height, body, selection })
  const rowsOf = useRows({ active, setActive, selection, menuOf })
  return (
    <div class={mayWrite.value ? 'table-frame documents' : 'table-frame documents unmarked'}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are focused */}
      <table role="grid" aria-label="Documents" aria-rowcount={total + 1} aria-multiselectable="true">
        <Head documents={documents} selection={selection} {...order} />
        <tbody ref={body} onKeyDown={onKeyDown}>
          {withSpaces(rowsOf(documents.slice(first, end), first), total, height)}
        </tbody>
      </table>
    </div>
  )
}

type RowsProps = Pick<TableProps, 'selection' | 'menuOf'> & { active: number; setActive: (index: number) => void }

/** A row, and what it was made of. */
type MadeRow = { of: string; index: number; row: ComponentChildren }
type MadeRows = ReadonlyMap<MemoryDocument, MadeRow>

/**
 * Makes rows. Unchanged rows are kept, so that scrolling renders only new rows;
 * those over a number wait for the next frame.
 */
function useRows({ active, setActive, selection, menuOf }: RowsProps) {
  const [, setFrame] = useState(0)
  let newRows = 0
  useEffect(() => {
    if (newRows <= MADE_AT_A_TIME) return
    const frame = requestAnimationFrame(setFrame)
    return () => cancelAnimationFrame(frame)
  })
  const latest = useRef({ selection, menuOf, setActive })
  latest.current = { selection, menuOf, setActive }
  /** Rows of the last frame. Others are made again, as the page does not have them. */
  const made = useRef<MadeRows>(new Map())
  function makeRow(index: number, document: MemoryDocument): MadeRow | null {
    const [isActive, isSelected] = [index === active, selection.ids.has(document.id)]
    const of = `${index} ${isActive} ${isSelected}`
    const before = made.current.get(document)
    if (before?.of === of) return before
    if (before === undefined) newRows += 1
    if (newRows > MADE_AT_A_TIME) return before === undefined ? null : { ...before, index }
    const row = (
      <Row
        key={document.id}
        index={index}
        document={document}
        isActive={isActive}
        onActive={() => latest.current.setActive(index)}
        isSelected={isSelected}
        onToggle={(isRange) => latest.current.selection.toggle(index, isRange)}
        menu={latest.current.menuOf(document)}
      />
    )
    return { of, index, row }
  }
  return (documents: readonly MemoryDocument[], first: number) => {
    const rows = documents.map((document, at) => [document, makeRow(first + at, document)] as const)
    made.current = new Map(rows.filter((entry): entry is [MemoryDocument, MadeRow] => entry[1] !== null))
    return [...made.current.values()]
  }
}

/**
 * The rows, and a space in the place of those that are not in the page: out of view, not loaded, or
 * not made yet.
 */
function withSpaces(rows: readonly MadeRow[], total: number, height: number) {
  const children: ComponentChildren[] = []
  let next = 0
  const addSpace = (end: number) => {
    if (end > next) children.push(<Space key={`space ${children.length}`} height={(end - next) * height} />)
  }
  for (const { index, row } of rows) {
    addSpace(index)
    children.push(row)
    next = index + 1
  }
  addSpace(total)
  return children
}

function Space({ height }: { height: number }) {
  return (
    <tr class="space" style={{ height: `${height}px` }}>
      <td />
    </tr>
  )
}

type HeadProps = Pick<TableProps, 'documents' | 'selection' | 'sort' | 'onSort'>

function Head({ documents, selection, sort, onSort }: HeadProps) {
  const [column, isDescending] = sort.startsWith('-') ? [sort.slice(1), true] : [sort, false]
  const isAll = documents.length > 0 && selection.ids.size >= documents.length
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" class="check">
          <SelectAll isAll={isAll} isSome={selection.ids.size > 0} onToggle={selection.toggleAll} />
        </th>
        {Object.entries(COLUMNS).map(([id, name]) => {
          const isSorted = id === column
          const direction = isDescending ? 'descending' : 'ascending'
          return (
            <th key={id} scope="col" class={`of-${id}`} aria-sort={isSorted ? direction : undefined}>
              {SORTED.includes(id as SortColumn) ? (
                <button type="button" class="sort" onClick={() => onSort(turned(id as SortColumn, sort))}>
                  {name}
                  {isSorted && <Icon of={isDescending ? ArrowDown : ArrowUp} />}
                </button>
              ) : (
                name
              )}
            </th>
          )
        })}
        <th scope="col" class="of-menu">
          <span class="hidden">Actions</span>
        </th>
      </tr>
    </thead>
  )
}

/** Names begin at A; of numbers and times the largest comes first. */
function turned(column: SortColumn, sort: Sort): Sort {
  if (sort === column) return `-${column}`
  return sort === `-${column}` || column === 'title' ? column : `-${column}`
}

function SelectAll({ isAll, isSome, onToggle }: { isAll: boolean; isSome: boolean; onToggle: () => void }) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome && !isAll
  })
  if (!mayWrite.value) return null
  return <input ref={box} type="checkbox" aria-label="Select all" checked={isAll} onChange={onToggle} />
}

type RowProps = {
  index: number
  document: MemoryDocument
  isActive: boolean
  onActive: () => void
  isSelected: boolean
  onToggle: (isRange: boolean) => void
  menu: readonly MenuEntry[]
}

function Row({ index, document, isActive, onActive, isSelected, onToggle, menu }: RowProps) {
  const { memoryId, id, title, status } = document
  return (
    <tr
      class="one"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={index}
      tabIndex={isActive ? 0 : -1}
      onFocus={onActive}
    >
      <td class="check">
        {mayWrite.value && (
          <input
            type="checkbox"
            aria-label={`Select ${title}`}
            checked={isSelected}
            onClick={(event) => onToggle(event.shiftKey)}
          />
        )}
      </td>
      <td class="named">
        <FileIcon mimeType={document.mimeType} />
        <div>
          <a class="one-line" dir="auto" href={linkTo('memories', memoryId, 'documents', id)} title={title}>
            {title}
          </a>
          <Origin document={document} />
        </div>
      </td>
      <td class="of-status">
        <span class={`state ${status}`}>{status}</span>
        {!document.enabled && <Icon of={EyeOff} label="Hidden from searches" />}
      </td>
      <td class="of-pages">
        <PageCell document={document} />
      </td>
      <td class="of-size">{formatBytes(document.sizeBytes)}</td>
      <td class="of-tags">
        <Tags tags={document.tags} />
      </td>
      <td class="of-added">
        <Time at={document.createdAt} />
      </td>
      <td class="of-menu">
        <Menu label={`Actions for ${title}`} entries={menu} />
      </td>
    </tr>
  )
}

/** Origin of a document, or its error. */
function Origin({ document: { error, filename, url, sourceType } }: { document: MemoryDocument }) {
  if (error !== null) {
    return (
      <p class="faint bad one-line" dir="auto" title={error}>
        {error}
      </p>
    )
  }
  const origin = filename ?? url ?? (sourceType === 'text' ? 'Added as text' : sourceType)
  return (
    <p class="faint one-line" title={origin}>
      <bdi>{origin}</bdi>
    </p>
  )
}

/** Tags that have room in a row. */
const MAX_TAGS = 2

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <div class="few-tags" title={tags.join(', ')}>
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <span key={tag} class="tag one-line" dir="auto">
          {tag}
        </span>
      ))}
      {tags.length > MAX_TAGS && <span class="faint">+{tags.length - MAX_TAGS}</span>}
    </div>
  )
}

type KeysProps = Pick<TableProps, 'memoryId' | 'documents' | 'total' | 'selection'> & {
  height: number
  body: { current: HTMLTableSectionElement | null }
}

/** Arrows move between rows, Space marks one, Enter opens it. */
function useRowKeys({ memoryId, documents, total, height, body, selection }: KeysProps) {
  const [active, setState] = useState(0)
  // Keys may follow each other faster than rows are rendered.
  const latest = useRef(0)
  const moves = useRef(false)
  function setActive(index: number) {
    latest.current = index
    setState(index)
  }
  useLayoutEffect(() => {
    if (!moves.current) return
    const row = body.current?.querySelector<HTMLElement>(`[data-row="${latest.current}"]`)
    if (!row) return
    moves.current = false
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  })
  function moveTo(index: number) {
    const to = Math.max(0, Math.min(total - 1, index))
    moves.current = true
    setActive(to)
    if (body.current?.querySelector(`[data-row="${to}"]`)) return
    const top = body.current?.getBoundingClientRect().top ?? 0
    scrollTo(0, scrollY + top + to * height - innerHeight / 2)
  }
  function onKeyDown(event: KeyboardEvent) {
    const { target, key } = event
    if (!(target instanceof HTMLElement) || target.dataset['row'] === undefined) return
    const inView = Math.floor(innerHeight / height) - 2
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: inView, PageUp: -inView }
    const ends: Readonly<Record<string, number>> = { Home: 0, End: total - 1 }
    const at = latest.current
    const document = documents[at]
    if (steps[key] !== undefined) moveTo(at + steps[key])
    else if (ends[key] !== undefined) moveTo(ends[key])
    else if (key === ' ' && mayWrite.value) selection.toggle(at, event.shiftKey)
    else if (key === 'Enter' && document) location.hash = linkTo('memories', memoryId, 'documents', document.id)
    else return
    event.preventDefault()
  }
  return { active: Math.min(active, Math.max(0, total - 1)), setActive, onKeyDown }
}
