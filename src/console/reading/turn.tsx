import { Copy, Layers, RotateCcw, Search } from 'lucide'
import { useMemo } from 'preact/hooks'
import type { AskAnswer } from '../../client/answers.ts'
import type { Citation, Source } from '../../client/findings.ts'
import type { Turn, toMessages } from '../conversations.ts'
import { formatPages, pluralize } from '../format.ts'
import { CopyAs, copyAndReport } from '../parts/copy-as.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { linkTo, openBeside } from '../route.ts'
import { AnswerText } from './markdown.tsx'
import { MarkedSnippet } from './marked-text.tsx'

/** Citations of a turn: of its answer, or those received so far. */
export function citationsOf(turn: Turn): readonly Citation[] {
  return turn.answer?.citations ?? turn.citations
}

const NONE: readonly Citation[] = []

type TurnRowProps = {
  memoryId: string
  turn: Turn
  /** What was sent: the question, or the messages that end with it. */
  asked: ReturnType<typeof toMessages>
  /** What is open beside the conversation. */
  openId: string | null
  onAgain: () => void
}

/** A question with its answer. */
export function TurnRow({ memoryId, turn, asked, openId, onAgain }: TurnRowProps) {
  const { id, question, text, answer, error, state } = turn
  const citations = citationsOf(turn)
  const open = citations.find((_, index) => openId === `${id}.c${index}`) ?? null
  const onOpen = (citation: Citation) => openBeside(`${id}.c${citations.indexOf(citation)}`)
  const isDeclined = answer?.answered === false
  return (
    <li class="turn">
      <h2 class="asked" dir="auto">
        {question}
      </h2>
      {answer?.rewrittenQuestion !== undefined && (
        <p class="faint">
          Understood as: <bdi>{answer.rewrittenQuestion}</bdi>
        </p>
      )}
      {answer !== null && isDeclined ? (
        <Declined memoryId={memoryId} turn={turn} answer={answer} />
      ) : (
        <div class="answer" dir="auto" aria-live="polite" aria-busy={state === 'asking'}>
          <AnswerText text={answer?.answer ?? text} citations={citations} open={open} onOpen={onOpen} />
          {state === 'asking' && (
            <span class="writing" role="status">
              {text === '' ? 'Searching the documents …' : ''}
            </span>
          )}
        </div>
      )}
      {answer?.draft !== undefined && (
        <details>
          <summary>Draft of the model, not supported by the sources</summary>
          <div class="answer" dir="auto">
            <AnswerText text={answer.draft} citations={citations} open={open} onOpen={onOpen} />
          </div>
        </details>
      )}
      <Notice error={error} onRetry={onAgain} />
      {state !== 'asking' && error === null && (
        <footer>
          <About answer={answer} />
          <Actions memoryId={memoryId} turn={turn} asked={asked} onAgain={onAgain} />
        </footer>
      )}
    </li>
  )
}

/** How the answer was made. */
function About({ answer }: { answer: AskAnswer | null }) {
  if (answer === null) return <p class="faint">Stopped. The text is incomplete.</p>
  const made = answer.model === 'extractive' ? 'Quoted, without a language model' : `By ${answer.model}`
  return (
    <p class="faint">
      {[
        ...(answer.answered || answer.draft !== undefined ? [made] : []),
        `${Math.round(answer.stats.totalMs)} ms`,
        ...(answer.grounding ? [`${Math.round(answer.grounding.score * 100)} % supported by citations`] : []),
        ...answer.warnings.map(({ message }) => message),
      ].join(' · ')}
    </p>
  )
}

type ActionsProps = Pick<TurnRowProps, 'memoryId' | 'turn' | 'asked' | 'onAgain'>

function Actions({ memoryId, turn, asked, onAgain }: ActionsProps) {
  const { answer, text } = turn
  const sample = useMemo(() => sampleOf(memoryId, asked), [memoryId, asked])
  const sources = answer?.sources.length ?? 0
  return (
    <div class="row">
      <button type="button" class="quiet small" onClick={() => copyAndReport(answer?.answer ?? text, 'Answer copied.')}>
        <Icon of={Copy} /> Copy
      </button>
      <button type="button" class="quiet small" onClick={onAgain}>
        <Icon of={RotateCcw} /> Ask again
      </button>
      <CopyAs sample={sample} />
      {sources > 0 && (
        <button type="button" class="quiet small" onClick={() => openBeside(turn.id)}>
          <Icon of={Layers} /> {pluralize(sources, 'source')}
        </button>
      )}
    </div>
  )
}

function sampleOf(memoryId: string, asked: TurnRowProps['asked']) {
  const body = typeof asked === 'string' ? { question: asked } : { messages: asked }
  return {
    method: 'POST',
    path: `/v1/memories/${memoryId}/ask`,
    body,
    typescript: ['ask', memoryId, asked],
    python: ['ask', memoryId, body],
  } as const
}

/** Passages to show of those that did not answer. */
const NEAREST = 3

/** A declined answer: what was looked for, and what was found instead. */
function Declined({ memoryId, turn, answer }: { memoryId: string; turn: Turn; answer: AskAnswer }) {
  const lookedFor = answer.rewrittenQuestion ?? turn.question
  const nearest = answer.sources.slice(0, NEAREST)
  return (
    <div class="declined" aria-live="polite">
      <p>
        <strong>Not answered.</strong> <AnswerText text={answer.answer} citations={NONE} open={null} onOpen={ignore} />
      </p>
      <p class="quiet">
        Looked for “<bdi>{lookedFor}</bdi>”.{' '}
        {answer.usage.retrieved === 0
          ? 'No passage has these words or their meaning.'
          : `${pluralize(answer.usage.retrieved, 'passage')} came near, but none answers it.`}
        {nearest.length > 0 && ' Found instead:'}
      </p>
      {nearest.length > 0 && <SourceList turn={turn} sources={nearest} cited={new Set()} />}
      <a class="button small" href={`${linkTo('memories', memoryId, 'search')}?q=${encodeURIComponent(lookedFor)}`}>
        <Icon of={Search} /> Search for it
      </a>
    </div>
  )
}

function ignore(): void {}

type SourceListProps = { turn: Turn; sources: readonly Source[]; cited: ReadonlySet<number> }

/** Passages of an answer; each opens on click. */
export function SourceList({ turn, sources, cited }: SourceListProps) {
  return (
    <ol class="sources">
      {sources.map((source, index) => (
        <li key={source.chunkId}>
          <span class={cited.has(source.index) ? 'index cited' : 'index'}>{source.index}</span>
          <div>
            <button type="button" class="link" dir="auto" onClick={() => openBeside(`${turn.id}.s${index}`)}>
              {source.title}
            </button>{' '}
            <span class="faint">{formatPages(source)}</span>
            <MarkedSnippet snippet={source.snippet} />
          </div>
        </li>
      ))}
    </ol>
  )
}
