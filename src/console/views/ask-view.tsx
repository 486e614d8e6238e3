import { ArrowUp, History, MessageSquare, Plus, Square, Trash2, X } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AskAnswer } from '../../client/answers.ts'
import {
  askAgain,
  askIn,
  type Conversation,
  conversationOf,
  deleteConversation,
  listConversations,
  stop,
  type Turn,
  toMessages,
} from '../conversations.ts'
import { formatTime, pluralize } from '../format.ts'
import { FirstQuestions } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { Passage, type Place } from '../reading/passage.tsx'
import { citationsOf, SourceList, TurnRow } from '../reading/turn.tsx'
import { closeBeside, keepQuery, linkTo, openBeside, opened, route } from '../route.ts'
import { showToast } from '../shell/toasts.tsx'

/** A conversation with a memory: answers stream in, with their sources beside them. */
export function Ask({ memoryId, isSample }: { memoryId: string; isSample: boolean }) {
  const [conversation, ask] = useConversation(memoryId)
  const turns = conversation?.turns ?? []
  const place = placeOf(memoryId, turns)
  const answered = turns.findLast(({ answer }) => answer !== null && answer.sources.length > 0)
  const beside = turns.find(({ id }) => id === opened.value) ?? answered
  const isHistory = opened.value === 'history'
  return (
    <div class={isHistory || place !== null || beside ? 'with-pane talk' : 'talk'}>
      <div class="conversation">
        <Head memoryId={memoryId} conversation={conversation} />
        {conversation === null && (
          <FirstQuestions
            title="Answers with citations"
            icon={MessageSquare}
            hint="Click a citation to see its source. If the documents don't contain an answer, the reply says so."
            isSample={isSample}
            onAsk={ask}
          />
        )}
        <ol class="turns">
          {turns.map((turn, index) => (
            <TurnRow
              key={turn.id}
              memoryId={memoryId}
              turn={turn}
              asked={toMessages(turns.slice(0, index + 1))}
              openId={opened.value}
              onAgain={() => conversation && askAgain(conversation, turn)}
            />
          ))}
        </ol>
        <Composer conversation={conversation} onAsk={ask} />
      </div>
      {isHistory ? (
        <HistoryPane memoryId={memoryId} />
      ) : place !== null ? (
        <Passage place={place} onClose={closeBeside} />
      ) : (
        beside?.answer && <SourcesPane turn={beside} answer={beside.answer} isAsked={opened.value !== null} />
      )}
    </div>
  )
}

