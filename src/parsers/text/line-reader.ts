import { type BlockBuffer, createBlockBuffer } from './block-buffer.ts'
import type { BlockReader, Emit } from './block-reader.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'

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
