import { FileText, Hash, ListFilter, SlidersHorizontal, Tag, X } from 'lucide'
import { useMemo, useState } from 'preact/hooks'
import type { MemoryDocument } from '../../client/resources.ts'
import { useLoad } from '../hooks.ts'
import { client } from '../session.ts'
import { type FilterFields, splitList } from '../to-filter.ts'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'

/** Number of documents to choose from; others can be found by search. */
const MAX_DOCUMENTS = 100

/** Search modes with their labels. */
export const MODES = {
  auto: 'Automatic',
  hybrid: 'Hybrid',
  semantic: 'Semantic',
  lexical: 'Keyword',
} as const

/** A search mode. */
export type Mode = keyof typeof MODES

/** What narrows a search. */
export type Narrowing = FilterFields & { mode: Mode }

const KINDS = {
  tag: { label: 'Tag', icon: Tag },
  document: { label: 'Document', icon: FileText },
  metadata: { label: 'Metadata', icon: Hash },
  mode: { label: 'Mode', icon: SlidersHorizontal },
} as const

type Kind = keyof typeof KINDS

type FiltersProps = { memoryId: string; narrowing: Narrowing; onChange: (facts: Partial<Narrowing>) => void }

/** Filters as chips that can be removed, and a menu to add one. */
export function Filters({ memoryId, narrowing, onChange }: FiltersProps) {
  const [adding, setAdding] = useState<Kind | null>(null)
  const isAsked = adding !== null || narrowing.documentId !== ''
  const documents = useLoad(
    (signal) =>
      isAsked ? client.value.documents.listPage(memoryId, { limit: MAX_DOCUMENTS }, { signal }) : Promise.resolve(null),
    [memoryId, isAsked],
  )
  const listed = documents.value?.documents
  const chips = listChips(narrowing, listed)
  return (
    <fieldset class="filters">
      <legend class="hidden">Filters</legend>
      {chips.map(({ kind, value, without }) => (
        <span key={`${kind} ${value}`} class="chip">
          <Icon of={KINDS[kind].icon} />
          <span class="one-line">
            {KINDS[kind].label}: <bdi>{value}</bdi>
          </span>
          <button
            type="button"
            class="plain"
            aria-label={`Remove filter ${KINDS[kind].label} ${value}`}
            onClick={() => onChange(without)}
          >
            <Icon of={X} />
          </button>
        </span>
      ))}
      {adding === null ? (
        <Menu
          label="Add a filter"
          look="quiet small"
          entries={(Object.keys(KINDS) as Kind[]).map((kind) => ({
            label: KINDS[kind].label,
            icon: KINDS[kind].icon,
            onSelect: () => setAdding(kind),
          }))}
        >
          <Icon of={ListFilter} /> Filter
        </Menu>
      ) : (
        <Addition
          kind={adding}
          documents={listed}
          hasMore={documents.value?.hasMore ?? false}
          narrowing={narrowing}
          onAdd={onChange}
          onClose={() => setAdding(null)}
        />
      )}
      {chips.length > 1 && (
        <button
          type="button"
          class="quiet small"
          onClick={() => onChange({ tags: '', documentId: '', metadata: '', mode: 'auto' })}
        >
          Clear all
        </button>
      )}
    </fieldset>
  )
}

type Chip = { kind: Kind; value: string; without: Partial<Narrowing> }

function listChips(narrowing: Narrowing, documents: readonly MemoryDocument[] | undefined): Chip[] {
  const { tags, documentId, metadata, mode } = narrowing
  const chipsOf = (kind: Kind, field: 'tags' | 'metadata', text: string): Chip[] =>
    splitList(text).map((value, _, all) => ({
      kind,
      value,
      without: { [field]: all.filter((other) => other !== value).join(', ') },
    }))
  const title = documents?.find(({ id }) => id === documentId)?.title ?? documentId
  return [
    ...chipsOf('tag', 'tags', tags),
    ...(documentId === '' ? [] : [{ kind: 'document' as const, value: title, without: { documentId: '' } }]),
    ...chipsOf('metadata', 'metadata', metadata),
    ...(mode === 'auto' ? [] : [{ kind: 'mode' as const, value: MODES[mode], without: { mode: 'auto' as const } }]),
  ]
}

