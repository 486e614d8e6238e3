import { useState } from 'preact/hooks'
import type { ExtractAnswer } from '../../client/answers.ts'
import type { ExtractedField } from '../../client/findings.ts'
import { useKept } from '../hooks.ts'
import { Guide } from '../parts/empty.tsx'
import { Form } from '../parts/form.tsx'
import { Passage, type Place } from '../reading/passage.tsx'
import { client } from '../session.ts'

const TYPES = ['text', 'date', 'currency', 'number', 'integer', 'percent', 'boolean', 'email', 'phone', 'url', 'list']

const FIRST_FIELDS: readonly Field[] = [{ id: 1, label: '', type: 'text' }]

/** Editor for extraction fields, and the extracted values with their sources. */
export function Extract({ memoryId }: { memoryId: string }) {
  const [fields, setFields] = useKept(`fields of ${memoryId}`, FIRST_FIELDS)
  const [context, setContext] = useKept(`context of ${memoryId}`, '')
  const [answer, setAnswer] = useKept<ExtractAnswer | null>(`values of ${memoryId}`, null)
  const [place, setPlace] = useState<Place | null>(null)
  const change = (id: number, facts: Partial<Field>) =>
    setFields((before) => before.map((field) => (field.id === id ? { ...field, ...facts } : field)))

  const schema = toSchema(fields, context)
  async function extract() {
    if (fields.every(({ label }) => label.trim() === '')) throw new Error('Enter at least one field name.')
    setAnswer(await client.value.extract(memoryId, schema))
  }

  return (
    <>
      <p>
        List the values to extract. Each value has a source; missing values are reported.{' '}
        <Guide name="extraction" of="extraction" />
      </p>
      <Form label="Extract values" action={extract}>
        <fieldset>
          <legend class="hidden">Fields</legend>
          {fields.map((field, index) => (
            <FieldRow
              key={field.id}
              field={field}
              place={index + 1}
              onChange={(facts) => change(field.id, facts)}
              onRemove={fields.length === 1 ? null : () => setFields(fields.filter(({ id }) => id !== field.id))}
            />
          ))}
        </fieldset>
        <button
          type="button"
          onClick={() => setFields([...fields, { id: (fields.at(-1)?.id ?? 0) + 1, label: '', type: 'text' }])}
        >
          Add field
        </button>
        <label>
          Description of the documents <span class="quiet">(optional; also used to find passages)</span>
          <input
            dir="auto"
            value={context}
            autocomplete="off"
            placeholder="Leases of boat houses"
            onInput={(event) => setContext(event.currentTarget.value)}
          />
        </label>
      </Form>
      <details>
        <summary>Schema (JSON)</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keyboard */}
        <pre class="scroll" tabIndex={0}>
          {JSON.stringify(schema, null, 2)}
        </pre>
      </details>
      {answer && <Values answer={answer} onOpen={(at) => setPlace({ memoryId, ...at })} />}
      {place && <Passage place={place} onClose={() => setPlace(null)} />}
    </>
  )
}

/** Row for a field: label, type and a remove button. */
function FieldRow({
  field: { label, type },
  place,
  onChange,
  onRemove,
}: {
  field: Field
  place: number
  onChange: (facts: Partial<Field>) => void
  onRemove: (() => void) | null
}) {
  return (
    <div class="row">
      <label class="wide">
        <span class="hidden">Field {place}</span>
        <input
          dir="auto"
          value={label}
          placeholder="Invoice date, total amount, tenant name …"
          onInput={(event) => onChange({ label: event.currentTarget.value })}
        />
      </label>
      <label>
        <span class="hidden">Type of field {place}</span>
        <select value={type} onChange={(event) => onChange({ type: event.currentTarget.value })}>
          {TYPES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="plain"
        aria-label={`Remove field ${place}`}
        disabled={onRemove === null}
        onClick={() => onRemove?.()}
      >
        ✕
      </button>
    </div>
  )
}

function Values({ answer, onOpen }: { answer: ExtractAnswer; onOpen: (place: Omit<Place, 'memoryId'>) => void }) {
  return (
    <div class="scroll">
      <p role="status">
        {answer.fieldsFound} of {answer.fieldsTotal} found
        {answer.warnings.map(({ message }) => ` · ${message}`)}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Raw value</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {answer.sections.flatMap(({ fields }) =>
            fields.map((field) => <ValueRow key={field.key} field={field} onOpen={onOpen} />),
          )}
        </tbody>
      </table>
    </div>
  )
}

function ValueRow({
  field: { label, found, value, rawValue, confidence, sources },
  onOpen,
}: {
  field: ExtractedField
  onOpen: (place: Omit<Place, 'memoryId'>) => void
}) {
  const [source] = sources
  return (
    <tr>
      <td dir="auto">{label}</td>
      <td data-label="Value">{found ? <bdi>{formatValue(value)}</bdi> : <span class="quiet">not found</span>}</td>
      <td data-label="Raw value">
        <bdi>{rawValue}</bdi> {found && <span class="quiet">({Math.round(confidence * 100)} %)</span>}
      </td>
      <td data-label="Source">
        {source && (
          <button type="button" class="link" onClick={() => onOpen(source)}>
            <bdi>{source.title}</bdi>
            {source.page !== null && `, page ${source.page}`}
          </button>
        )}
      </td>
    </tr>
  )
}

function formatValue(value: ExtractedField['value']): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object') return `${value.amount} ${value.currency ?? ''}`.trim()
  return String(value)
}

/** Row of the editor; `type` is `text` or a `data_type`. */
type Field = { id: number; label: string; type: string }

/** Converts the named rows to a schema, with a unique key per label. */
function toSchema(fields: readonly Field[], context: string) {
  const wanted = fields.filter(({ label }) => label.trim() !== '')
  const keys = wanted.map(({ id, label }) => keyOf(label) || `field_${id}`)
  return {
    sections: [
      {
        id: 'fields',
        name: 'Fields',
        fields: wanted.map(({ id, label, type }, index) => {
          const [key = ''] = keys.slice(index)
          return {
            key: keys.indexOf(key) === index ? key : `${key}_${id}`,
            label: label.trim(),
            ...(type === 'text' ? {} : { data_type: type }),
          }
        }),
      },
    ],
    ...(context.trim() === '' ? {} : { context: context.trim() }),
  }
}

/** Converts a label to a key such as `invoice_date`; empty without letters and digits. */
function keyOf(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
}
