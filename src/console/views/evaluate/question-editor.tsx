import { FileText, Plus, X } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { readQuestions } from '../../../client/client.ts'
import type { KnownQuestion } from '../../../client/findings.ts'
import { pluralize } from '../../format.ts'
import { DocumentPicker } from '../../parts/document-picker.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Table } from '../../parts/table.tsx'
import { client } from '../../session.ts'
import { showToast } from '../../shell/toasts.tsx'

/** Titles of documents by the names that questions use: IDs and external IDs. */
export type Titles = Readonly<Record<string, string>>

/** Rows per page of the editor. */
const PAGE = 50

/** Maximum number of documents per question, as in the service. */
const MAX_EXPECTED = 100

type EditorProps = {
  memoryId: string
  questions: readonly KnownQuestion[]
  titles: Titles
  onChange: (questions: readonly KnownQuestion[], titles?: Titles) => void
}

const BLANK: KnownQuestion = { query: '' }

/** Table of questions with the documents that answer them. Rows of a spreadsheet can be pasted. */
export function QuestionEditor({ memoryId, questions, titles, onChange }: EditorProps) {
  const rows = questions.length === 0 ? [BLANK] : questions
  const last = Math.floor((rows.length - 1) / PAGE)
  const [wanted, setPage] = useState(0)
  const page = Math.min(wanted, last)
  const body = useRef<HTMLTableSectionElement>(null)
  function add() {
    onChange([...rows, BLANK])
    setPage(Math.floor(rows.length / PAGE))
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('tr:last-child input')?.focus())
  }
  async function paste(at: number, text: string) {
    const pasted = await resolvePasted(memoryId, text)
    const isBlank = rows[at]?.query === ''
    onChange(rows.toSpliced(isBlank ? at : at + 1, isBlank ? 1 : 0, ...pasted.questions), pasted.titles)
    showToast(`${pluralize(pasted.questions.length, 'question')} pasted.`, () => onChange(questions))
  }
  return (
    <Table
      look="questions"
      body={body}
      columns={['Question', 'Expected documents', { name: 'Remove', isHidden: true }]}
      foot={
        <div class="table-foot">
          <button type="button" class="quiet small" onClick={add}>
            <Icon of={Plus} /> Add question
          </button>
          {last > 0 && (
            <nav class="row" aria-label="Pages of the questions">
              {page * PAGE + 1}–{Math.min(rows.length, (page + 1) * PAGE)} of {rows.length}
              <button type="button" class="small" disabled={page === 0} onClick={() => setPage(page - 1)}>
                Previous
              </button>
              <button type="button" class="small" disabled={page === last} onClick={() => setPage(page + 1)}>
                Next
              </button>
            </nav>
          )}
        </div>
      }
    >
      {rows.slice(page * PAGE, (page + 1) * PAGE).map((question, index) => {
        const at = page * PAGE + index
        return (
          <Row
            // Rows have no identifier.
            key={at}
            memoryId={memoryId}
            place={at + 1}
            question={question}
            titles={titles}
            onChange={(next, more) => onChange(rows.with(at, next), more)}
            onRemove={() => onChange(rows.toSpliced(at, 1))}
            onPaste={(text) => void paste(at, text)}
            onEnter={add}
          />
        )
      })}
    </Table>
  )
}

type RowProps = {
  memoryId: string
  place: number
  question: KnownQuestion
  titles: Titles
  onChange: (question: KnownQuestion, titles?: Titles) => void
  onRemove: () => void
  onPaste: (text: string) => void
  onEnter: () => void
}

