import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { FindAnswer } from '../../client/answers.ts'
import type { Hit, HitExplanation } from '../../client/findings.ts'
import { formatPages, pluralize } from '../format.ts'
import { Empty, FirstQuestions } from '../parts/empty.tsx'
import { Filters, MODES, type Mode } from '../parts/filters.tsx'
import { Notice } from '../parts/notice.tsx'
import { MarkedSnippet, Passage, type Place } from '../parts/passage.tsx'
import { Why, WhyNot } from '../parts/why.tsx'
import { keepQuery, linkTo, route } from '../route.ts'
import { client, returns } from '../session.ts'
import { type Filter, type FilterFields, toFilter } from '../to-filter.ts'

/** Delay before searching: long enough for the next key, and short enough to feel immediate. */
const TYPING_MS = 180
const SHOWN = 20

/** Searches while the user types. */
export function Search({ memoryId, isSample }: { memoryId: string; isSample: boolean }) {
  const [query, setQuery] = useState(route.value.query.get('q') ?? '')
  const [mode, setMode] = useState(readMode)
  const [fields, setFields] = useState(readFilters)
  const filter = useMemo(() => toFilter(fields), [fields])
  const [place, setPlace] = useState<Place | null>(null)
  // A link or the back button may open another search of the same memory.
  useEffect(() => {
    setQuery(route.value.query.get('q') ?? '')
    setMode(readMode())
    setFields(readFilters())
  }, [route.value])
  useLayoutEffect(
    () => keepQuery(linkTo('memories', memoryId, 'search'), { q: query, mode: mode === 'auto' ? '' : mode, ...fields }),
    [query, mode, fields],
  )
  const { answer, error } = useFind(memoryId, { query, mode, filter })
  const find = (more: { explain?: boolean; explainDocumentId?: string }, signal: AbortSignal) =>
    client.value.find(memoryId, query, { mode, filter, limit: SHOWN, ...more, signal })
  return (
    <search>
      <Question query={query} mode={mode} onQuery={setQuery} onMode={setMode} />
      <Filters memoryId={memoryId} fields={fields} onChange={setFields} />
      <Notice error={error} />
      <Outcome answer={answer} />
      {query.trim() === '' && (
        <FirstQuestions
          title="Search as you type"
          hint="Enter keywords, a question or a number. Each hit opens its passage and explains its score."
          isSample={isSample}
          onAsk={setQuery}
        />
      )}
      {answer?.hits.length === 0 && (
        <Empty title="Nothing found">
          <p>Try other keywords, or a complete question. Filters must match tags and metadata exactly.</p>
        </Empty>
      )}
      <ol class="hits">
        {answer?.hits.map((hit) => (
          <HitRow
            key={`${query} ${hit.chunkId}`}
            hit={hit}
            onOpen={() => setPlace({ memoryId, ...hit })}
            readWhy={async (signal) => {
              const { hits } = await find({ explain: true }, signal)
              return hits.find(({ chunkId }) => chunkId === hit.chunkId)?.explanation ?? null
            }}
          />
        ))}
      </ol>
      {answer && (
        <WhyNot
          memoryId={memoryId}
          ask={async (explainDocumentId, signal) =>
            (await find({ explainDocumentId }, signal)).explainedDocument ?? null
          }
          of={[query, mode, filter]}
        />
      )}
      {place && <Passage place={place} onClose={() => setPlace(null)} />}
    </search>
  )
}

type QuestionProps = { query: string; mode: Mode; onQuery: (query: string) => void; onMode: (mode: Mode) => void }

function Question({ query, mode, onQuery, onMode }: QuestionProps) {
  return (
    <div class="asking">
      <label class="wide">
        <span class="hidden">Search this memory</span>
        <input
          type="search"
          dir="auto"
          value={query}
          placeholder="Keywords, a question, a number …"
          onInput={(event) => onQuery(event.currentTarget.value)}
        />
      </label>
      <label>
        <span class="hidden">Mode</span>
        <select value={mode} onChange={(event) => onMode(event.currentTarget.value as Mode)}>
          {Object.entries(MODES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function Outcome({ answer }: { answer: FindAnswer | null }) {
  return (
    <p class="quiet" role="status">
      {answer && `${pluralize(answer.hits.length, 'passage')} in ${answer.tookMs} ms`}
      {answer && ` · ${MODES[answer.mode].toLowerCase()} search`}
      {answer?.warnings.map(({ message }) => ` · ${message}`)}
    </p>
  )
}

/** Reads the mode from the URL, if valid. */
function readMode(): Mode {
  const named = route.value.query.get('mode') ?? ''
  return Object.hasOwn(MODES, named) ? (named as Mode) : 'auto'
}

function readFilters(): FilterFields {
  const { query } = route.value
  return {
    tags: query.get('tags') ?? '',
    documentId: query.get('documentId') ?? '',
    metadata: query.get('metadata') ?? '',
  }
}

function useFind(memoryId: string, { query, mode, filter }: { query: string; mode: Mode; filter: Filter }) {
  const [found, setFound] = useState<{ answer: FindAnswer | null; error: unknown }>({ answer: null, error: null })
  useEffect(() => {
    if (query.trim() === '') return setFound({ answer: null, error: null })
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      client.value.find(memoryId, query, { mode, filter, highlight: true, limit: SHOWN, signal: leaving.signal }).then(
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

function HitRow({
  hit,
  onOpen,
  readWhy,
}: {
  hit: Hit
  onOpen: () => void
  readWhy: (signal: AbortSignal) => Promise<HitExplanation | null>
}) {
  const pages = formatPages(hit)
  return (
    <li>
      <h3>
        <button type="button" class="link" dir="auto" onClick={onOpen}>
          {hit.title}
        </button>{' '}
        {hit.kind === 'correction' && <span class="tag strong">correction</span>}
        {pages && <span class="quiet"> {pages}</span>}
        {hit.section && (
          <span class="quiet">
            {' '}
            {pages && '· '}
            <bdi>{hit.section}</bdi>
          </span>
        )}
        {hit.duplicates > 0 && <span class="quiet"> · {pluralize(hit.duplicates, 'copy', 'copies')}</span>}
      </h3>
      <MarkedSnippet snippet={hit.snippet} />
      {hit.tags.length > 0 && (
        <p>
          {hit.tags.map((tag) => (
            <span class="tag" key={tag} dir="auto">
              {tag}
            </span>
          ))}
        </p>
      )}
      <Why score={hit.score} read={readWhy} />
    </li>
  )
}
