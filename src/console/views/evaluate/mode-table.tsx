import type { Evaluation } from '../../../client/findings.ts'
import { MODES } from '../../parts/filters.tsx'
import { Table } from '../../parts/table.tsx'

type Result = Evaluation['results'][number]
type Metric = 'ndcg' | 'recall' | 'mrr' | 'precision'

/** Metrics with their names and explanations. */
const METRICS: Readonly<Record<Metric, readonly [name: string, meaning: string]>> = {
  ndcg: ['nDCG', '1 if all expected documents are ranked first, lower if they are further down'],
  recall: ['Recall', 'share of the expected documents that were found'],
  mrr: ['MRR', '1 / rank of the first expected document'],
  precision: ['Precision', 'share of the found documents that are expected'],
}

/** Least difference that is shown and counts: one of the third decimal place. */
const LEAST = 0.0005

/** Metrics of each mode as bars with their values, and the change since another run. */
export function ModeTable({ evaluation, before }: { evaluation: Evaluation; before: Evaluation | null }) {
  const { results } = evaluation
  const slowest = Math.max(...results.map(({ meanMs }) => meanMs))
  return (
    <>
      <Table
        look="modes"
        columns={['Mode', ...Object.values(METRICS).map(([name, title]) => ({ name, title })), 'Latency, mean']}
      >
        {results.map((result, index) => {
          const former = before?.results.find(({ mode }) => mode === result.mode)
          return (
            <tr key={result.mode}>
              <th scope="row">
                <span class="mode">
                  <i class={`series-${index + 1}`} /> {MODES[result.mode]}
                </span>
              </th>
              {Object.entries(METRICS).map(([metric, [name]]) => (
                <Bar
                  key={name}
                  label={name}
                  share={result[metric as Metric]}
                  value={result[metric as Metric].toFixed(3)}
                  isBest={isBest(result, results, metric as Metric)}
                  series={index + 1}
                  change={former === undefined ? null : result[metric as Metric] - former[metric as Metric]}
                />
              ))}
              <Bar
                label="Latency, mean"
                share={result.meanMs / slowest}
                value={`${result.meanMs.toFixed(1)} ms`}
                isBest={false}
                series={index + 1}
                change={null}
              />
            </tr>
          )
        })}
      </Table>
      <details class="meanings">
        <summary>About these metrics</summary>
        <dl class="facts">
          {Object.values(METRICS).map(([name, meaning]) => (
            <>
              <dt key={name}>{name}</dt>
              <dd>{meaning}</dd>
            </>
          ))}
        </dl>
      </details>
    </>
  )
}

type BarProps = {
  label: string
  /** Length, from 0 to 1. */
  share: number
  value: string
  isBest: boolean
  series: number
  /** Difference to the run that is compared, if there is one. */
  change: number | null
}

function Bar({ label, share, value, isBest, series, change }: BarProps) {
  return (
    <td data-label={label}>
      <span class="figure">
        <span>{value}</span>
        {isBest && <span class="tag strong">best</span>}
        {change !== null && <Change of={change} />}
      </span>
      <svg class="measure" aria-hidden="true">
        <rect class="ground" width="100%" height="100%" />
        <rect class={`series-${series}`} width={`${Math.max(0, Math.min(1, share)) * 100}%`} height="100%" />
      </svg>
    </td>
  )
}

function Change({ of }: { of: number }) {
  if (Math.abs(of) < LEAST) return <span class="faint">± 0</span>
  return (
    <span class={of > 0 ? 'change up' : 'change down'}>
      {of > 0 ? '▲ +' : '▼ −'}
      {Math.abs(of).toFixed(3)}
    </span>
  )
}

/** True if the mode is better than each other one in the shown places. */
function isBest(result: Result, results: readonly Result[], metric: Metric): boolean {
  const others = results.filter(({ mode }) => mode !== result.mode)
  return others.length > 0 && others.every((other) => result[metric].toFixed(3) > other[metric].toFixed(3))
}
