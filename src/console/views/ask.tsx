import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { AskAnswer } from '../../client/answers.ts'
import { FirstQuestions } from '../parts/first-questions.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Passage, type Place } from '../parts/passage.tsx'
import { client } from '../session.ts'

/** Asks a question; the answer appears as it is written, and each of its citations opens the words it stands on. */
export function Ask({ memoryId, isSample }: { memoryId: string; isSample: boolean }) {
  const [hasAsked, setAsked] = useState(false)
  const [told, setTold] = useState('')
  const [answer, setAnswer] = useState<AskAnswer | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [place, setPlace] = useState<Place | null>(null)
  const running = useRef<AbortController | null>(null)
  const input = useRef<HTMLInputElement>(null)

  async function ask(fields: FormData) {
    running.current?.abort()
    const leaving = new AbortController()
    running.current = leaving
    setAsked(true)
    setTold('')
    setAnswer(null)
    setError(null)
    try {
      const asked = { includeSources: true, signal: leaving.signal }
      for await (const event of client.value.askStream(memoryId, textOf(fields, 'question'), asked)) {
        if (event.type === 'token') setTold((before) => before + event.text)
        if (event.type === 'done') setAnswer(event.answer)
      }
    } catch (caught) {
      if (!leaving.signal.aborted) setError(caught)
    }
  }

  function askFor(question: string) {
    if (input.current === null) return
    input.current.value = question
    input.current.form?.requestSubmit()
  }

  return (
    <>
      <Form label="Ask" action={ask}>
        <label>
          <span class="hidden">Your question</span>
          <input ref={input} name="question" required autocomplete="off" placeholder="Ask in your own words …" />
        </label>
      </Form>
      {!hasAsked && (
        <FirstQuestions
          title="An answer shows where it comes from"
          hint="Each number in it opens the words that it stands on. Where the documents do not answer, it says so."
          isSample={isSample}
          onAsk={askFor}
        />
      )}
      <Notice error={error} />
      <div class="answer" aria-live="polite">
        {answer === null ? told : <Cited answer={answer} onOpen={(at) => setPlace({ memoryId, ...at })} />}
      </div>
      {answer && (
        <p class="quiet">
          {answer.model === 'extractive' ? 'Quoted from the documents, without a language model' : `By ${answer.model}`}{' '}
          · {answer.stats.totalMs} ms
          {answer.grounding && ` · ${Math.round(answer.grounding.score * 100)} % of its words stand in what it cites`}
        </p>
      )}
      {answer && answer.sources.length > 0 && (
        <details>
          <summary>What was read for it</summary>
          <ol class="hits">
            {answer.sources.map((source) => (
              <li key={source.chunkId} value={source.index}>
                <h3>
                  <button
                    type="button"
                    class="link"
                    onClick={() => {
                      const { documentId, title, page, startOffset, endOffset } = source
                      setPlace({ memoryId, documentId, title, page, start: startOffset, end: endOffset })
                    }}
                  >
                    {source.title}
                  </button>
                  {source.page !== null && <span class="quiet"> page {source.page}</span>}
                </h3>
                <p class="snippet">{source.text}</p>
              </li>
            ))}
          </ol>
        </details>
      )}
      {place && <Passage place={place} onClose={() => setPlace(null)} />}
    </>
  )
}

/** The answer with its marks as buttons. */
function Cited({ answer, onOpen }: { answer: AskAnswer; onOpen: (place: Omit<Place, 'memoryId'>) => void }) {
  const parts: ComponentChildren[] = []
  let from = 0
  for (const citation of answer.citations.toSorted((a, b) => a.answerStart - b.answerStart)) {
    const { answerStart, answerEnd, documentId, title, page, startOffset, endOffset, index } = citation
    if (answerStart < from) continue
    parts.push(answer.answer.slice(from, answerStart))
    parts.push(
      <button
        key={`${answerStart}`}
        type="button"
        class="citation"
        title={page === null ? title : `${title}, page ${page}`}
        onClick={() => onOpen({ documentId, title, page, start: startOffset, end: endOffset })}
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
