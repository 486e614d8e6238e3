import { readQuestions } from '../../client/client.ts'
import type { Evaluation } from '../../client/findings.ts'
import { pluralize } from '../format.ts'
import { useKept, useLoad } from '../hooks.ts'
import { Guide } from '../parts/empty.tsx'
import { EvaluationTables } from '../parts/evaluation-tables.tsx'
import { DocumentOptions, MODES, type Mode } from '../parts/filters.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { SAMPLE_QUESTIONS } from '../sample.ts'
import { client } from '../session.ts'

/** Runs known questions, compares the search modes, and lists the worst questions first. */
export function Evaluate({ memoryId, isSample }: { memoryId: string; isSample: boolean }) {
  const [lines, setLines] = useKept(`questions of ${memoryId}`, '')
  const [done, setDone] = useKept(`asked of ${memoryId}`, 0)
  const [evaluation, setEvaluation] = useKept<Evaluation | null>(`evaluation of ${memoryId}`, null)

  async function evaluate(fields: FormData) {
    const modes = fields.getAll('modes') as Mode[]
    const topK = Number(textOf(fields, 'topK'))
    if (modes.length === 0) throw new Error('Select at least one mode.')
    setDone(0)
    setEvaluation(null)
    setEvaluation(await client.value.evaluate(memoryId, readQuestions(lines), { modes, topK, onProgress: setDone }))
  }

  return (
    <>
      <p>
        Measure search quality with questions whose answers you know. It does not count towards your quota.{' '}
        <Guide name="evaluation" of="evaluations" />
      </p>
      {isSample && (
        <button type="button" onClick={() => setLines(SAMPLE_QUESTIONS)}>
          Use sample questions
        </button>
      )}
      <AddQuestion
        memoryId={memoryId}
        onAdd={(line) => setLines((before) => `${before.trimEnd()}\n${line}`.trimStart())}
      />
      <Form label="Run evaluation" action={evaluate}>
        <label>
          Questions <span class="quiet">(one per line, as added above; or a question, a tab, and document IDs)</span>
          <textarea
            name="questions"
            rows={6}
            required
            spellcheck={false}
            value={lines}
            placeholder={'{"query":"When are refunds paid?","externalIds":["handbook"]}'}
            onInput={(event) => setLines(event.currentTarget.value)}
          />
        </label>
        <label>
          From a file{' '}
          <input
            type="file"
            accept=".jsonl,.ndjson,.json,.tsv,.txt"
            onChange={(event) => void event.currentTarget.files?.[0]?.text().then(setLines)}
          />
        </label>
        <Choices />
      </Form>
      {evaluation === null && done > 0 && <p role="status">{pluralize(done, 'question')} done …</p>}
      {evaluation && <EvaluationTables memoryId={memoryId} evaluation={evaluation} />}
    </>
  )
}

/** Form for a question and its document, without typing an ID. */
function AddQuestion({ memoryId, onAdd }: { memoryId: string; onAdd: (line: string) => void }) {
  const documents = useLoad(
    (signal) => client.value.documents.listPage(memoryId, { limit: 100 }, { signal }),
    [memoryId],
  )
  async function add(fields: FormData) {
    onAdd(JSON.stringify({ query: textOf(fields, 'query'), documentIds: [textOf(fields, 'documentId')] }))
  }
  return (
    <Form label="Add question" look="quiet" clears action={add}>
      <Notice error={documents.error} onRetry={documents.reload} />
      <div class="asking">
        <label class="wide">
          Question
          <input name="query" dir="auto" required autocomplete="off" />
        </label>
        <label class="wide">
          Answered by <span class="quiet">(recent documents)</span>
          <select name="documentId" required>
            <option value="">Choose a document</option>
            <DocumentOptions documents={documents.value?.documents} />
          </select>
        </label>
      </div>
    </Form>
  )
}

function Choices() {
  return (
    <div class="asking">
      <fieldset class="wide">
        <legend>Modes to compare</legend>
        <div class="row">
          {Object.entries(MODES).map(([mode, label]) => (
            <label class="choice" key={mode}>
              <input type="checkbox" name="modes" value={mode} defaultChecked={mode !== 'auto'} /> {label}
            </label>
          ))}
        </div>
      </fieldset>
      <label>
        Documents to evaluate
        <input type="number" name="topK" min={1} max={100} defaultValue={10} required />
      </label>
    </div>
  )
}
