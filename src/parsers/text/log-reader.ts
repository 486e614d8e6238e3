import type { BlockBuffer } from './block-buffer.ts'
import type { BlockReader, Emit } from './block-reader.ts'
import { createLineReader } from './line-reader.ts'
import type { Line } from './line-splitter.ts'

/**
 * Reads logs: a line is a record. Stack traces and other lines that go on with a record stay with it: indented ones, those
 * that say so (`Caused by:`), and below a record with a time stamp all that have none.
 */
export function createLogReader(emit: Emit): BlockReader {
  const state = { isStamped: false }
  return createLineReader(emit, (line, buffer) => readLine(line, buffer, state))
}

/** Longest record that lines without a time stamp are added to: some 40 lines of a stack trace. */
const MAX_RECORD_CHARACTERS = 4000

function readLine(line: Line, buffer: BlockBuffer, state: { isStamped: boolean }): void {
  const isBlank = line.text.trim() === ''
  const goesOn = buffer.facts?.kind === 'record' && continues(line.text, buffer, state.isStamped)
  if (line.isStart && !isBlank && !goesOn) {
    state.isStamped = hasTimeStamp(line.text)
    buffer.open({ kind: 'record' })
  }
  buffer.append(line.text)
}

function continues(line: string, buffer: BlockBuffer, isStamped: boolean): boolean {
  if (buffer.text.length > MAX_RECORD_CHARACTERS) return false
  if (/^(?:\s|at |Caused by:|Suppressed:|Traceback |\.\.\. \d+ more|[})\]])/.test(line)) return true
  return isStamped && !hasTimeStamp(line)
}

/** A date, a time, a syslog stamp or epoch seconds near the start of a line, colour codes and brackets aside. */
function hasTimeStamp(line: string): boolean {
  const start = line.slice(0, 120)
  return (
    /\d{4}[-/.]\d{2}[-/.]\d{2}/.test(start) ||
    /\d{1,2}:\d{2}:\d{2}/.test(start) ||
    /^(?:<\d+>)?[A-Z][a-z]{2} [ \d]\d /.test(start) ||
    /^\[?\s*\d{10,13}\b/.test(start) ||
    /\d{1,2}\/[A-Z][a-z]{2}\/\d{4}/.test(start)
  )
}