/** The conversation of the URL, which names its last question as well: a link can ask it again. */
function useConversation(memoryId: string): [Conversation | null, (question: string) => void] {
  const [id, setId] = useState(route.value.query.get('c'))
  useEffect(() => setId(route.value.query.get('c')), [route.value])
  const found = conversationOf(id)
  const conversation = found?.memoryId === memoryId ? found : null
  const last = conversation?.turns.at(-1)
  useLayoutEffect(() => {
    if (conversation === null) return
    keepQuery(linkTo('memories', memoryId, 'ask'), { c: conversation.id, q: last?.question ?? '' })
  }, [conversation?.id, last?.id])
  const isAtEnd = useRef(true)
  useEffect(() => {
    const look = () => {
      isAtEnd.current = innerHeight + scrollY > document.documentElement.scrollHeight - 160
    }
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  useLayoutEffect(() => {
    if (last !== undefined && isAtEnd.current) scrollTo(0, document.documentElement.scrollHeight)
  }, [last?.id, last?.text, last?.state])
  return [
    conversation,
    (question) => {
      isAtEnd.current = true
      if (opened.value !== null) closeBeside()
      setId(askIn(memoryId, conversation?.id ?? null, question))
    },
  ]
}

/** Place of the citation or source in the URL, such as `<turn>.c0`; `null` if none is open. */
function placeOf(memoryId: string, turns: readonly Turn[]): Place | null {
  const [turnId, kind = '', number = ''] = /^(\w+)\.([cs])(\d+)$/.exec(opened.value ?? '')?.slice(1) ?? []
  const turn = turns.find(({ id }) => id === turnId)
  if (turn === undefined) return null
  const sources = turn.answer?.sources ?? []
  if (kind === 's') {
    const source = sources[Number(number)]
    return source ? { memoryId, ...source } : null
  }
  const citation = citationsOf(turn)[Number(number)]
  if (citation === undefined) return null
  const around = sources.find(({ index }) => index === citation.index)
  return { memoryId, ...citation, ...(around && { around: { start: around.startOffset, end: around.endOffset } }) }
}

function Head({ memoryId, conversation }: { memoryId: string; conversation: Conversation | null }) {
  const count = listConversations(memoryId).length
  return (
    <header class="row end">
      {count > 0 && (
        <button type="button" class="quiet small" onClick={() => openBeside('history')}>
          <Icon of={History} /> History <span class="faint">{count}</span>
        </button>
      )}
      {conversation !== null && (
        <a class="button quiet small" href={linkTo('memories', memoryId, 'ask')}>
          <Icon of={Plus} /> New conversation
        </a>
      )}
    </header>
  )
}

type ComposerProps = { conversation: Conversation | null; onAsk: (question: string) => void }

/** Field for the next question. A question of a link waits here for a press. */
function Composer({ conversation, onAsk }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const isAsking = conversation?.turns.at(-1)?.state === 'asking'
  const [text, setText] = useState(conversation === null ? (route.value.query.get('q') ?? '') : '')
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches && opened.value === null) field.current?.focus({ preventScroll: true })
  }, [conversation?.id])
  useLayoutEffect(() => {
    const element = field.current
    if (element === null) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight + 2, 200)}px`
  }, [text])
  function send(event: Event) {
    event.preventDefault()
    if (text.trim() === '' || isAsking) return
    onAsk(text.trim())
    setText('')
  }
  return (
    <form class="composer" onSubmit={send}>
      <label>
        <span class="hidden">Your question</span>
        <textarea
          ref={field}
          name="question"
          dir="auto"
          rows={1}
          required
          value={text}
          autocomplete="off"
          placeholder={conversation === null ? 'Ask a question …' : 'Ask a follow-up question …'}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event)
          }}
        />
      </label>
      {isAsking ? (
        <button type="button" class="square" aria-label="Stop" onClick={() => stop(conversation?.id ?? '')}>
          <Icon of={Square} />
        </button>
      ) : (
        <button type="submit" class="primary square" aria-label="Ask" disabled={text.trim() === ''}>
          <Icon of={ArrowUp} />
        </button>
      )}
    </form>
  )
}

type SourcesPaneProps = { turn: Turn; answer: AskAnswer; isAsked: boolean }

/** Passages that were read for an answer. Without a press, only where there is room beside it. */
function SourcesPane({ turn, answer, isAsked }: SourcesPaneProps) {
  return (
    <aside class={isAsked ? 'pane' : 'pane only-beside'} aria-label="Sources">
      <header>
        <div>
          <h2>Sources</h2>
          <p class="faint one-line">
            {pluralize(answer.sources.length, 'passage')} read for “<bdi>{turn.question}</bdi>”
          </p>
        </div>
        {isAsked && <CloseButton />}
      </header>
      <div class="body">
        <SourceList turn={turn} sources={answer.sources} cited={new Set(answer.citations.map(({ index }) => index))} />
      </div>
    </aside>
  )
}

function CloseButton() {
  return (
    <button type="button" class="plain square small" aria-label="Close" onClick={closeBeside}>
      <Icon of={X} />
    </button>
  )
}

function HistoryPane({ memoryId }: { memoryId: string }) {
  const path = linkTo('memories', memoryId, 'ask')
  return (
    <aside class="pane" aria-label="History">
      <header>
        <div>
          <h2>History</h2>
          <p class="faint">Kept in this browser until you sign out</p>
        </div>
        <CloseButton />
      </header>
      <ul class="body history">
        {listConversations(memoryId).map((conversation) => (
          <li key={conversation.id}>
            <a class="plain" href={`${path}?c=${conversation.id}`}>
              <strong class="one-line" dir="auto">
                {conversation.turns[0]?.question}
              </strong>
              <span class="faint">
                {pluralize(conversation.turns.length, 'question')} ·{' '}
                {formatTime(new Date(conversation.changedAt).toISOString())}
              </span>
            </a>
            <button
              type="button"
              class="plain square small"
              aria-label={`Delete the conversation ${conversation.turns[0]?.question ?? ''}`}
              onClick={() => showToast('Conversation deleted.', deleteConversation(conversation))}
            >
              <Icon of={Trash2} />
            </button>
          </li>
        ))}
      </ul>
    </aside>
  )
}
