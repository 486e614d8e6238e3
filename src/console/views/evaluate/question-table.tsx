import { useState } from 'preact/hooks'
import type { Evaluation } from '../../../client/findings.ts'
import { useLoad } from '../../hooks.ts'
import { MODES, type Mode } from '../../parts/filters.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Table } from '../../parts/table.tsx'
import { linkTo } from '../../route.ts'
import { client } from '../../session.ts'

/** Maximum number of rows, worst first. */
const MAX_ROWS = 200

/** Failing questions for which the first hit is searched without a click; each is a query. */
const MAX_LOOKED_UP = 5

type Rank = { mode: Mode; rank: number | null; former: number | null | undefined }
type Row = { index: number; query: string; ndcg: number; ranks: Rank[] }

/** Choices of rows. A question fails if a mode does not rank an expected document first. */
const CHOICES = {
  failing: ['Failing', (row: Row) => row.ranks.some(({ rank }) => rank !== 1)],
  changed: ['Changed', (row: Row) => row.ranks.some(isChanged)],
  all: ['All', () => true],
} as const

type TableProps = {
  memoryId: string
  evaluation: Evaluation
  /** The run that is compared. */
  before: Evaluation | null
  /** Names of the documents that answer a question. */
  namesOf: (query: string) => readonly string[]
}

/** The questions, worst first, with the rank of the first expected document per mode. */
export function QuestionTable({ memoryId, evaluation, before, namesOf }: TableProps) {
  const rows = worstFirst(evaluation, before)
  const counts = { failing: 0, changed: 0, all: rows.length }
  for (const choice of ['failing', 'changed'] as const) counts[choice] = rows.filter(CHOICES[choice][1]).length
  const [wanted, setWanted] = useState<keyof typeof CHOICES>('failing')
  const isThere = counts[wanted] > 0 && (wanted !== 'changed' || before !== null)
  const choice = isThere ? wanted : 'all'
  const shown = rows.filter(CHOICES[choice][1]).slice(0, MAX_ROWS)
  return (
    <section aria-label="Questions">
      <header class="toolbar">
        <h2>Questions, worst first</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, these buttons do not */}
        <div class="segmented end" role="group" aria-label="Questions to show">
          {Object.entries(CHOICES).map(([name, [label]]) =>
            name === 'changed' && before === null ? null : (
              <button
                key={name}
                type="button"
                aria-pressed={name === choice}
                disabled={counts[name as keyof typeof CHOICES] === 0}
                onClick={() => setWanted(name as keyof typeof CHOICES)}
              >
                {label} <span class="faint">{counts[name as keyof typeof CHOICES]}</span>
              </button>
            ),
          )}
        </div>
      </header>
      <Table
        columns={['Question', 'Expected', ...evaluation.results.map(({ mode }) => MODES[mode]), 'Found instead']}
        foot={counts[choice] > MAX_ROWS && <p class="table-foot">Showing the worst {MAX_ROWS}.</p>}
      >
        {shown.map((row, place) => (
          <QuestionRow
            key={row.index}
            memoryId={memoryId}
            row={row}
            names={namesOf(row.query)}
            looksUp={place < MAX_LOOKED_UP}
          />
        ))}
      </Table>
    </section>
  )
}

type RowProps = { memoryId: string; row: Row; names: readonly string[]; looksUp: boolean }

function QuestionRow({ memoryId, row: { query, ranks }, names, looksUp }: RowProps) {
  const failed = ranks.find(({ rank }) => rank === null) ?? ranks.find(({ rank }) => rank !== 1)
  return (
    <tr>
      <td class="named">
        <a href={searchOf(memoryId, query, 'auto')} dir="auto">
          {query}
        </a>
      </td>
      <td data-label="Expected" class="quiet">
        {names.map((name) => (
          <bdi key={name} class="name">
            {name}
          </bdi>
        ))}
      </td>
      {ranks.map((rank) => (
        <td data-label={MODES[rank.mode]} key={rank.mode}>
          <a class="plain" href={searchOf(memoryId, query, rank.mode)}>
            {rank.rank === null ? <span class="state failed">missed</span> : `rank ${rank.rank}`}
          </a>
          {isChanged(rank) && (
            <span class={isBetter(rank) ? 'change up' : 'change down'}>
              {isBetter(rank) ? ' ▲' : ' ▼'} was {rank.former === null ? 'missed' : rank.former}
            </span>
          )}
        </td>
      ))}
      <td data-label="Found instead">
        {failed !== undefined && (
          <FoundInstead key={query} memoryId={memoryId} query={query} mode={failed.mode} looksUp={looksUp} />
        )}
      </td>
    </tr>
  )
}

type LookupProps = { memoryId: string; query: string; mode: Mode; looksUp: boolean }

/** The first hit of a failing question; searched on a click beyond the first rows. */
function FoundInstead({ looksUp, ...search }: LookupProps) {
  const [isWanted, setWanted] = useState(looksUp)
  if (isWanted) return <FirstHit {...search} />
  return (
    <button type="button" class="quiet small" onClick={() => setWanted(true)}>
      Look up
    </button>
  )
}

function FirstHit({ memoryId, query, mode }: Omit<LookupProps, 'looksUp'>) {
  const found = useLoad(
    (signal) => client.value.find(memoryId, query, { mode, limit: 5, signal }),
    [memoryId, query, mode],
  )
  if (found.error !== null) return <Notice error={found.error} onRetry={found.reload} />
  if (found.value === null) return <span class="skeleton" />
  // Corrections rank first, and an evaluation ignores them.
  const hit = found.value.hits.find(({ kind }) => kind === 'document')
  if (hit === undefined) return <span class="quiet">nothing</span>
  return (
    <a class="plain" dir="auto" href={linkTo('memories', memoryId, 'documents', hit.documentId)} title={hit.text}>
      {hit.title}
    </a>
  )
}

function searchOf(memoryId: string, query: string, mode: Mode): string {
  const parameters = new URLSearchParams({ q: query, ...(mode === 'auto' ? {} : { mode }) })
  return `${linkTo('memories', memoryId, 'search')}?${parameters}`
}

function isChanged({ rank, former }: Rank): boolean {
  return former !== undefined && former !== rank
}

function isBetter({ rank, former }: Rank): boolean {
  return (rank ?? Number.POSITIVE_INFINITY) < (former ?? Number.POSITIVE_INFINITY)
}

function worstFirst({ perQuestion }: Evaluation, before: Evaluation | null): Row[] {
  const former = new Map(before?.perQuestion.map(({ query, mode, rank }) => [`${mode} ${query}`, rank]))
  const rows = new Map<number, Row>()
  for (const { index, query, mode, rank, ndcg } of perQuestion) {
    const row = rows.get(index) ?? { index, query, ndcg: 0, ranks: [] }
    row.ndcg += ndcg
    row.ranks.push({ mode, rank, former: former.get(`${mode} ${query}`) })
    rows.set(index, row)
  }
  return [...rows.values()].sort((a, b) => a.ndcg - b.ndcg || a.index - b.index)
}
