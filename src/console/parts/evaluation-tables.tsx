import type { Evaluation } from '../../client/findings.ts'
import { pluralize } from '../format.ts'
import { linkTo } from '../route.ts'
import { MODES, type Mode } from './filters.tsx'

/** Maximum number of rows, worst first. */
const MAX_ROWS = 200

/** Metrics with their names and explanations. */
const FIGURES = {
  ndcg: ['nDCG', '1 if all relevant documents are ranked first, lower if they are further down'],
  recall: ['Recall', 'share of the relevant documents that were found'],
  mrr: ['MRR', '1 / rank of the first relevant document'],
  precision: ['Precision', 'share of the found documents that are relevant'],
} as const

/** Compares the modes, and lists all questions, worst first, with the rank per mode. */
export function EvaluationTables({ memoryId, evaluation }: { memoryId: string; evaluation: Evaluation }) {
  const { questions, topK, results, warnings } = evaluation
  const best = Math.max(...results.map(({ ndcg }) => ndcg))
  return (
    <>
      <h2>Results</h2>
      <p class="quiet" role="status">
        {pluralize(questions, 'question')} · first {topK} documents per question
        {warnings.map(({ message }) => ` · ${message}`)}
      </p>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {['Mode', ...Object.values(FIGURES).map(([name]) => name), 'Search time'].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {results.map((result) => (
              <tr key={result.mode}>
                <th scope="row">
                  {MODES[result.mode]}{' '}
                  {result.ndcg === best && results.length > 1 && <span class="tag strong">best</span>}
                </th>
                {Object.entries(FIGURES).map(([figure, [name]]) => (
                  <td data-label={name} key={figure}>
                    {result[figure as keyof typeof FIGURES].toFixed(3)}
                  </td>
                ))}
                <td data-label="Search time">{result.meanMs.toFixed(1)} ms</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <details>
        <summary>About these metrics</summary>
        <ul>
          {Object.values(FIGURES).map(([name, meaning]) => (
            <li key={name}>
              <strong>{name}</strong>: {meaning}
            </li>
          ))}
        </ul>
      </details>
      <Questions memoryId={memoryId} evaluation={evaluation} />
    </>
  )
}

function Questions({ memoryId, evaluation }: { memoryId: string; evaluation: Evaluation }) {
  const rows = worstFirst(evaluation)
  const searchOf = (query: string, mode: Mode) => {
    const parameters = new URLSearchParams({ q: query, ...(mode === 'auto' ? {} : { mode }) })
    return `${linkTo('memories', memoryId, 'search')}?${parameters}`
  }
  return (
    <>
      <h2>Questions, worst first</h2>
      <div class="scroll">
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
            {rows.slice(0, MAX_ROWS).map(({ index, query, ranks }) => (
              <tr key={index}>
                <td class="named">
                  <a href={searchOf(query, 'auto')} dir="auto">
                    {query}
                  </a>
                </td>
                {ranks.map(({ mode, rank }) => (
                  <td data-label={MODES[mode]} key={mode}>
                    <a class="plain" href={searchOf(query, mode)}>
                      {rank === null ? <span class="state failed">missed</span> : `rank ${rank}`}
                    </a>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MAX_ROWS && <p class="quiet">Showing the worst {MAX_ROWS}.</p>}
    </>
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
