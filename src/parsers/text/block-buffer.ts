import type { Block } from '../parse-event.ts'
import { type BlockReader, type Emit, MAX_BLOCK_CHARACTERS } from './block-reader.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'

/** Properties of a block besides its text. */
type BlockFacts = Pick<Block, 'kind' | 'level' | 'heading'>

/** Collects a block. Long blocks are emitted in parts of the same kind. */
export type BlockBuffer = {
  /** Properties of the open block, `null` if none is open. */
  readonly facts: BlockFacts | null
  /** Collected text that was not yet emitted. */
  readonly text: string
  /** The line, or part of a line, appended last. */
  readonly lastLine: string
  /** Lines appended since the block was opened. */
  readonly lines: number
  /** Ends the open block and starts another. */
  open(facts: BlockFacts): void
  /** Appends a line, or part of a line; opens a blank block if none is open. */
  append(text: string): void
  /** Changes the properties of the open block. */
  relabel(facts: BlockFacts): void
  /** Ends the open block before its last line, which starts a new block of the same kind. */
  splitLastLine(): void
  /** Ends the open block. */
  close(): void
}

/** Creates a buffer that emits each block at its end. */
function createBlockBuffer(emit: Emit): BlockBuffer {
  let facts: BlockFacts | null = null
  let text = ''
  let lines = 0
  let lastLineStart = 0

  function flush(): void {
    if (facts !== null && text !== '') emit({ block: { text, ...facts } })
    text = ''
    lastLineStart = 0
  }

  return {
    get facts() {
      return facts
    },
    get text() {
      return text
    },
    get lastLine() {
      return text.slice(lastLineStart)
    },
    get lines() {
      return lines
    },
    open(next) {
      flush()
      facts = next
      lines = 0
    },
    append(line) {
      facts ??= { kind: 'blank' }
      if (text.length + line.length > MAX_BLOCK_CHARACTERS) flush()
      lastLineStart = text.length
      text += line
      lines += 1
    },
    relabel(next) {
      facts = next
    },
    splitLastLine() {
      const last = text.slice(lastLineStart)
      text = text.slice(0, lastLineStart)
      flush()
      text = last
      lines = 1
    },
    close() {
      flush()
      facts = null
      lines = 0
    },
  }
}

/** A character other than white space and rule marks. */
const CONTENT_CHARACTER = /[^\s*_-]/

/**
 * Creates a reader of line-based formats: `readLine` receives each line and builds blocks in the
 * buffer.
 */
export function createLineReader(emit: Emit, readLine: (line: Line, buffer: BlockBuffer) => void): BlockReader {
  const buffer = createBlockBuffer(emit)
  const splitter = createLineSplitter((line) => {
    // The first part of a long line may be only white space or look like a rule.
    if (!line.isStart && buffer.facts?.kind === 'blank' && CONTENT_CHARACTER.test(line.text))
      buffer.open({ kind: 'paragraph' })
    readLine(line, buffer)
  })
  return {
    write: splitter.write,
    end() {
      splitter.end()
      buffer.close()
    },
  }
}
