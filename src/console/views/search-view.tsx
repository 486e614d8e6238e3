import { LoaderCircle, Search as SearchIcon, SearchX } from 'lucide'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FindAnswer } from '../../client/answers.ts'
import type { Hit } from '../../client/findings.ts'
import { finishStep } from '../first-steps.ts'
import { pluralize } from '../format.ts'
import { CopyAs } from '../parts/copy-as.tsx'
import { Empty, FirstQuestions } from '../parts/empty.tsx'
import { Filters, MODES, type Mode, type Narrowing } from '../parts/filters.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { Stepper } from '../parts/stepper.tsx'
import { Hits } from '../reading/hits.tsx'
import { findMatches } from '../reading/marked-text.tsx'
import { Passage } from '../reading/passage.tsx'
import { WhyNot } from '../reading/why.tsx'
import { closeBeside, keepQuery, linkTo, openBeside, opened, route } from '../route.ts'
import { client, returns } from '../session.ts'
import { toFilter } from '../to-filter.ts'

/** Delay before searching: long enough for the next key, and short enough to feel immediate. */
const TYPING_MS = 180
const SHOWN = 20

/** What is searched for, as in the URL. */
type Asked = Narrowing & { q: string }

/** Searches while the user types. */
export function Search({ memoryId, isSample }: { memoryId: string; isSample: boolean }) {
  const [asked, change] = useAsked(memoryId)
  const { q: query, mode } = asked
  const filter = useMemo(() => toFilter(asked), [asked.tags, asked.documentId, asked.metadata])
  const options = { ...(mode === 'auto' ? {} : { mode }), ...(Object.keys(filter).length > 0 ? { filter } : {}) }
  const found = useFind(memoryId, query, options)
  const { hits } = found
  const list = useRef<HTMLElement>(null)
  const at = hits.findIndex(({ chunkId }) => chunkId === opened.value)
  const hit = hits[at]
  const show = (index: number) => hits[index] && openBeside(hits[index].chunkId)
  return (
    <search
      class={hit ? 'with-pane' : ''}
      ref={list}
      onKeyDown={(event) => moveInHits(event, list.current, at >= 0 ? show : null)}
    >
      <div>
        <Field query={query} isBusy={found.isBusy} onQuery={(q) => change({ q })} onEnter={() => show(0)} />
        <Filters memoryId={memoryId} narrowing={asked} onChange={change} />
        {query.trim() === '' && (
          <FirstQuestions
            title="Search as you type"
            icon={SearchIcon}
            hint="Enter keywords, a question or a number. Each hit opens its passage and explains its score."
            isSample={isSample}
            onAsk={(q) => change({ q })}
          />
        )}
        <Results memoryId={memoryId} asked={asked} options={options} found={found} onChange={change} />
      </div>
      {hit && (
        <Passage place={placeOf(memoryId, hit)} onClose={closeBeside}>
          <Stepper what="hit" label={`hit ${at + 1} of ${hits.length}`} at={at} count={hits.length} onMove={show} />
        </Passage>
      )}
    </search>
  )
}

type ResultsProps = {
  memoryId: string
  asked: Asked
  options: Options
  found: ReturnType<typeof useFind>
  onChange: (facts: Partial<Asked>) => void
}

function Results({ memoryId, asked, options, found, onChange }: ResultsProps) {
  const { answer, hits, error, isBusy, isReadingMore } = found
  const { q: query } = asked
  async function explainMissing(explainDocumentId: string, signal: AbortSignal) {
    const more = { limit: SHOWN, explainDocumentId, signal }
    return (await client.value.find(memoryId, query, { ...options, ...more })).explainedDocument ?? null
  }
  return (
    <>
      <Notice error={error} />
      <div class="outcome">
        <Outcome answer={answer} count={hits.length} />
        {answer && <CopyAs sample={sampleOf(memoryId, query, options)} />}
      </div>
      {isBusy && answer === null && error === null && <Skeleton rows={6} />}
      {answer?.hits.length === 0 && <NothingFound asked={asked} onChange={onChange} />}
      <Hits hits={hits} query={query} openId={opened.value} onOpen={openBeside} readWhy={found.explain} />
      {answer !== null && answer.nextCursor !== null && (
        <button type="button" class="more" disabled={isReadingMore} onClick={found.readMore}>
          {isReadingMore ? 'Please wait …' : 'Show more passages'}
        </button>
      )}
      {answer && <WhyNot memoryId={memoryId} ask={explainMissing} of={[query, options.mode, options.filter]} />}
    </>
  )
}

