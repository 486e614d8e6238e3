import { Clock, Pencil, PencilLine, Plus, SearchX, Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Correction, Outranked } from '../../../client/resources.ts'
import { formatTime, pluralize } from '../../format.ts'
import { useLoad } from '../../hooks.ts'
import { Empty, Guide } from '../../parts/empty.tsx'
import { SearchField } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Deletion } from '../../parts/modal.tsx'
import { Notice, Skeleton } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { toPlainText } from '../../reading/marked-text.tsx'
import { nameOfPlace, Passage, type Place } from '../../reading/passage.tsx'
import { closeBeside, openBeside, opened } from '../../route.ts'
import { client, mayWrite } from '../../session.ts'
import { showToast } from '../../shell/toasts.tsx'
import { CorrectionEditor, NewCorrection } from './correction-fields.tsx'
import { Differences } from './differences.tsx'
import { Overridden } from './overridden.tsx'

/** Maximum number of corrections that are listed; the filter and the search see no others. */
const MAX_CORRECTIONS = 1000

/** Corrections per page of the list. The passages that they override are searched for each page. */
const PAGE = 20

const STATES = { all: 'All', active: 'Active', expired: 'Expired' } as const

/** Corrections of a memory beside the passages that they override. */
export function Corrections({ memoryId, onChange }: { memoryId: string; onChange: () => void }) {
  const [isAdding, setAdding] = useState(false)
  const list = useLoad((signal) => readCorrections(memoryId, signal), [memoryId])
  const changed = () => {
    list.reload()
    onChange()
  }
  const corrections = list.value?.corrections
  const place = useMemo(() => findPlace(corrections ?? [], opened.value), [corrections, opened.value])
  const newButton = mayWrite.value && (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      <Icon of={Plus} /> New correction
    </button>
  )
  return (
    <>
      <Notice error={list.error} onRetry={list.reload} />
      {corrections === undefined && list.error === null && <Skeleton rows={6} />}
      {corrections?.length === 0 && (
        <Empty title="No corrections" icon={PencilLine}>
          <p>
            A correction replaces a wrong or outdated statement of a document. It ranks first for questions that it
            matches, and answers quote it. <Guide name="corrections" of="corrections" />
          </p>
          {newButton}
        </Empty>
      )}
      {corrections !== undefined && corrections.length > 0 && (
        <div class={place === null ? '' : 'with-pane'}>
          <CorrectionList corrections={corrections} onChange={changed} onOpen={(at) => openBeside(nameOfPlace(at))}>
            {newButton}
          </CorrectionList>
          {place && <Passage place={place} onClose={closeBeside} />}
        </div>
      )}
      {list.value?.hasMore && <p class="quiet">The newest {MAX_CORRECTIONS} corrections are listed.</p>}
      {isAdding && (
        <NewCorrection
          memoryId={memoryId}
          known={corrections ?? []}
          onMade={({ outranks }) => {
            const count = outranks?.length ?? 0
            showToast(
              count === 0
                ? 'Correction added. It overrides nothing.'
                : `Correction added. It overrides ${pluralize(count, 'passage')}.`,
            )
            changed()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

/** The overridden passage that the address names. */
function findPlace(corrections: readonly Correction[], name: string | null): Place | null {
  for (const { memoryId, lastOutranked } of corrections) {
    const passage = lastOutranked?.passages.find((at) => nameOfPlace(at) === name)
    if (passage !== undefined) return { memoryId, ...passage }
  }
  return null
}

async function readCorrections(memoryId: string, signal: AbortSignal) {
  const corrections: Correction[] = []
  for await (const correction of client.peek().corrections.list(memoryId, { limit: 100 }, { signal })) {
    if (corrections.length === MAX_CORRECTIONS) return { corrections, hasMore: true }
    corrections.push(correction)
  }
  return { corrections, hasMore: false }
}

type ListProps = {
  corrections: readonly Correction[]
  onChange: () => void
  onOpen: (place: Place) => void
  children: ComponentChildren
}

/** The corrections with a filter and a search, in pages. */
function CorrectionList({ corrections, onChange, onOpen, children }: ListProps) {
  const [state, setState] = useState<keyof typeof STATES>('all')
  const [words, setWords] = useState('')
  const [page, setPage] = useState(0)
  const isIn = ({ isExpired }: Correction) => state === 'all' || isExpired === (state === 'expired')
  const found = corrections.filter((correction) => isIn(correction) && hasWords(correction, words))
  const shown = found.slice(page * PAGE, (page + 1) * PAGE)
  const overridden = useOverridden(shown, corrections)
  return (
    <div>
      <div class="toolbar">
        <SearchField
          label="Search corrections"
          value={words}
          onInput={(typed) => {
            setWords(typed)
            setPage(0)
          }}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, these buttons do not */}
        <div class="segmented" role="group" aria-label="State">
          {Object.entries(STATES).map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === state}
              onClick={() => {
                setState(name as keyof typeof STATES)
                setPage(0)
              }}
            >
              {label}
            </button>
          ))}
        </div>
        <div class="end">{children}</div>
      </div>
      {found.length === 0 && (
        <Empty title="Nothing found" icon={SearchX}>
          <p>No correction has this state and these words.</p>
        </Empty>
      )}
      <ul class="corrections" aria-label="Corrections">
        {shown.map((correction) => (
          <CorrectionCard
            key={correction.id}
            correction={correction}
            overridden={overridden.get(correction.id)}
            onChange={onChange}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {found.length > PAGE && <Pages page={page} total={found.length} onTurn={setPage} />}
    </div>
  )
}

function Pages({ page, total, onTurn }: { page: number; total: number; onTurn: (page: number) => void }) {
  const end = Math.min(total, (page + 1) * PAGE)
  return (
    <nav class="row end" aria-label="Pages of the list">
      <span class="quiet">
        {page * PAGE + 1}–{end} of {total}
      </span>
      <button type="button" class="small" disabled={page === 0} onClick={() => onTurn(page - 1)}>
        Newer
      </button>
      <button type="button" class="small" disabled={end === total} onClick={() => onTurn(page + 1)}>
        Older
      </button>
    </nav>
  )
}

function hasWords({ statement, topics }: Correction, words: string): boolean {
  const text = [statement, ...topics].join(' ').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/**
 * The passages that the shown corrections override, by ID. The service computes them for pages of
 * the list, so pages are read until all shown ones are known.
 */
function useOverridden(shown: readonly Correction[], all: readonly Correction[]) {
  const [found, setFound] = useState<ReadonlyMap<string, readonly Outranked[]>>(new Map())
  const wanted = shown.map(({ id }) => id).join(' ')
  useEffect(() => {
    const leaving = new AbortController()
    const [first] = shown
    if (first !== undefined) void read(first.memoryId, leaving.signal).catch(() => undefined)
    return () => leaving.abort()
  }, [wanted, all])
  async function read(memoryId: string, signal: AbortSignal) {
    const missing = new Set(wanted.split(' '))
    let next: { cursor?: string } | null = {}
    while (next !== null && missing.size > 0) {
      const query = { limit: PAGE, include: 'outranks', ...next } as const
      const page = await client.peek().corrections.listPage(memoryId, query, { signal })
      signal.throwIfAborted()
      const added = page.corrections.map(({ id, outranks }) => [id, outranks ?? []] as const)
      setFound((before) => new Map([...before, ...added]))
      for (const [id] of added) missing.delete(id)
      next = page.nextCursor === null ? null : { cursor: page.nextCursor }
    }
  }
  return found
}

type CardProps = {
  correction: Correction
  /** `undefined` while the passages are searched. */
  overridden: readonly Outranked[] | undefined
  onChange: () => void
  onOpen: (place: Place) => void
}

/** A correction on the left, and the passages that it overrides on the right. */
function CorrectionCard({ correction, overridden, onChange, onOpen }: CardProps) {
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { id, memoryId, statement } = correction
  async function remove() {
    await client.value.documents.delete(memoryId, id)
    showToast('Correction deleted.')
    onChange()
  }
  return (
    <li class="card">
      <div>
        {isEditing ? (
          <CorrectionEditor
            correction={correction}
            onCancel={() => setEditing(false)}
            onDone={() => {
              setEditing(false)
              onChange()
            }}
          />
        ) : (
          <Statement correction={correction} overridden={overridden ?? []}>
            {mayWrite.value && (
              <Menu
                label="Actions of the correction"
                entries={[
                  { label: 'Edit', icon: Pencil, onSelect: () => setEditing(true) },
                  { label: 'Delete', icon: Trash2, isDanger: true, onSelect: () => setDeleting(true) },
                ]}
              />
            )}
          </Statement>
        )}
      </div>
      <Overridden correction={correction} passages={overridden} onOpen={onOpen} />
      {isDeleting && (
        <Deletion
          title="Delete this correction?"
          label="Delete correction"
          warning={
            <p>
              “<bdi>{statement}</bdi>” will no longer rank first. This cannot be undone.
            </p>
          }
          action={remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  )
}

type StatementProps = { correction: Correction; overridden: readonly Outranked[]; children: ComponentChildren }

function Statement({ correction, overridden, children }: StatementProps) {
  const { statement, topics, boost, createdBy, createdAt, expiresAt, isExpired } = correction
  const by = createdBy?.name ?? createdBy?.keyId
  const [nearest] = overridden
  return (
    <>
      <header>
        <p class="statement" dir="auto">
          {nearest === undefined ? (
            statement
          ) : (
            <Differences text={statement} other={`${nearest.title} ${toPlainText(nearest.snippet)}`} as="ins" />
          )}
        </p>
        {children}
      </header>
      {topics.length > 0 && (
        <p class="tags">
          {topics.map((topic) => (
            <span class="tag" key={topic}>
              <bdi>{topic}</bdi>
            </span>
          ))}
        </p>
      )}
      <p class="quiet facts-line">
        {isExpired && <span class="state failed">expired</span>}
        {!isExpired && expiresAt !== null && (
          <span class="tag" title={formatTime(expiresAt)}>
            <Icon of={Clock} /> expires&nbsp;
            <Time at={expiresAt} />
          </span>
        )}
        <span>
          added <Time at={createdAt} />
          {by !== undefined && (
            <>
              {' '}
              by <bdi>{by}</bdi>
            </>
          )}
        </span>
        {boost !== 2 && <span>boost {boost}</span>}
      </p>
    </>
  )
}
