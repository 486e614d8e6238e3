import type { Evaluation } from '../../client/findings.ts'
import { pluralize } from '../format.ts'
import { linkTo } from '../route.ts'
import { MODES, type Mode } from './filters.tsx'

/** Rows shown of the questions; the worst stand first. */
const MOST_SHOWN = 200

/** The figures of a mode, what they are called and what they say. */
const FIGURES = {
  ndcg: ['nDCG', '1 where all documents that answer stand first, less the further down they are'],
  recall: ['Recall', 'the share of them that was found'],
  mrr: ['MRR', '1 divided by the place of the first of them'],
  precision: ['Precision', 'the share of what was counted that answers; low where few documents do'],
} as const

/** How the modes compare, then every question, the worst first, with its place in each. */
export function EvaluationTables({ memoryId, evaluation }: { memoryId: string; evaluation: Evaluation }) {
  const { questions, topK, results, warnings } = evaluation
  const best = Math.max(...results.map(({ ndcg }) => ndcg))
  return (
    <>
      <h2>How well they were found</h2>
      <p class="quiet" role="status">
        {pluralize(questions, 'question')}, the first {topK} documents of each
        {warnings.map(({ message }) => ` · ${message}`)}
      </p>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {['Mode', ...Object.values(FIGURES).map(([name]) => name), 'A search'].map((name) => (
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
                <td data-label="A search">{result.meanMs.toFixed(1)} ms</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <details>
        <summary>What the figures say</summary>
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
      <h2>Questions, the worst first</h2>
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
            {rows.slice(0, MOST_SHOWN).map(({ index, query, ranks }) => (
              <tr key={index}>
                <td class="named">
                  <a href={searchOf(query, 'auto')} dir="auto">
                    {query}
                  </a>
                </td>
                {ranks.map(({ mode, rank }) => (
                  <td data-label={MODES[mode]} key={mode}>
                    <a class="plain" href={searchOf(query, mode)}>
                      {rank === null ? <span class="state failed">missed</span> : `place ${rank}`}
                    </a>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MOST_SHOWN && <p class="quiet">These are the worst {MOST_SHOWN}.</p>}
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
