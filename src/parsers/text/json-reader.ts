import { ApiError } from '../../errors.ts'
import type { BlockReader, Emit } from './block-reader.ts'
import type { JsonProblem } from './json-scanner.ts'
import { createJsonSplitter, type JsonSplitter } from './json-splitter.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'

/** Reads one JSON text as blocks of its own raw text: records where it has any, else parts of about a chunk's size. */
export function createJsonReader(emit: Emit): BlockReader {
  const splitter = createJsonSplitter(({ text, isRecord }) => {
    emit({ block: { text, kind: isRecord ? 'record' : 'paragraph' } })
  }, true)
  return {
    write: (text) => requireSound(splitter.write(text)),
    end: () => requireSound(splitter.end()),
  }
}

function requireSound(problem: JsonProblem | null): void {
  if (problem === null) return
  const { message, line, column, offset } = problem
  throw new ApiError('unprocessable_document', {
    message: `The JSON is malformed at line ${line}, column ${column} (offset ${offset}): ${message}.`,
    remedy: 'Correct the file, or name it .txt to have it read as plain text.',
  })
}

/** How many of the bad lines a warning names. */
const NAMED_LINES = 5

/** What has been seen of the lines so far; blank ones do not count as values. */
type Tally = { line: number; values: number; bad: number; named: number[] }

/**
 * Reads JSON Lines: one record a line, long ones in parts. A line that is no JSON is kept as it is and named in a warning;
 * when all are bad, the document is refused.
 */
export function createJsonlReader(emit: Emit): BlockReader {
  const tally: Tally = { line: 0, values: 0, bad: 0, named: [] }
  const onLine = createLineReader(emit, tally)
  const lines = createLineSplitter(onLine)
  return {
    write: lines.write,
    end() {
      lines.end()
      finish(tally, emit)
    },
  }
}

function createLineReader(emit: Emit, tally: Tally): (line: Line) => void {
  let current: { splitter: JsonSplitter; isBad: boolean } | null = null
  const onPart = ({ text }: { text: string }) => emit({ block: { text, kind: 'record' } })

  return ({ text, isStart, isEnd }) => {
    if (isStart) tally.line += 1
    if (current === null && isEnd && text.trim() === '') {
      emit({ block: { text, kind: 'blank' } })
      return
    }
    current ??= { splitter: createJsonSplitter(onPart, false), isBad: false }
    if (current.splitter.write(text) !== null) current.isBad = true
    if (!isEnd) return
    if (current.splitter.end() !== null) current.isBad = true
    count(tally, current.isBad)
    current = null
  }
}

function count(tally: Tally, isBad: boolean): void {
  tally.values += 1
  if (!isBad) return
  tally.bad += 1
  if (tally.named.length < NAMED_LINES) tally.named.push(tally.line)
}

function finish(tally: Tally, emit: Emit): void {
  if (tally.bad === 0) return
  const names = `${tally.named.join(', ')}${tally.bad > tally.named.length ? ', …' : ''}`
  if (tally.bad === tally.values) {
    throw new ApiError('unprocessable_document', {
      message: `No line of the file is valid JSON (line ${names}).`,
      remedy: 'Write one JSON value a line, or name the file .txt to have it read as plain text.',
    })
  }
  const count = tally.bad === 1 ? '1 line is' : `${tally.bad} lines are`
  emit({ warning: `${count} not valid JSON and kept as plain text: line ${names}.` })
}
