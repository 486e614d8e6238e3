import { useState } from 'preact/hooks'
import { readQuestions } from '../../client/client.ts'
import type { Evaluation } from '../../client/findings.ts'
import { countOf } from '../format.ts'
import { Form, textOf } from '../parts/form.tsx'
import { linkTo } from '../route.ts'
import { SAMPLE_QUESTIONS } from '../sample-questions.ts'
import { client } from '../session.ts'

const MODES = { lexical: 'Words', semantic: 'Meaning', hybrid: 'Words and meaning', auto: 'Automatic' } as const
type Mode = keyof typeof MODES

/** Rows shown of the questions; the worst stand first. */
const MOST_SHOWN = 200

/** Asks a memory questions whose answers are known, compares the modes, and shows what fails first. */
export function Evaluate({ memoryId }: { memoryId: string }) {
  const [lines, setLines] = useState('')
  const [done, setDone] = useState(0)
  const [evaluation, setEvaluation] = useState<Evaluation | null>(null)

  async function evaluate(fields: FormData) {
    const modes = fields.getAll('modes') as Mode[]
    const topK = Number(textOf(fields, 'topK'))
    if (modes.length === 0) throw new Error('Choose a mode at least.')
    setDone(0)
    setEvaluation(await client.value.evaluate(memoryId, readQuestions(lines), { modes, topK, onProgress: setDone }))
  }

  return (
    <>
      <p>Questions whose answers you know, one a line, say how well this memory finds them. It costs no query.</p>
      <Form label="Ask them all" action={evaluate}>
        <label>
          Questions{' '}
          <span class="quiet">
            (JSON lines with query and documentIds or externalIds; or a question, a tab, and ids)
          </span>
          <textarea
            name="questions"
            rows={6}
            required
            spellcheck={false}
            value={lines}
            placeholder={'{"query":"When do refunds arrive?","externalIds":["handbook"]}'}
            onInput={(event) => setLines(event.currentTarget.value)}
          />
        </label>
        <div class="row">
          <label>
            From a file{' '}
            <input
              type="file"
              accept=".jsonl,.ndjson,.json,.tsv,.txt"
              onChange={(event) => void event.currentTarget.files?.[0]?.text().then(setLines)}
            />
          </label>
          <button type="button" onClick={() => setLines(SAMPLE_QUESTIONS)}>
            Use the sample's questions
          </button>
        </div>
        <Choices />
      </Form>
      {evaluation === null && done > 0 && <p role="status">{countOf(done, 'question')} asked …</p>}
      {evaluation && <Comparison memoryId={memoryId} evaluation={evaluation} />}
    </>
  )
}

function Choices() {
  return (
    <div class="row">
      <fieldset>
        <legend>Modes</legend>
        {Object.entries(MODES).map(([mode, label]) => (
          <label class="choice" key={mode}>
            <input type="checkbox" name="modes" value={mode} defaultChecked={mode !== 'auto'} /> {label}
          </label>
        ))}
      </fieldset>
      <label>
        Documents that count
        <input type="number" name="topK" min={1} max={100} defaultValue={10} required />
      </label>
    </div>
  )
}

function Comparison({ memoryId, evaluation }: { memoryId: string; evaluation: Evaluation }) {
  const { questions, topK, results, warnings } = evaluation
  const best = Math.max(...results.map(({ ndcg }) => ndcg))
  return (
    <>
      <p role="status">
        {countOf(questions, 'question')}, the first {topK} documents of each
        {warnings.map(({ message }) => ` · ${message}`)}
      </p>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {['Mode', 'nDCG', 'Recall', 'MRR', 'Precision', 'A search'].map((title) => (
                <th scope="col" key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {results.map(({ mode, ndcg, recall, mrr, precision, meanMs }) => (
              <tr key={mode}>
                <th scope="row">{MODES[mode]}</th>
                <td data-label="nDCG">
                  {ndcg.toFixed(3)} {ndcg === best && results.length > 1 && <span class="tag strong">best</span>}
                </td>
                <td data-label="Recall">{recall.toFixed(3)}</td>
                <td data-label="MRR">{mrr.toFixed(3)}</td>
                <td data-label="Precision">{precision.toFixed(3)}</td>
                <td data-label="A search">{meanMs.toFixed(1)} ms</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Questions memoryId={memoryId} evaluation={evaluation} />
    </>
  )
}

function Questions({ memoryId, evaluation }: { memoryId: string; evaluation: Evaluation }) {
  const rows = worstFirst(evaluation)
  return (
    <div class="scroll">
      <h2>Questions, the worst first</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Question</th>
            {evaluation.results.map(({ mode }) => (
              <th scope="col" key={mode}>
                {MODES[mode]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_SHOWN).map(({ index, query, ranks }) => (
            <tr key={index}>
              <td>
                <a href={`${linkTo('memories', memoryId, 'search')}?${new URLSearchParams({ q: query })}`} dir="auto">
                  {query}
                </a>
              </td>
              {ranks.map(({ mode, rank }) => (
                <td data-label={MODES[mode]} key={mode}>
                  {rank === null ? <span class="state failed">missed</span> : `place ${rank}`}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_SHOWN && <p class="quiet">These are the worst {MOST_SHOWN}.</p>}
    </div>
  )
}

type Row = { index: number; query: string; ndcg: number; ranks: { mode: Mode; rank: number | null }[] }

function worstFirst({ perQuestion }: Evaluation): Row[] {
  const rows = new Map<number, Row>()
  for (const { index, query, mode, rank, ndcg } of perQuestion) {
    const row = rows.get(index) ?? { index, query, ndcg: 0, ranks: [] }
    row.ndcg += ndcg
    row.ranks.push({ mode, rank })
    rows.set(index, row)
  }
  return [...rows.values()].sort((a, b) => a.ndcg - b.ndcg || a.index - b.index)
}
