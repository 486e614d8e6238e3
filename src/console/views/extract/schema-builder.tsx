import { ChevronDown, FileText, GripVertical, LayoutTemplate, Plus, X } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Notice } from '../../parts/notice.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { type Field, fieldsOf, readSchema, TEMPLATES, TYPES, toSchema } from './schema.ts'

type BuilderProps = {
  fields: readonly Field[]
  context: string
  onFields: (fields: readonly Field[]) => void
  onContext: (context: string) => void
}

/** Editor of a schema: as rows, or as JSON. */
export function SchemaBuilder({ fields, context, onFields, onContext }: BuilderProps) {
  const [isJson, setJson] = useState(false)
  const apply = (next: { fields: readonly Field[]; context: string }) => {
    onFields(next.fields)
    onContext(next.context)
  }
  function take(name: string) {
    const template = TEMPLATES[name]
    if (template === undefined) return
    const before = { fields, context }
    apply({ fields: fieldsOf(template), context: template.context })
    const isBlank = fields.every(({ label }) => label === '')
    showToast(`Fields of the template “${name}”.`, isBlank ? undefined : () => apply(before))
  }
  return (
    <section class="card builder" aria-label="Schema">
      <header class="row">
        <h2>Fields</h2>
        <Menu
          label="Use a template"
          look="quiet small"
          entries={Object.keys(TEMPLATES).map((name) => ({ label: name, icon: FileText, onSelect: () => take(name) }))}
        >
          <Icon of={LayoutTemplate} /> Templates <Icon of={ChevronDown} />
        </Menu>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, these buttons do not */}
        <div class="segmented" role="group" aria-label="Editor">
          <button type="button" aria-pressed={!isJson} onClick={() => setJson(false)}>
            Rows
          </button>
          <button type="button" aria-pressed={isJson} onClick={() => setJson(true)}>
            JSON
          </button>
        </div>
      </header>
      {isJson ? (
        <SchemaText fields={fields} context={context} onChange={apply} />
      ) : (
        <>
          <FieldRows fields={fields} onChange={onFields} />
          <label>
            <span>
              Description of the documents <span class="hint">optional, also used to find passages</span>
            </span>
            <input
              dir="auto"
              value={context}
              autocomplete="off"
              placeholder="Leases of boat houses"
              onInput={(event) => onContext(event.currentTarget.value)}
            />
          </label>
        </>
      )}
    </section>
  )
}

/** The schema as JSON, to copy, edit or paste. A valid schema replaces the rows. */
function SchemaText({
  fields,
  context,
  onChange,
}: {
  fields: readonly Field[]
  context: string
  onChange: (next: { fields: Field[]; context: string }) => void
}) {
  const [text, setText] = useState(() => JSON.stringify(toSchema(fields, context), null, 2))
  const [error, setError] = useState<unknown>(null)
  function change(next: string) {
    setText(next)
    try {
      onChange(readSchema(next))
      setError(null)
    } catch (caught) {
      setError(caught)
    }
  }
  return (
    <>
      <label>
        <span>
          Schema (JSON) <span class="hint">as in the body of an extraction; paste another to use it</span>
        </span>
        <textarea
          class="code"
          rows={14}
          spellcheck={false}
          value={text}
          onInput={(event) => change(event.currentTarget.value)}
        />
      </label>
      <Notice error={error} />
    </>
  )
}

