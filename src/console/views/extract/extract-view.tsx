import { FileText, Square, X } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { RecollectError } from '../../../client/client-errors.ts'
import { useKept, useStored } from '../../hooks.ts'
import { CopyAs } from '../../parts/copy-as.tsx'
import { type Chosen, DocumentPicker } from '../../parts/document-picker.tsx'
import { Guide } from '../../parts/empty.tsx'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { nameOfPlace, Passage, type Place } from '../../reading/passage.tsx'
import { closeBeside, openBeside, opened } from '../../route.ts'
import { client } from '../../session.ts'
import { type Extracted, ExtractedValues } from './extracted-values.tsx'
import { type Field, type Schema, toSchema } from './schema.ts'
import { SchemaBuilder } from './schema-builder.tsx'

const FIRST_FIELDS: readonly Field[] = [{ id: 1, label: '', type: 'text' }]

/** Documents of one run: each is a call. */
const MAX_DOCUMENTS = 200

/** Chosen documents shown by name. */
const MAX_NAMED = 8

/** Rows of the last run, and the documents that it was for: more than rows if it did not end. */
type Results = { rows: readonly Extracted[]; documentCount: number }

const NO_RESULTS: Results = { rows: [], documentCount: 0 }

/** Builds a schema, fills it from the memory or from each chosen document, and shows the values. */
export function Extract({ memoryId }: { memoryId: string }) {
  const [fields, setFields] = useStored(`fields of ${memoryId}`, FIRST_FIELDS)
  const [context, setContext] = useStored(`context of ${memoryId}`, '')
  const [chosen, setChosen] = useStored<readonly Chosen[] | null>(`extracted documents of ${memoryId}`, null)
  const { rows, documentCount, run, start } = useRun(memoryId)
  // The same while it is open, so that the pane does not scroll again.
  const place = useMemo(() => findPlace(memoryId, rows, opened.value), [memoryId, rows, opened.value])
  const results = useRef<HTMLElement>(null)
  const isThere = rows.length > 0
  // Results that are there when the view opens do not move it.
  const wasThere = useRef(isThere)
  useEffect(() => {
    if (isThere && !wasThere.current) results.current?.scrollIntoView({ block: 'start' })
    wasThere.current = isThere
  }, [isThere])

  async function extract() {
    if (fields.every(({ label }) => label.trim() === '')) throw new Error('Enter at least one field name.')
    if (chosen?.length === 0) throw new Error('Choose the documents, or extract from the whole memory.')
    if (place !== null) closeBeside()
    await start(toSchema(fields, context), chosen)
  }

  return (
    <>
      <p class="quiet lead">
        List the values to extract. Each value has a source; missing values are reported.{' '}
        <Guide name="extraction" of="extraction" />
      </p>
      <div class="extraction">
        <SchemaBuilder fields={fields} context={context} onFields={setFields} onContext={setContext} />
        <section class="card" aria-label="Documents to extract from">
          <Documents memoryId={memoryId} chosen={chosen} onChange={setChosen} />
          <Form label="Extract values" action={extract} />
          {run !== null && <Progress run={run} />}
        </section>
      </div>
      {isThere && (
        <section class="results" ref={results} aria-label="Results">
          <div class={place === null ? '' : 'with-pane'}>
            <div>
              <ExtractedValues
                rows={rows}
                documentCount={documentCount}
                opened={place}
                onOpen={(at) => openBeside(nameOfPlace(at))}
              >
                <CopyAs sample={sampleOf(memoryId, toSchema(fields, context), chosen)} />
              </ExtractedValues>
            </div>
            {place && <Passage place={place} onClose={closeBeside} />}
          </div>
        </section>
      )}
    </>
  )
}

/** The source of a value that the address names. */
function findPlace(memoryId: string, rows: readonly Extracted[], name: string | null): Place | null {
  if (name === null) return null
  const fields = rows.flatMap(({ answer }) => answer?.sections.flatMap((section) => section.fields) ?? [])
  const source = fields.flatMap(({ sources }) => sources).find((at) => nameOfPlace(at) === name)
  if (source === undefined) return null
  return { ...source, memoryId, marks: [{ start: source.startOffset, end: source.endOffset }] }
}

