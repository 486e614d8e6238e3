/** Takes the thinking off the beginning of an answer, piece by piece. */
export type ThinkingFilter = {
  /** What of the pieces so far can be told, beyond what was told before; often nothing at first. */
  push(piece: string): string
  /** What was held back and turns out to be answer. */
  end(): string
}

const OPEN = '<think>'
const CLOSE = '</think>'

/**
 * Some servers of open models leave `<think>…</think>` at the beginning of the answer. White space around it goes too. What is never closed was
 * never an answer.
 */
export function createThinkingFilter(): ThinkingFilter {
  let held = ''
  let state: 'start' | 'gap' | 'answer' = 'start'

  /** What of the pieces that are held can be told by now; moves from state to state. */
  function settle(): string {
    const begun = held.trimStart()
    if (state === 'start' && begun.startsWith(OPEN)) {
      const close = begun.indexOf(CLOSE)
      if (close === -1) return ''
      held = begun.slice(close + CLOSE.length)
      state = 'gap'
      return settle()
    }
    if (state === 'start' ? OPEN.startsWith(begun) : begun === '') return ''
    const text = state === 'gap' ? begun : held
    held = ''
    state = 'answer'
    return text
  }

  return {
    push(piece) {
      if (state === 'answer') return piece
      held += piece
      return settle()
    },
    end() {
      const rest = held.trimStart().startsWith(OPEN) || state === 'gap' ? '' : held
      held = ''
      state = 'answer'
      return rest
    },
  }
}

/** A whole answer without its thinking. */
export function dropThinking(text: string): string {
  const filter = createThinkingFilter()
  return filter.push(text) + filter.end()
}
