import { resolveCitations } from '../../engine/citing/resolve-citations.ts'
import { NO_ANSWER } from './answer-prompt.ts'

/** Tells an answer while it is written. */
export type ToldAnswer = {
  /** What of the text so far can be told, beyond what was told before; often nothing. */
  push(text: string): string
  /** What of the whole answer was not told yet; nothing where it is another than was told. */
  end(answer: string): string
  /** All that was told. */
  read(): string
}

/** A mark is judged by up to so many characters behind it. */
const LOOK_AHEAD_CHARACTERS = 8
/** No run of marks that is held back is longer. */
const LONGEST_RUN = 400
/** What may go with the mark behind it, and what may become {@link NO_ANSWER}. */
const OPEN_END = /[\s(（]{0,20}(?:\b[A-Z_]{1,9})?$/u
const LONGEST_OPEN_END = 32
const LEADING_SIGNS = /^[^\p{L}\p{N}]+/u

/**
 * Holds back what may still go: marks until it is known that they lead to one of so many sources, and everything while it may turn
 * out that the model declines. So no token shows a citation that the answer will not have.
 */
export function createToldAnswer(sources: number): ToldAnswer {
  let told = ''
  const tell = (answer: string): string => {
    if (!answer.startsWith(told)) return ''
    const news = answer.slice(told.length)
    told = answer
    return news
  }
  return {
    push(text) {
      const beginning = text.replace(LEADING_SIGNS, '')
      if (NO_ANSWER.startsWith(beginning.slice(0, NO_ANSWER.length)) || text.includes(NO_ANSWER)) return ''
      const end = findSureEnd(text)
      const open = OPEN_END.exec(text.slice(Math.max(0, end - LONGEST_OPEN_END), end))?.[0] ?? ''
      return tell(resolveCitations(text.slice(0, end - open.length).trimStart(), sources).answer)
    },
    end: tell,
    read: () => told,
  }
}

function findSureEnd(text: string): number {
  const start = Math.max(0, text.length - LONGEST_RUN)
  const tail = text.slice(start)
  let end = tail.length
  // A run of marks is one thing: what follows the last decides on the white space before the first.
  while (end > 0) {
    const open = tail.lastIndexOf('[', end - 1)
    const close = tail.lastIndexOf(']', end - 1)
    if (open < 0 || (close > open && end - close > LOOK_AHEAD_CHARACTERS)) break
    end = open
  }
  return start + end
}
