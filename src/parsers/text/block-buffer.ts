import type { Block } from '../parse-event.ts'
import { type BlockReader, type Emit, MAX_BLOCK_CHARACTERS } from './block-reader.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'

/** What is known of a block beside its text. */
type BlockFacts = Pick<Block, 'kind' | 'level' | 'heading'>

/** The block that is being gathered. Blocks that grow too long are emitted in parts of the same kind. */
export type BlockBuffer = {
  /** What the open block is, `null` when none is open. */
  readonly facts: BlockFacts | null
  /** The text gathered so far, without what already went out. */
  readonly text: string
  /** The line, or piece of one, that was appended last. */
  readonly lastLine: string
  /** Lines appended since the block was opened. */
  readonly lines: number
  /** Ends the open block and begins another. */
  open(facts: BlockFacts): void
  /** Adds a line, or a piece of one, to the open block; opens a blank one when there is none. */
  append(text: string): void
  /** Changes what the open block is. */
  relabel(facts: BlockFacts): void
  /** Ends the open block before its last line, which stays open as a block of the same kind. */
  splitLastLine(): void
  /** Ends the open block. */
  close(): void
}

/** A buffer that emits each block once it ends. */
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

/** More than white space and the signs of a rule. */
const SOMETHING = /[^\s*_-]/

/** A reader of formats in which lines make the blocks: `readLine` is told of each line as it comes, and builds the blocks in the buffer. */
export function createLineReader(emit: Emit, readLine: (line: Line, buffer: BlockBuffer) => void): BlockReader {
  const buffer = createBlockBuffer(emit)
  const splitter = createLineSplitter((line) => {
    // A line so long that it comes in pieces may begin with nothing but white space, or as a rule does.
    if (!line.isStart && buffer.facts?.kind === 'blank' && SOMETHING.test(line.text)) buffer.open({ kind: 'paragraph' })
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