const places = new WeakMap<Hit, ReturnType<typeof locate>>()

/** The place of a hit, the same for the same hit, so that the pane does not scroll again. */
function placeOf(memoryId: string, hit: Hit) {
  const place = places.get(hit) ?? locate(memoryId, hit)
  places.set(hit, place)
  return place
}

function locate(memoryId: string, hit: Hit) {
  const marks = findMatches(hit).map(({ start, end }) => ({
    start: start + hit.startOffset,
    end: end + hit.startOffset,
  }))
  return { ...hit, memoryId, marks }
}

/** Arrow keys move through the hits, and take an open pane along. */
function moveInHits(event: KeyboardEvent, list: HTMLElement | null, show: ((index: number) => void) | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const from = event.target as HTMLElement
  if (step === undefined || from.closest('.pane, .filters, .why, details') !== null) return
  const buttons = [...(list?.querySelectorAll<HTMLElement>('.hits h2 button') ?? [])]
  const at = buttons.indexOf(from) + step
  event.preventDefault()
  const next = at < 0 ? document.querySelector<HTMLElement>('search input[type=search]') : buttons[at]
  next?.focus()
  next?.closest('li')?.scrollIntoView({ block: 'nearest' })
  if (at >= 0) show?.(at)
}

type FieldProps = { query: string; isBusy: boolean; onQuery: (query: string) => void; onEnter: () => void }

function Field({ query, isBusy, onQuery, onEnter }: FieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // A phone would open its keyboard over the view.
    if (matchMedia('(hover: hover)').matches && opened.value === null) input.current?.focus({ preventScroll: true })
  }, [])
  return (
    <label class="with-icon large" aria-busy={isBusy}>
      <Icon of={isBusy ? LoaderCircle : SearchIcon} />
      <span class="hidden">Search this memory</span>
      <input
        ref={input}
        type="search"
        dir="auto"
        value={query}
        autocomplete="off"
        placeholder="Keywords, a question, a number …"
        onInput={(event) => onQuery(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && onEnter()}
      />
    </label>
  )
}

function Outcome({ answer, count }: { answer: FindAnswer | null; count: number }) {
  if (answer === null) return <p class="faint" role="status" />
  const { totalHits, totalHitsRelation, tookMs, mode, warnings } = answer
  const isAll = count >= totalHits && totalHitsRelation === 'eq'
  const total = `${totalHits}${totalHitsRelation === 'gte' ? '+' : ''}`
  return (
    <p class="faint" role="status">
      {isAll ? pluralize(count, 'passage') : `${count} of ${total} passages`}
      {` in ${Math.round(tookMs)} ms · ${MODES[mode].toLowerCase()} search`}
      {count > 0 && warnings.map(({ message }) => ` · ${message}`)}
    </p>
  )
}

type NothingFoundProps = { asked: Asked; onChange: (facts: Partial<Asked>) => void }

function NothingFound({ asked, onChange }: NothingFoundProps) {
  const { tags, documentId, metadata, mode } = asked
  const isFiltered = `${tags}${documentId}${metadata}` !== ''
  return (
    <Empty title="Nothing found" icon={SearchX}>
      <p>
        {isFiltered
          ? 'No passage that matches has these tags, document and metadata. Filters must match exactly.'
          : 'No passage has these words or their meaning. Try other keywords, or a complete question.'}
      </p>
      <div class="row">
        {isFiltered && (
          <button type="button" onClick={() => onChange({ tags: '', documentId: '', metadata: '' })}>
            Search without filters
          </button>
        )}
        {mode !== 'semantic' && (
          <button type="button" onClick={() => onChange({ mode: 'semantic' })}>
            Search by meaning
          </button>
        )}
      </div>
    </Empty>
  )
}

