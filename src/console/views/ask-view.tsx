import { effect, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { AskAnswer } from '../../client/answers.ts'
import { FirstQuestions } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Passage, type Place } from '../parts/passage.tsx'
import { apiKey, client } from '../session.ts'

/** Asks a question. The answer streams in, and each citation opens its passage. */
export function Ask({ memoryId, isSample }: { memoryId: string; isSample: boolean }) {
  const asked = askedOf(memoryId)
  const { told: streamedText = '', answer = null, error = null } = asked ?? {}
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
            placeholder="Ask a question …"
          />
        </label>
      </Form>
      {asked === null && (
        <FirstQuestions
          title="Answers with citations"
          hint="Click a citation to see its source. If the documents don't contain an answer, the reply says so."
          isSample={isSample}
          onAsk={askFor}
        />
      )}
      <Notice error={error} />
      <div class="answer" dir="auto" aria-live="polite">
        {answer === null ? streamedText : <Cited text={answer.answer} citations={citationsOf(answer)} onOpen={open} />}
      </div>
      {answer?.draft !== undefined && <Draft draft={answer.draft} citations={answer.citations} onOpen={open} />}
      {answer && (
        <p class="quiet">
          {answer.model === 'extractive' ? 'Quoted, without a language model' : `By ${answer.model}`} ·{' '}
          {answer.stats.totalMs} ms
          {answer.grounding && ` · ${Math.round(answer.grounding.score * 100)} % supported by citations`}
          {answer.warnings.map(({ message }) => ` · ${message}`)}
        </p>
      )}
      {answer && answer.sources.length > 0 && <Sources sources={answer.sources} onOpen={open} />}
      {place && <Passage place={place} onClose={() => setPlace(null)} />}
    </>
  )
}

type OnOpen = (place: Omit<Place, 'memoryId'>) => void

/** Citations of the answer; those of a draft have their marks in the draft. */
function citationsOf({ draft, citations }: AskAnswer): AskAnswer['citations'] {
  return draft === undefined ? citations : []
}

/** Text of the model that its sources do not support, closed until the user asks for it. */
function Draft({ draft, citations, onOpen }: { draft: string; citations: AskAnswer['citations']; onOpen: OnOpen }) {
  return (
    <details>
      <summary>Draft of the model, not supported by the sources</summary>
      <div class="answer" dir="auto">
        <Cited text={draft} citations={citations} onOpen={onOpen} />
      </div>
    </details>
  )
}

/** Retrieved passages; each opens on click. */
function Sources({ sources, onOpen }: { sources: AskAnswer['sources']; onOpen: OnOpen }) {
  return (
    <details>
      <summary>Sources considered</summary>
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

/** Renders a text with its citation marks as buttons. */
function Cited({ text, citations, onOpen }: { text: string; citations: AskAnswer['citations']; onOpen: OnOpen }) {
  const parts: ComponentChildren[] = []
  let from = 0
  for (const citation of citations.toSorted((a, b) => a.answerStart - b.answerStart)) {
    const { answerStart, answerEnd, title, page, index } = citation
    if (answerStart < from) continue
    parts.push(text.slice(from, answerStart))
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
  parts.push(text.slice(from))
  return <p>{parts}</p>
}

/**
 * Questions and answers per memory. An answer continues to stream while the user is in another
 * view.
 */
type Conversation = {
  question: string
  /** Text received so far; `answer` has the final text. */
  told: string
  answer: AskAnswer | null
  error: unknown
}

const asked = signal<ReadonlyMap<string, Conversation>>(new Map())
const running = new Map<string, AbortController>()

/** Last question to a memory; `null` if none. */
function askedOf(memoryId: string): Conversation | null {
  return asked.value.get(memoryId) ?? null
}

/**
 * Asks a memory, and ends the previous question. Resolves at the end of the answer. Never rejects,
 * because errors are part of the state.
 */
async function ask(memoryId: string, question: string): Promise<void> {
  running.get(memoryId)?.abort()
  const leaving = new AbortController()
  running.set(memoryId, leaving)
  let now: Conversation = { question, told: '', answer: null, error: null }
  const tell = (facts: Partial<Conversation>) => {
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

// The next user must not see these answers.
effect(() => {
  if (apiKey.value !== null) return
  for (const leaving of running.values()) leaving.abort()
  asked.value = new Map()
})