/** Rows of the fields. A row moves by dragging its handle, or by the arrow keys on it. */
function FieldRows({ fields, onChange }: { fields: readonly Field[]; onChange: (fields: readonly Field[]) => void }) {
  const list = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const [news, setNews] = useState('')
  function move(from: number, to: number) {
    const field = fields[from]
    if (field === undefined || to < 0 || to >= fields.length || to === from) return
    onChange(fields.toSpliced(from, 1).toSpliced(to, 0, field))
    setNews(`${field.label || 'Field'} is now field ${to + 1} of ${fields.length}.`)
  }
  useDrag(dragged !== null, {
    onMove(event) {
      const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
      const to = rows.findIndex(({ bottom }) => event.clientY < bottom)
      move(
        fields.findIndex(({ id }) => id === dragged),
        to < 0 ? fields.length - 1 : to,
      )
    },
    onEnd: () => setDragged(null),
  })
  function add() {
    onChange([...fields, { id: Math.max(0, ...fields.map(({ id }) => id)) + 1, label: '', type: 'text' }])
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus())
  }
  return (
    <fieldset>
      <legend class="hidden">Fields</legend>
      <ul class="fields" ref={list}>
        {fields.map((field, index) => (
          <FieldRow
            key={field.id}
            field={field}
            place={index + 1}
            isDragged={field.id === dragged}
            onDrag={() => setDragged(field.id)}
            onMove={(step) => move(index, index + step)}
            onChange={(facts) => onChange(fields.with(index, { ...field, ...facts }))}
            onRemove={fields.length === 1 ? null : () => onChange(fields.toSpliced(index, 1))}
            onEnter={add}
          />
        ))}
      </ul>
      <span class="hidden" role="status">
        {news}
      </span>
      <button type="button" class="quiet" onClick={add}>
        <Icon of={Plus} /> Add field
      </button>
    </fieldset>
  )
}

/** Follows the pointer while something is dragged, wherever it is. */
function useDrag(isOn: boolean, calls: { onMove: (event: PointerEvent) => void; onEnd: () => void }): void {
  const latest = useRef(calls)
  latest.current = calls
  useEffect(() => {
    if (!isOn) return
    const over = new AbortController()
    const { signal } = over
    addEventListener('pointermove', (event) => latest.current.onMove(event), { signal })
    for (const end of ['pointerup', 'pointercancel'] as const) {
      addEventListener(end, () => latest.current.onEnd(), { signal })
    }
    return () => over.abort()
  }, [isOn])
}

type RowProps = {
  field: Field
  place: number
  isDragged: boolean
  onDrag: () => void
  onMove: (step: number) => void
  onChange: (facts: Partial<Field>) => void
  onRemove: (() => void) | null
  onEnter: () => void
}

/** Row for a field: handle, label, type and a remove button. */
function FieldRow({ field: { label, type }, place, onChange, onRemove, onEnter, ...handle }: RowProps) {
  function keyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    onEnter()
  }
  return (
    <li class={handle.isDragged ? 'dragged' : ''}>
      <Handle place={place} {...handle} />
      <label class="wide">
        <span class="hidden">Field {place}</span>
        <input
          dir="auto"
          value={label}
          maxLength={500}
          autocomplete="off"
          placeholder="Invoice date, total amount, tenant name …"
          onInput={(event) => onChange({ label: event.currentTarget.value })}
          onKeyDown={keyDown}
        />
      </label>
      <label>
        <span class="hidden">Type of field {place}</span>
        <select value={type} onChange={(event) => onChange({ type: event.currentTarget.value })}>
          {!Object.hasOwn(TYPES, type) && <option value={type}>{type}</option>}
          {Object.entries(TYPES).map(([name, shown]) => (
            <option key={name} value={name}>
              {shown}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="plain square"
        aria-label={`Remove field ${place}`}
        title="Remove"
        disabled={onRemove === null}
        onClick={() => onRemove?.()}
      >
        <Icon of={X} />
      </button>
    </li>
  )
}

/** Handle that moves a row: by pointer, or by the arrow keys while it has the focus. */
function Handle({ place, onDrag, onMove }: Pick<RowProps, 'place' | 'onDrag' | 'onMove'>) {
  function keyDown(event: KeyboardEvent) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    onMove(step)
  }
  return (
    <button
      type="button"
      class="plain handle"
      aria-label={`Move field ${place}`}
      title="Drag, or press the arrow keys"
      onPointerDown={onDrag}
      onKeyDown={keyDown}
    >
      <Icon of={GripVertical} />
    </button>
  )
}