function Row({ memoryId, place, question, titles, onChange, onRemove, onPaste, onEnter }: RowProps) {
  const [isChoosing, setChoosing] = useState(false)
  const chosen = (question.documentIds ?? []).map((id) => ({ id, title: titles[id] ?? id }))
  function pasteRows(event: ClipboardEvent) {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (!/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    onPaste(text)
  }
  function keyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    onEnter()
  }
  return (
    <tr>
      <td>
        <input
          dir="auto"
          aria-label={`Question ${place}`}
          autocomplete="off"
          placeholder="When are refunds paid?"
          value={question.query}
          onInput={(event) => onChange({ ...question, query: event.currentTarget.value })}
          onPaste={pasteRows}
          onKeyDown={keyDown}
        />
      </td>
      <td data-label="Expected documents">
        <div class="tags">
          {namesOf(question).map((name) => (
            <span class="tag" key={name}>
              <bdi class="one-line">{titles[name] ?? name}</bdi>
              <button
                type="button"
                class="plain"
                aria-label={`Remove ${titles[name] ?? name}`}
                onClick={() => onChange(without(question, name))}
              >
                <Icon of={X} />
              </button>
            </span>
          ))}
          <button
            type="button"
            class="quiet small"
            aria-label={`Choose documents of question ${place}`}
            onClick={() => setChoosing(true)}
          >
            <Icon of={FileText} /> Choose
          </button>
        </div>
        {isChoosing && (
          <DocumentPicker
            title="Documents that answer the question"
            memoryId={memoryId}
            chosen={chosen}
            max={MAX_EXPECTED}
            onChoose={(next) => {
              const documentIds = next.map(({ id }) => id)
              onChange({ ...question, documentIds }, Object.fromEntries(next.map(({ id, title }) => [id, title])))
              setChoosing(false)
            }}
            onClose={() => setChoosing(false)}
          />
        )}
      </td>
      <td class="actions">
        <button type="button" class="plain square small" aria-label={`Remove question ${place}`} onClick={onRemove}>
          <Icon of={X} />
        </button>
      </td>
    </tr>
  )
}

/** IDs and external IDs of the documents that answer a question. */
export function namesOf({ documentIds = [], externalIds = [] }: KnownQuestion): string[] {
  return [...documentIds, ...externalIds]
}

function without(question: KnownQuestion, name: string): KnownQuestion {
  const { documentIds = [], externalIds = [], grades = {}, query } = question
  const { [name]: _, ...rest } = grades
  return {
    query,
    documentIds: documentIds.filter((id) => id !== name),
    externalIds: externalIds.filter((id) => id !== name),
    ...(Object.keys(rest).length > 0 ? { grades: rest } : {}),
  }
}

/**
 * Reads pasted lines: JSON, or a question and the names of its documents in further cells. A name
 * is an ID, an external ID or a title.
 */
async function resolvePasted(memoryId: string, text: string): Promise<{ questions: KnownQuestion[]; titles: Titles }> {
  const questions: KnownQuestion[] = []
  const known = new Map<string, Promise<Named>>()
  for (const line of text.split(/\r?\n/).filter((line) => line.trim() !== '')) {
    const [query = '', ...cells] = line.split('\t').map((cell) => cell.trim())
    if (line.startsWith('{')) {
      questions.push(...readQuestions(line))
      continue
    }
    const question: KnownQuestion = { query, documentIds: [], externalIds: [] }
    for (const name of cells.filter(Boolean)) {
      const found = known.get(name) ?? findNamed(memoryId, name)
      known.set(name, found)
      const { id, externalId } = await found
      if (id !== null) question.documentIds?.push(id)
      else question.externalIds?.push(externalId)
    }
    questions.push(question)
  }
  const named = await Promise.all(known.values())
  return { questions, titles: Object.fromEntries(named.map(({ id, externalId, title }) => [id ?? externalId, title])) }
}

/** A document that was named: its ID, or the name as an external ID if there is none. */
type Named = { id: string | null; externalId: string; title: string }

async function findNamed(memoryId: string, name: string): Promise<Named> {
  const list = async (query: { externalId: string } | { title: string }) =>
    (await client.peek().documents.listPage(memoryId, { limit: 20, ...query })).documents
  if (/^doc_\w{26}$/.test(name)) return { id: name, externalId: name, title: name }
  const [external] = await list({ externalId: name })
  if (external !== undefined) return { id: null, externalId: name, title: external.title }
  const titled = await list({ title: name })
  const document = titled.find(({ title }) => title === name) ?? (titled.length === 1 ? titled[0] : undefined)
  return { id: document?.id ?? null, externalId: name, title: document?.title ?? name }
}