type AdditionProps = {
  kind: Kind
  documents: readonly MemoryDocument[] | undefined
  hasMore: boolean
  narrowing: Narrowing
  onAdd: (facts: Partial<Narrowing>) => void
  onClose: () => void
}

/** Field for the value of a new filter. Enter adds it, Escape closes the field. */
function Addition({ kind, documents, hasMore, narrowing, onAdd, onClose }: AdditionProps) {
  const add = (facts: Partial<Narrowing>) => {
    onAdd(facts)
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  if (kind === 'mode')
    return (
      <Choice label="Mode" onKeyDown={onKeyDown} onChoose={(value) => add({ mode: value as Mode })}>
        {Object.entries(MODES)}
      </Choice>
    )
  if (kind === 'document')
    return (
      <Choice
        label={hasMore ? 'Document (recent documents)' : 'Document'}
        onKeyDown={onKeyDown}
        onChoose={(documentId) => add({ documentId })}
      >
        {documents?.map(({ id, title }) => [id, title]) ?? []}
      </Choice>
    )
  const field = kind === 'tag' ? 'tags' : 'metadata'
  return (
    <TextAddition
      kind={kind}
      documents={documents}
      onKeyDown={onKeyDown}
      onClose={onClose}
      onAdd={(value) => add({ [field]: [...splitList(narrowing[field]), value].join(', ') })}
    />
  )
}

/** Focuses a field that the person has just asked for. */
function focus(element: HTMLElement | null): void {
  element?.focus()
}

type ChoiceProps = {
  label: string
  children: readonly (readonly [value: string, label: string])[]
  onChoose: (value: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function Choice({ label, children, onChoose, onKeyDown }: ChoiceProps) {
  return (
    <select
      ref={focus}
      aria-label={label}
      onKeyDown={onKeyDown}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{label} …</option>
      {children.map(([value, name]) => (
        <option key={value} value={value} dir="auto">
          {name}
        </option>
      ))}
    </select>
  )
}

type TextAdditionProps = {
  kind: 'tag' | 'metadata'
  documents: readonly MemoryDocument[] | undefined
  onAdd: (value: string) => void
  onClose: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

function TextAddition({ kind, documents, onAdd, onClose, onKeyDown }: TextAdditionProps) {
  const known = useMemo(() => [...new Set((documents ?? []).flatMap((one) => valuesOf(one, kind)))].sort(), [documents])
  const [isWrong, setWrong] = useState(false)
  function add(event: Event) {
    event.preventDefault()
    const value = new FormData(event.currentTarget as HTMLFormElement).get('value')?.toString().trim() ?? ''
    if (value === '') return onClose()
    if (kind === 'metadata' && !/.=./.test(value)) return setWrong(true)
    onAdd(value)
  }
  return (
    <form class="row" onSubmit={add}>
      <input
        name="value"
        class="small"
        dir="auto"
        autocomplete="off"
        list="known-values"
        ref={focus}
        aria-label={kind === 'tag' ? 'Tag' : 'Metadata (name = value)'}
        aria-invalid={isWrong}
        placeholder={kind === 'tag' ? 'Tag' : 'name = value'}
        onKeyDown={onKeyDown}
      />
      <datalist id="known-values">
        {known.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      <button type="submit" class="small">
        Add
      </button>
      {isWrong && (
        <span class="faint" role="alert">
          Write it as name = value
        </span>
      )}
    </form>
  )
}

function valuesOf({ tags, metadata }: MemoryDocument, kind: 'tag' | 'metadata'): string[] {
  return kind === 'tag' ? tags : Object.entries(metadata).map(([name, value]) => `${name} = ${value}`)
}
