import { useEffect, useState } from 'preact/hooks'
import type { FindAnswer } from '../../client/answers.ts'
import type { Hit } from '../../client/resources.ts'
import { returns } from '../connection.ts'
import { countOf } from '../format.ts'
import { Empty } from '../parts/empty.tsx'
import { type Filter, Filters } from '../parts/filters.tsx'
import { MarkedSnippet } from '../parts/marked-snippet.tsx'
import { Notice } from '../parts/notice.tsx'
import { Passage, type Place } from '../parts/passage.tsx'
import { keepQuery, route } from '../route.ts'
import { client } from '../session.ts'

type Mode = 'auto' | 'hybrid' | 'semantic' | 'lexical'

/** Long enough for the next key, short enough to feel at once. */
const TYPING_MS = 180
const MODES: Readonly<Record<Mode, string>> = {
  auto: 'Automatic',
  hybrid: 'Words and meaning',
  semantic: 'Meaning',
  lexical: 'Words',
}

/** Searches while one types. */
export function Search({ memoryId }: { memoryId: string }) {
  const [query, setQuery] = useState(route.value.query.get('q') ?? '')
  const [mode, setMode] = useState<Mode>('auto')
  const [filter, setFilter] = useState<Filter>({})
  const [place, setPlace] = useState<Place | null>(null)
  const { answer, error } = useFind(memoryId, { query, mode, filter })
  return (
    <search>
      <div class="asking">
        <label class="wide">
          <span class="hidden">Search this memory</span>
          <input
            type="search"
            value={query}
            placeholder="Words, a question, a number …"
            onInput={(event) => {
              setQuery(event.currentTarget.value)
              keepQuery({ q: event.currentTarget.value })
            }}
          />
        </label>
        <label>
          <span class="hidden">Mode</span>
          <select value={mode} onChange={(event) => setMode(event.currentTarget.value as Mode)}>
            {Object.entries(MODES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Filters memoryId={memoryId} onChange={setFilter} />
      <Notice error={error} />
      <p class="quiet" role="status">
        {answer && `${countOf(answer.hits.length, 'passage')} in ${answer.tookMs} ms, searched by ${answer.mode}`}
        {answer?.warnings.map(({ message }) => ` · ${message}`)}
      </p>
      {answer?.hits.length === 0 && (
        <Empty title="Nothing found">
          <p>Try other words, or a whole question. Filters must match a document's tags and metadata exactly.</p>
        </Empty>
      )}
      <ol class="hits">
        {answer?.hits.map((hit) => (
          <HitRow key={hit.chunkId} hit={hit} onOpen={() => setPlace(placeOf(memoryId, hit))} />
        ))}
      </ol>
      {place && <Passage place={place} onClose={() => setPlace(null)} />}
    </search>
  )
}

function useFind(memoryId: string, { query, mode, filter }: { query: string; mode: Mode; filter: Filter }) {
  const [found, setFound] = useState<{ answer: FindAnswer | null; error: unknown }>({ answer: null, error: null })
  useEffect(() => {
    if (query.trim() === '') return setFound({ answer: null, error: null })
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      client.value.find(memoryId, query, { mode, filter, highlight: true, limit: 20, signal: leaving.signal }).then(
        (answer) => setFound({ answer, error: null }),
        (error: unknown) => {
          if (!leaving.signal.aborted) setFound({ answer: null, error })
        },
      )
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [memoryId, query, mode, filter, returns.value])
  return found
}

function placeOf(memoryId: string, hit: Hit): Place {
  const { documentId, title, page, startOffset, endOffset } = hit
  return { memoryId, documentId, title, page, start: startOffset, end: endOffset }
}

function HitRow({ hit, onOpen }: { hit: Hit; onOpen: () => void }) {
  const place = [hit.page === null ? null : `page ${hit.page}`, hit.section].filter(Boolean).join(' · ')
  return (
    <li>
      <h3>
        <button type="button" class="link" dir="auto" onClick={onOpen}>
          {hit.title}
        </button>{' '}
        {hit.kind === 'correction' && <span class="tag strong">correction</span>}
        {place && <span class="quiet"> {place}</span>}
      </h3>
      <MarkedSnippet snippet={hit.snippet} />
      <details>
        <summary>Score {hit.score.toFixed(2)}</summary>
        <Scores hit={hit} />
      </details>
      {hit.tags.map((tag) => (
        <span class="tag" key={tag}>
          {tag}
        </span>
      ))}
    </li>
  )
}

function Scores({ hit: { scores } }: { hit: Hit }) {
  const parts: readonly (readonly [string, number | null])[] = [
    ['Words (BM25)', scores.lexical],
    ['Meaning (cosine)', scores.semantic],
    ['Both together', scores.fused],
    ['Second reading', scores.rerank],
    ['Boost', scores.boost],
  ]
  return (
    <dl class="scores">
      {parts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === null ? '–' : value.toFixed(3)}</dd>
        </div>
      ))}
    </dl>
  )
}
