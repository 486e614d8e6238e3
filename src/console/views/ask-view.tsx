import { effect, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { AskAnswer } from '../../client/answers.ts'
import { FirstQuestions } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Passage, type Place } from '../parts/passage.tsx'
import { apiKey, client } from '../session.ts'

/** Asks a question; the answer appears as it is written, and each of its citations opens the words it stands on. */
export function Ask({ memoryId, isSample }: { memoryId: string; isSample: boolean }) {
  const asked = askedOf(memoryId)
  const { told = '', answer = null, error = null } = asked ?? {}
  const [place, setPlace] = useState<Place | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const open = (at: Omit<Place, 'memoryId'>) => setPlace({ memoryId, ...at })

  function askFor(question: string) {
    if (input.current === null) return
    input.current.value = question
    input.current.form?.requestSubmit()
  }

  return (
    <>
      <Form label="Ask" action={(fields) => ask(memoryId, textOf(fields, 'question'))}>
        <label>
          <span class="hidden">Your question</span>
          <input
            ref={input}
            name="question"
            dir="auto"
            required
            defaultValue={asked?.question}
            autocomplete="off"
            placeholder="Ask in your own words …"
          />
        </label>
      </Form>
      {asked === null && (
        <FirstQuestions
          title="An answer shows where it comes from"
          hint="Each number in it opens the words that it stands on. Where the documents do not answer, it says so."
          isSample={isSample}
          onAsk={askFor}
        />
      )}
      <Notice error={error} />
      <div class="answer" dir="auto" aria-live="polite">
        {answer === null ? told : <Cited answer={answer} onOpen={open} />}
      </div>
      {answer && (
        <p class="quiet">
          {answer.model === 'extractive' ? 'Quoted from the documents (no language model)' : `By ${answer.model}`} ·{' '}
          {answer.stats.totalMs} ms
          {answer.grounding && ` · ${Math.round(answer.grounding.score * 100)} % of its words stand in what it cites`}
          {answer.warnings.map(({ message }) => ` · ${message}`)}
        </p>
      )}
      {answer && answer.sources.length > 0 && <Sources sources={answer.sources} onOpen={open} />}
      {place && <Passage place={place} onClose={() => setPlace(null)} />}
    </>
  )
}

type OnOpen = (place: Omit<Place, 'memoryId'>) => void

/** The passages that were considered; each opens at its words. */
function Sources({ sources, onOpen }: { sources: AskAnswer['sources']; onOpen: OnOpen }) {
  return (
    <details>
      <summary>What was read for it</summary>
      <ol class="hits">
        {sources.map((source) => (
          <li key={source.chunkId} value={source.index}>
            <h3>
              <button type="button" class="link" dir="auto" onClick={() => onOpen(source)}>
                {source.title}
              </button>
              {source.page !== null && <span class="quiet"> page {source.page}</span>}
            </h3>
            <p class="snippet" dir="auto">
              {source.text}
            </p>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** The answer with its marks as buttons. */
function Cited({ answer, onOpen }: { answer: AskAnswer; onOpen: OnOpen }) {
  const parts: ComponentChildren[] = []
  let from = 0
  for (const citation of answer.citations.toSorted((a, b) => a.answerStart - b.answerStart)) {
    const { answerStart, answerEnd, title, page, index } = citation
    if (answerStart < from) continue
    parts.push(answer.answer.slice(from, answerStart))
    parts.push(
      <button
        key={`${answerStart}`}
        type="button"
        class="citation"
        title={page === null ? title : `${title}, page ${page}`}
        onClick={() => onOpen(citation)}
      >
        <span class="hidden">Citation </span>
        {index}
      </button>,
    )
    from = answerEnd
  }
  parts.push(answer.answer.slice(from))
  return <p>{parts}</p>
}

/** What was asked of each memory, and what has come of it so far: an answer is there when one comes back from another view, and written on meanwhile. */
type Asked = {
  question: string
  /** The words that have come; `answer` holds them all in the end. */
  told: string
  answer: AskAnswer | null
  error: unknown
}

const asked = signal<ReadonlyMap<string, Asked>>(new Map())
const running = new Map<string, AbortController>()

/** The last question to a memory; `null` where none was asked. */
function askedOf(memoryId: string): Asked | null {
  return asked.value.get(memoryId) ?? null
}

/** Asks a memory, and ends what was asked of it before. Resolves at the end of the answer; never rejects, since a failure is kept as well. */
async function ask(memoryId: string, question: string): Promise<void> {
  running.get(memoryId)?.abort()
  const leaving = new AbortController()
  running.set(memoryId, leaving)
  let now: Asked = { question, told: '', answer: null, error: null }
  const tell = (facts: Partial<Asked>) => {
    now = { ...now, ...facts }
    if (!leaving.signal.aborted) asked.value = new Map([...asked.value, [memoryId, now]])
  }
  tell({})
  try {
    for await (const event of client.value.askStream(memoryId, question, {
      includeSources: true,
      signal: leaving.signal,
    })) {
      if (event.type === 'token') tell({ told: now.told + event.text })
      if (event.type === 'done') tell({ answer: event.answer })
    }
  } catch (error) {
    tell({ error })
  }
}

// Whoever signs in next has nothing to do with them.
effect(() => {
  if (apiKey.value !== null) return
  for (const leaving of running.values()) leaving.abort()
  asked.value = new Map()
})
