import { FileUp, Square } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { readQuestions } from '../../../client/client.ts'
import type { Evaluation, KnownQuestion } from '../../../client/findings.ts'
import { formatTime, pluralize } from '../../format.ts'
import { useKept, useStored } from '../../hooks.ts'
import { Guide } from '../../parts/empty.tsx'
import { MODES, type Mode } from '../../parts/filters.tsx'
import { Form, textOf } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { SAMPLE_QUESTIONS } from '../../sample.ts'
import { client } from '../../session.ts'
import { ModeTable } from './mode-table.tsx'
import { namesOf, QuestionEditor, type Titles } from './question-editor.tsx'
import { QuestionTable } from './question-table.tsx'

/** Questions per request: a request takes some seconds, after which the progress is shown. */
const BATCH = 20

/** Runs that are kept in the browser, newest first. */
const MAX_RUNS = 8

/** Ranks that are kept of all runs, about 1 MB. Older runs are dropped beyond. */
const MAX_RANKS = 8000

/** A finished evaluation. */
type Run = { at: string; evaluation: Evaluation }

const NO_QUESTIONS: readonly KnownQuestion[] = []
const NO_RUNS: readonly Run[] = []
const NO_TITLES: Titles = {}

/** Runs known questions, compares modes and runs, and lists failing questions first. */
export function Evaluate({ memoryId, isSample }: { memoryId: string; isSample: boolean }) {
  const [questions, setQuestions] = useStored(`questions of ${memoryId}`, NO_QUESTIONS)
  const [titles, setTitles] = useStored(`titles of ${memoryId}`, NO_TITLES)
  // Lines that are edited as text; `null` while the table is edited.
  const [lines, setLines] = useStored<string | null>(`question lines of ${memoryId}`, null)
  const { runs, progress, start } = useRuns(memoryId)
  const change = (next: readonly KnownQuestion[], more: Titles = NO_TITLES) => {
    setQuestions(next)
    setTitles((before) => ({ ...before, ...more }))
  }
  function takeLines(text: string) {
    setLines(text)
    const read = tryToRead(text)
    if (read !== null) setQuestions(read)
  }
  async function evaluate(fields: FormData) {
    const modes = fields.getAll('modes') as Mode[]
    if (modes.length === 0) throw new Error('Select at least one mode.')
    const asked = lines === null ? checkQuestions(questions) : readQuestions(lines)
    if (asked.length === 0) throw new Error('Enter at least one question and a document that answers it.')
    await start(asked, { modes, topK: Number(textOf(fields, 'topK')) })
  }
  const expected = new Map(questions.map((question) => [question.query.slice(0, 500), namesOf(question)]))
  return (
    <>
      <p class="quiet lead">
        Measure search quality with questions whose answers you know. It does not count towards your quota; looking up
        what was found instead does. <Guide name="evaluation" of="evaluations" />
      </p>
      <Toolbar
        lines={lines}
        questions={questions}
        isSample={isSample}
        onLines={setLines}
        onTake={(text) => (lines === null && tryToRead(text) !== null ? change(readQuestions(text)) : takeLines(text))}
      />
      {lines === null ? (
        <QuestionEditor memoryId={memoryId} questions={questions} titles={titles} onChange={change} />
      ) : (
        <label>
          <span>
            Questions <span class="hint">one JSON object per line; or a question, a tab, and document IDs</span>
          </span>
          <textarea
            class="code"
            rows={10}
            spellcheck={false}
            value={lines}
            placeholder={'{"query":"When are refunds paid?","externalIds":["handbook"]}'}
            onInput={(event) => takeLines(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="run-form">
        <Form label="Run evaluation" action={evaluate}>
          <Choices />
        </Form>
        {progress !== null && (
          <div class="row" role="status">
            <progress value={progress.done} max={progress.total} aria-label="Questions done" />
            <span class="quiet">
              {progress.done} of {pluralize(progress.total, 'question')}
            </span>
            <button type="button" class="small" onClick={progress.stop}>
              <Icon of={Square} /> Stop
            </button>
          </div>
        )}
      </div>
      {runs.length > 0 && (
        <Results
          memoryId={memoryId}
          runs={runs}
          namesOf={(query) => (expected.get(query) ?? []).map((name) => titles[name] ?? name)}
        />
      )}
    </>
  )
}

type Progress = { done: number; total: number; stop: () => void }
type Asked = { modes: Mode[]; topK: number }

/** The last runs, and the one in progress, which continues in other views. */
function useRuns(memoryId: string) {
  const [runs, setRuns] = useStored(`evaluations of ${memoryId}`, NO_RUNS)
  const [progress, setProgress] = useKept<Progress | null>(`evaluation of ${memoryId}`, null)
  async function start(questions: readonly KnownQuestion[], asked: Asked) {
    const leaving = new AbortController()
    const { signal } = leaving
    const onProgress = (done: number) => setProgress({ done, total: questions.length, stop: () => leaving.abort() })
    onProgress(0)
    try {
      const options = { ...asked, signal, batchSize: BATCH, onProgress }
      const evaluation = await client.peek().evaluate(memoryId, questions, options)
      setRuns((before) => trim([{ at: new Date().toISOString(), evaluation }, ...before]))
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      setProgress(null)
    }
  }
  return { runs, progress, start }
}

/** The newest runs that the storage of a browser has room for; always the newest one. */
function trim(runs: readonly Run[]): readonly Run[] {
  let ranks = 0
  return runs.slice(0, MAX_RUNS).filter(({ evaluation }, index) => {
    ranks += evaluation.perQuestion.length
    return index === 0 || ranks <= MAX_RANKS
  })
}

/** Questions of the table without its empty rows. Throws if one is half complete. */
function checkQuestions(questions: readonly KnownQuestion[]): KnownQuestion[] {
  return questions.flatMap((question, index) => {
    const hasQuery = question.query.trim() !== ''
    const hasNames = namesOf(question).length > 0
    if (!hasQuery && !hasNames) return []
    if (!hasQuery) throw new Error(`Question ${index + 1} is empty.`)
    if (!hasNames) throw new Error(`Choose the documents that answer question ${index + 1}.`)
    const { query, documentIds = [], externalIds = [], grades } = question
    return {
      query: query.trim(),
      ...(documentIds.length > 0 ? { documentIds } : {}),
      ...(externalIds.length > 0 ? { externalIds } : {}),
      ...(grades === undefined ? {} : { grades }),
    }
  })
}

/** The questions, or `null` if a line is malformed. */
function tryToRead(text: string): KnownQuestion[] | null {
  try {
    return readQuestions(text)
  } catch {
    return null
  }
}

function toLines(questions: readonly KnownQuestion[]): string {
  return questions
    .filter((question) => question.query !== '' || namesOf(question).length > 0)
    .map((question) => JSON.stringify(question))
    .join('\n')
}

type ToolbarProps = {
  lines: string | null
  questions: readonly KnownQuestion[]
  isSample: boolean
  onLines: (lines: string | null) => void
  onTake: (text: string) => void
}

function Toolbar({ lines, questions, isSample, onLines, onTake }: ToolbarProps) {
  const file = useRef<HTMLInputElement>(null)
  const isWrong = lines !== null && tryToRead(lines) === null
  return (
    <div class="toolbar">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, these buttons do not */}
      <div class="segmented" role="group" aria-label="Editor">
        <button
          type="button"
          aria-pressed={lines === null}
          disabled={isWrong}
          title={isWrong ? 'A line is malformed. Run the evaluation to see which.' : ''}
          onClick={() => onLines(null)}
        >
          Table
        </button>
        <button type="button" aria-pressed={lines !== null} onClick={() => onLines(lines ?? toLines(questions))}>
          JSONL
        </button>
      </div>
      <span class="quiet">
        {lines === null && 'Rows of a spreadsheet can be pasted: a question, then titles or IDs of documents.'}
      </span>
      <div class="row end">
        {isSample && (
          <button type="button" class="small" onClick={() => onTake(SAMPLE_QUESTIONS)}>
            Use sample questions
          </button>
        )}
        <input
          ref={file}
          type="file"
          hidden
          aria-label="File with questions"
          accept=".jsonl,.ndjson,.json,.tsv,.txt"
          onChange={(event) => void event.currentTarget.files?.[0]?.text().then(onTake)}
        />
        <button type="button" class="small" onClick={() => file.current?.click()}>
          <Icon of={FileUp} /> From a file
        </button>
      </div>
    </div>
  )
}

function Choices() {
  return (
    <div class="row">
      <fieldset>
        <legend class="hidden">Modes to compare</legend>
        <div class="row">
          {Object.entries(MODES).map(([mode, label]) => (
            <label class="choice" key={mode}>
              <input type="checkbox" name="modes" value={mode} defaultChecked={mode !== 'auto'} /> {label}
            </label>
          ))}
        </div>
      </fieldset>
      <label class="choice">
        Documents to evaluate
        <input type="number" name="topK" min={1} max={100} defaultValue={10} required />
      </label>
    </div>
  )
}

type ResultsProps = { memoryId: string; runs: readonly Run[]; namesOf: (query: string) => readonly string[] }

/** A run, the newest by default, and its differences to another one. */
function Results({ memoryId, runs, namesOf }: ResultsProps) {
  const [shownAt, setShownAt] = useState('')
  const [beforeAt, setBeforeAt] = useState('')
  const newest = runs[0]?.at ?? ''
  const heading = useRef<HTMLElement>(null)
  const seen = useRef(newest)
  useEffect(() => {
    if (seen.current === newest) return
    seen.current = newest
    setShownAt('')
    heading.current?.scrollIntoView({ block: 'start' })
  }, [newest])
  const shown = runs.find(({ at }) => at === shownAt) ?? runs[0]
  const before = runs.find(({ at }) => at === beforeAt && at !== shown?.at) ?? null
  if (shown === undefined) return null
  const { evaluation } = shown
  const messages = new Set(evaluation.warnings.map(({ message }) => message))
  return (
    <section class="results" ref={heading} aria-label="Results">
      <header class="toolbar">
        <h2>Results</h2>
        <span class="quiet" role="status">
          {pluralize(evaluation.questions, 'question')} · first {pluralize(evaluation.topK, 'document')} per question
        </span>
        {runs.length > 1 && (
          <div class="row end">
            <RunSelect label="Run" runs={runs} value={shown.at} onChange={setShownAt} />
            <RunSelect
              label="Compare with"
              none="No other run"
              runs={runs.filter(({ at }) => at !== shown.at)}
              value={before?.at ?? ''}
              onChange={setBeforeAt}
            />
          </div>
        )}
      </header>
      {before !== null && !haveSameQuestions(evaluation, before.evaluation) && (
        <p class="notice warn">The runs have different questions, so their means cannot be compared well.</p>
      )}
      <ModeTable evaluation={evaluation} before={before?.evaluation ?? null} />
      {[...messages].map((message) => (
        <p class="quiet" key={message}>
          {message}
        </p>
      ))}
      <QuestionTable
        key={shown.at}
        memoryId={memoryId}
        evaluation={evaluation}
        before={before?.evaluation ?? null}
        namesOf={namesOf}
      />
    </section>
  )
}

function haveSameQuestions(one: Evaluation, other: Evaluation): boolean {
  const queriesOf = ({ perQuestion }: Evaluation) => new Set(perQuestion.map(({ query }) => query))
  const [queries, others] = [queriesOf(one), queriesOf(other)]
  return queries.size === others.size && [...queries].every((query) => others.has(query))
}

type SelectProps = {
  label: string
  runs: readonly Run[]
  value: string
  /** Label of the choice of no run. */
  none?: string
  onChange: (at: string) => void
}

function RunSelect({ label, runs, value, none, onChange }: SelectProps) {
  return (
    <label class="choice">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {runs.map(({ at, evaluation }) => (
          <option key={at} value={at}>
            {formatTime(at)}, {pluralize(evaluation.questions, 'question')}
          </option>
        ))}
      </select>
    </label>
  )
}