/** The call as code: of the first chosen document, or of the whole memory. */
function sampleOf(memoryId: string, schema: Schema, chosen: readonly Chosen[] | null) {
  const [first] = chosen ?? []
  const options = first === undefined ? {} : filterOf(first)
  const { sections, ...context } = schema
  const body = { ...schema, ...(first === undefined ? {} : { options }) }
  return {
    method: 'POST',
    path: `/v1/memories/${memoryId}/extract`,
    body,
    typescript: ['extract', memoryId, body],
    python: ['extract', memoryId, sections, { ...context, ...options }],
  } as const
}

function filterOf({ id }: Chosen) {
  return { filter: { documentIds: [id] } }
}

type Run = { done: number; total: number; stop: () => void }

function Progress({ run: { done, total, stop } }: { run: Run }) {
  return (
    <div class="row" role="status">
      <progress value={done} max={total} aria-label="Documents done" />
      <span class="quiet">
        {done} of {total}
      </span>
      <button type="button" class="small" onClick={stop}>
        <Icon of={Square} /> Stop
      </button>
    </div>
  )
}

/** Runs the calls one by one. A run continues in other views; a stopped run keeps its rows. */
function useRun(memoryId: string) {
  const [results, setResults] = useStored(`results of ${memoryId}`, NO_RESULTS)
  const [run, setRun] = useKept<Run | null>(`extraction of ${memoryId}`, null)
  async function start(schema: Schema, chosen: readonly Chosen[] | null) {
    const leaving = new AbortController()
    const documents = chosen ?? [null]
    setResults({ rows: [], documentCount: documents.length })
    try {
      for (const [done, document] of documents.entries()) {
        setRun({ done, total: documents.length, stop: () => leaving.abort() })
        const row = await extractOne(memoryId, { schema, document }, leaving.signal)
        setResults((before) => ({ ...before, rows: [...before.rows, row] }))
      }
    } catch (error) {
      if (!leaving.signal.aborted) throw error
    } finally {
      setRun(null)
    }
  }
  return { ...results, run, start }
}

async function extractOne(
  memoryId: string,
  { schema, document }: { schema: Schema; document: Chosen | null },
  signal: AbortSignal,
): Promise<Extracted> {
  const options = document === null ? {} : { options: filterOf(document) }
  try {
    return { document, answer: await client.peek().extract(memoryId, { ...schema, ...options }, { signal }) }
  } catch (error) {
    if (document !== null && error instanceof RecollectError && error.status === 404) return { document, answer: null }
    throw error
  }
}

type DocumentsProps = {
  memoryId: string
  /** `null` for the whole memory. */
  chosen: readonly Chosen[] | null
  onChange: (chosen: readonly Chosen[] | null) => void
}

/** The choice between the whole memory and single documents. */
function Documents({ memoryId, chosen, onChange }: DocumentsProps) {
  const [isChoosing, setChoosing] = useState(false)
  const [before, setBefore] = useState<readonly Chosen[]>([])
  function chooseAll() {
    setBefore(chosen ?? [])
    onChange(null)
  }
  return (
    <fieldset class="stack">
      <legend class="hidden">Documents</legend>
      <h2>Documents</h2>
      <label class="choice">
        <input type="radio" name="from" checked={chosen === null} onChange={chooseAll} />
        <span>
          Whole memory <span class="hint">the best value of all documents</span>
        </span>
      </label>
      <label class="choice">
        <input type="radio" name="from" checked={chosen !== null} onChange={() => onChange(before)} />
        <span>
          Each document <span class="hint">one row per document</span>
        </span>
      </label>
      {chosen !== null && (
        <>
          <div class="tags">
            {chosen.slice(0, MAX_NAMED).map(({ id, title }) => (
              <span class="tag" key={id}>
                <bdi class="one-line">{title}</bdi>
                <button
                  type="button"
                  class="plain"
                  aria-label={`Remove ${title}`}
                  onClick={() => onChange(chosen.filter((document) => document.id !== id))}
                >
                  <Icon of={X} />
                </button>
              </span>
            ))}
            {chosen.length > MAX_NAMED && <span class="quiet">and {chosen.length - MAX_NAMED} more</span>}
          </div>
          <button type="button" onClick={() => setChoosing(true)}>
            <Icon of={FileText} /> Choose documents
          </button>
        </>
      )}
      {isChoosing && (
        <DocumentPicker
          title="Choose documents"
          memoryId={memoryId}
          chosen={chosen ?? []}
          max={MAX_DOCUMENTS}
          onChoose={(next) => {
            onChange(next)
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </fieldset>
  )
}
