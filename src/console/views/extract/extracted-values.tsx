import { Download, TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { ExtractAnswer } from '../../../client/answers.ts'
import type { ExtractedField } from '../../../client/findings.ts'
import { pluralize } from '../../format.ts'
import { Icon } from '../../parts/icon.tsx'
import { numbers, Table } from '../../parts/table.tsx'
import type { Place } from '../../reading/passage.tsx'

/** Result of a call: of one document, or of the whole memory if `document` is `null`. */
export type Extracted = {
  document: { id: string; title: string } | null
  /** `null` if the document could not be read. */
  answer: ExtractAnswer | null
}

type Opened = Omit<Place, 'memoryId'>
type TableProps = { rows: readonly Extracted[]; opened: Opened | null; onOpen: (place: Opened) => void }
type Foot = { foot: ComponentChildren }

const LABEL = 'Extracted values'

type ValuesProps = TableProps & {
  /** Documents of the run: more than rows until it has ended. */
  documentCount: number
  children: ComponentChildren
}

/** The values, with their confidence and places, and buttons to export them. */
export function ExtractedValues({ rows, documentCount, children, ...places }: ValuesProps) {
  const [only] = rows
  const answers = rows.flatMap(({ answer }) => answer ?? [])
  const sum = (count: (answer: ExtractAnswer) => number) => answers.reduce((total, answer) => total + count(answer), 0)
  const found = sum(({ fieldsFound }) => fieldsFound)
  const total = sum(({ fieldsTotal }) => fieldsTotal)
  const foot = found < total && (
    <p class="table-foot">
      Not found: no passage states a value of this type. Use the words of the documents as the name of a field.
    </p>
  )
  const done = rows.length < documentCount ? `${rows.length} of ` : ''
  return (
    <>
      <header class="head">
        <div class="row">
          <h2>Values</h2>
          <span class="quiet" role="status">
            {found} of {total} found{documentCount > 1 && ` in ${done}${pluralize(documentCount, 'document')}`}
          </span>
        </div>
        <div class="row">
          {children}
          <button type="button" class="small" onClick={() => download('values.csv', 'text/csv', toCsv(rows))}>
            <Icon of={Download} /> CSV
          </button>
          <button type="button" class="small" onClick={() => download('values.json', 'application/json', toJson(rows))}>
            <Icon of={Download} /> JSON
          </button>
        </div>
      </header>
      {rows.length === 1 && only !== undefined ? (
        <FieldTable row={only} {...places} foot={foot} />
      ) : (
        <DocumentTable rows={rows} {...places} foot={foot} />
      )}
      <Warnings answers={answers} />
    </>
  )
}

/** One row per field, for a single result. */
function FieldTable({ row, opened, onOpen, foot }: { row: Extracted } & Omit<TableProps, 'rows'> & Foot) {
  return (
    <Table label={LABEL} columns={['Field', 'Value', 'As written', ...numbers('Confidence'), 'Source']} foot={foot}>
      {listFields(row.answer).map(({ field, warning }) => {
        const [source] = field.sources
        return (
          <tr key={`${field.key} ${field.label}`} aria-selected={isOpen(field, opened)}>
            <td class="named" dir="auto">
              {field.label}
            </td>
            <td data-label="Value">
              <Value field={field} warning={warning} onOpen={onOpen} />
            </td>
            <td data-label="As written" class="quiet">
              <bdi>{field.rawValue}</bdi>
            </td>
            <td data-label="Confidence" class="number">
              {field.found && <Confidence of={field.confidence} />}
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
      })}
    </Table>
  )
}

/** One row per document and one column per field. */
function DocumentTable({ rows, opened, onOpen, foot }: TableProps & Foot) {
  const columns = listFields(rows.find(({ answer }) => answer !== null)?.answer ?? null)
  return (
    <Table
      look="by-document"
      label={LABEL}
      columns={['Document', ...columns.map(({ field: { label } }) => label)]}
      foot={foot}
    >
      {rows.map(({ document, answer }) => (
        <tr key={document?.id}>
          <th scope="row">
            <span class="beginning">
              <bdi>{document?.title}</bdi>
            </span>
          </th>
          {answer === null ? (
            <td colSpan={Math.max(1, columns.length)}>
              <span class="state failed">The document is no longer there</span>
            </td>
          ) : (
            listFields(answer).map(({ field, warning }) => (
              <td
                key={`${field.key} ${field.label}`}
                data-label={field.label}
                class={isOpen(field, opened) ? 'chosen' : ''}
              >
                <span class="with-sureness">
                  <Value field={field} warning={warning} onOpen={onOpen} />
                  {field.found && <Confidence of={field.confidence} />}
                </span>
              </td>
            ))
          )}
        </tr>
      ))}
    </Table>
  )
}

type ValueProps = { field: ExtractedField; warning: string | null; onOpen: (place: Opened) => void }

/** A value opens its place; a missing one says why, if the service gave a reason. */
function Value({ field, warning, onOpen }: ValueProps) {
  const { found, rawValue, sources } = field
  const [source] = sources
  const note = warning === null ? null : <Icon of={TriangleAlert} label={warning} />
  if (!found) {
    return (
      <span class="missing" title={warning ?? 'No passage states a value of this type.'}>
        {note}
        not found
      </span>
    )
  }
  if (source === undefined) return <bdi>{formatValue(field)}</bdi>
  return (
    <button type="button" class="value" title={`As written: ${rawValue}`} onClick={() => onOpen(source)}>
      <bdi>{formatValue(field)}</bdi>
      {note}
    </button>
  )
}

/** Confidence below which a value is worth a look. */
const LOW = 0.6

function Confidence({ of }: { of: number }) {
  return (
    <span class={of < LOW ? 'sure low' : 'sure'} title="Confidence">
      {Math.round(of * 100)} %
    </span>
  )
}

/** Warnings of the calls, each once; one line for the fields with several values. */
function Warnings({ answers }: { answers: readonly ExtractAnswer[] }) {
  const warnings = answers.flatMap((answer) => answer.warnings)
  const isPlural = ({ code }: { code: string }) => code === 'several_values'
  const messages = new Set(warnings.filter((warning) => !isPlural(warning)).map(({ message }) => message))
  const hasSeveral = warnings.some(isPlural)
  if (messages.size === 0 && !hasSeveral) return null
  return (
    <ul class="quiet warnings">
      {hasSeveral && (
        <li>
          <Icon of={TriangleAlert} /> The documents contain several values for these fields; the best match is shown.
          {answers.length === 1 && ' Choose “Each document” to see the value of each.'}
        </li>
      )}
      {[...messages].map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  )
}

/** Fields of all sections with the warning that names them. */
function listFields(answer: ExtractAnswer | null): { field: ExtractedField; warning: string | null }[] {
  return (answer?.sections ?? []).flatMap(({ fields }, place) =>
    fields.map((field, index) => {
      const param = `sections[${place}].fields[${index}]`
      return { field, warning: answer?.warnings.find((warning) => warning.param === param)?.message ?? null }
    }),
  )
}

function isOpen({ sources: [source] }: ExtractedField, opened: Opened | null): boolean {
  return (
    source !== undefined &&
    source.chunkId === (opened as { chunkId?: string } | null)?.chunkId &&
    source.startOffset === opened?.startOffset
  )
}

/** A value for people. */
function formatValue({ value, data_type }: ExtractedField): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return value.toLocaleString() + (data_type === 'percent' ? ' %' : '')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const amount = value.amount.toLocaleString(undefined, { minimumFractionDigits: 2 })
    return value.currency === null ? amount : `${amount} ${value.currency}`
  }
  return toText(value)
}

/** A value for a cell of a CSV file: numbers without grouping. */
function toText(value: ExtractedField['value']): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.join('; ')
  if (typeof value === 'object') return `${value.amount} ${value.currency ?? ''}`.trim()
  return String(value)
}

/**
 * Rows as CSV (RFC 4180). A text that begins like a formula gets an apostrophe, because
 * spreadsheets would run it (OWASP, "CSV injection"). The byte order mark is for spreadsheets.
 */
function toCsv(rows: readonly Extracted[]): string {
  const columns = listFields(rows.find(({ answer }) => answer !== null)?.answer ?? null)
  const lines = rows.map(({ document, answer }) => [
    document?.title ?? 'Whole memory',
    ...listFields(answer).map(({ field: { value } }) => toText(value)),
  ])
  const cells = [['Document', ...columns.map(({ field: { label } }) => label)], ...lines]
  return `\ufeff${cells.map((line) => line.map(toCell).join(',')).join('\r\n')}\r\n`
}

function toCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.]+$/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function toJson(rows: readonly Extracted[]): string {
  const results = rows.map(({ document, answer }) => ({
    documentId: document?.id ?? null,
    title: document?.title ?? null,
    values: answer?.values ?? null,
    sections: answer?.sections ?? null,
  }))
  return `${JSON.stringify(results, null, 2)}\n`
}

function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address))
}