/** The search of the view, kept in the URL. A link or the back button may open another one. */
function useAsked(memoryId: string): [Asked, (facts: Partial<Asked>) => void] {
  const [asked, setAsked] = useState(readAsked)
  useEffect(() => {
    const next = readAsked()
    // The same search is not asked again when a passage opens.
    setAsked((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
  }, [route.value])
  useLayoutEffect(() => {
    const { mode } = asked
    keepQuery(linkTo('memories', memoryId, 'search'), { ...asked, mode: mode === 'auto' ? '' : mode })
  }, [asked])
  return [asked, (facts) => setAsked((before) => ({ ...before, ...facts }))]
}

function readAsked(): Asked {
  const { query } = route.value
  const mode = query.get('mode') ?? ''
  return {
    q: query.get('q') ?? '',
    mode: Object.hasOwn(MODES, mode) ? (mode as Mode) : 'auto',
    tags: query.get('tags') ?? '',
    documentId: query.get('documentId') ?? '',
    metadata: query.get('metadata') ?? '',
  }
}

type Options = { mode?: Mode; filter?: ReturnType<typeof toFilter> }

const NO_PAGES: readonly FindAnswer[] = []

/** Finds while the user types; further pages on demand. */
function useFind(memoryId: string, query: string, options: Options) {
  const [pages, setPages] = useState(NO_PAGES)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [isReadingMore, setReadingMore] = useState(false)
  const leaving = useRef(new AbortController())
  const read = (more: { cursor?: string; explain?: boolean }, signal: AbortSignal) =>
    client.value.find(memoryId, query, { ...options, highlight: true, limit: SHOWN, ...more, signal })
  useEffect(() => {
    leaving.current = new AbortController()
    const { signal, abort } = controlsOf(leaving.current)
    setReadingMore(false)
    setBusy(query.trim() !== '')
    const show = (next: readonly FindAnswer[], failure: unknown) => {
      if (signal.aborted) return
      setPages(next)
      setError(failure)
      setBusy(false)
    }
    if (query.trim() === '') show(NO_PAGES, null)
    const search = () =>
      void read({}, signal).then(
        (page) => {
          finishStep('search')
          show([page], null)
        },
        (why: unknown) => show(NO_PAGES, why),
      )
    const timer = query.trim() === '' ? undefined : setTimeout(search, TYPING_MS)
    return () => {
      clearTimeout(timer)
      abort()
    }
  }, [memoryId, query, options.mode, options.filter, returns.value])
  async function readMore() {
    const { signal } = leaving.current
    const cursor = pages.at(-1)?.nextCursor ?? ''
    setReadingMore(true)
    try {
      const page = await read({ cursor }, signal)
      if (!signal.aborted) setPages((before) => [...before, page])
    } catch (why) {
      if (!signal.aborted) setError(why)
    }
    if (!signal.aborted) setReadingMore(false)
  }
  async function explain(hit: Hit, signal: AbortSignal) {
    const at = pages.findIndex(({ hits }) => hits.includes(hit))
    const cursor = pages[at - 1]?.nextCursor
    const { hits } = await read({ explain: true, ...(cursor ? { cursor } : {}) }, signal)
    return hits.find(({ chunkId }) => chunkId === hit.chunkId)?.explanation ?? null
  }
  const hits = useMemo(() => pages.flatMap((page) => page.hits), [pages])
  return { answer: pages.at(-1) ?? null, hits, error, isBusy, isReadingMore, readMore, explain }
}

function controlsOf(controller: AbortController) {
  return { signal: controller.signal, abort: () => controller.abort() }
}

function sampleOf(memoryId: string, query: string, options: Options) {
  const named = Object.keys(options).length > 0 ? [options] : []
  return {
    method: 'POST',
    path: `/v1/memories/${memoryId}/find`,
    body: { query, options },
    typescript: ['find', memoryId, query, ...named],
    python: ['find', memoryId, { query, ...options }],
  } as const
}
