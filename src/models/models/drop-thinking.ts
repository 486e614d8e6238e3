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
  let state: 'start' | 'thinking' | 'gap' | 'answer' = 'start'

  /** Goes as far as the pieces that are held allow; holds no more of them than the next step needs, since thinking can be long. */
  function settle(): string {
    if (state === 'thinking') {
      const close = held.indexOf(CLOSE)
      held = close === -1 ? held.slice(1 - CLOSE.length) : held.slice(close + CLOSE.length)
      if (close === -1) return ''
      state = 'gap'
    }
    held = held.trimStart()
    if (held === '') return ''
    if (state === 'start' && held.startsWith(OPEN)) {
      held = held.slice(OPEN.length)
      state = 'thinking'
      return settle()
    }
    return state === 'start' && OPEN.startsWith(held) ? '' : letGo()
  }

  function letGo(): string {
    const text = held
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
      return state === 'thinking' ? '' : letGo()
    },
  }
}

/** A whole answer without its thinking. */
export function dropThinking(text: string): string {
  const filter = createThinkingFilter()
  return filter.push(text) + filter.end()
}
