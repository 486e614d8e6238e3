import { type BlockBuffer, createBlockBuffer } from './block-buffer.ts'
import type { BlockReader, Emit } from './block-reader.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'

/** A reader of formats in which lines make the blocks: `readLine` is told of each line as it comes, and builds the blocks in the buffer. */
export function createLineReader(emit: Emit, readLine: (line: Line, buffer: BlockBuffer) => void): BlockReader {
  const buffer = createBlockBuffer(emit)
  const splitter = createLineSplitter((line) => readLine(line, buffer))
  return {
    write: splitter.write,
    end() {
      splitter.end()
      buffer.close()
    },
  }
}
