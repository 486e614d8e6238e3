import { ApiError } from '../../errors.ts'
import { type BlockReader, cutText, type Emit, findCutPosition, MAX_BLOCK_CHARACTERS } from './block-reader.ts'
import { createJsonScanner, type JsonProblem } from './json-scanner.ts'
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

/** A part of a JSON text; `isRecord` is true for records, and for what they and other values were split into. */
type JsonPart = { text: string; isRecord: boolean }

/** Takes one JSON text in pieces. */
type JsonSplitter = {
  /** The problem that was met, if any: nothing after it is split by structure, but all of it still comes out. */
  write(text: string): JsonProblem | null
  end(): JsonProblem | null
}

/** Size at which a value is split where its structure allows: that of a chunk. */
const TARGET_CHARACTERS = 1000
/** A place to split at is no good when it leaves a scrap. */
const MIN_CHARACTERS = 250

/**
 * Splits one JSON text into parts of its own raw text. Where `findRecords` is true, each object or array in a top-level array, and in an
 * array that is a property of the top-level object, is a part; otherwise the whole text is one record. What is longer than
 * about 1,000 characters is split between its elements and properties, the outer ones first; a long string is cut at
 * {@link MAX_BLOCK_CHARACTERS}.
 */
function createJsonSplitter(onPart: (part: JsonPart) => void, findRecords: boolean): JsonSplitter {
  return new Splitter(onPart, findRecords)
}

class Splitter implements JsonSplitter {
  readonly #onPart: (part: JsonPart) => void
  readonly #findRecords: boolean
  readonly #scanner = createJsonScanner((offset, depth, item) => this.#item(offset, depth, item))
  /** What was written and not yet given out; it begins at offset `#start`. */
  #pending = ''
  #start = 0
  #isRecord: boolean
  #rootIsArray = false
  #hasItem = false
  /** True once a value was split between its elements or properties: its parts are not to be read as one run of prose. */
  #isSplit = false
  #best: { offset: number; depth: number } | null = null

  constructor(onPart: (part: JsonPart) => void, findRecords: boolean) {
    this.#onPart = onPart
    this.#findRecords = findRecords
    this.#isRecord = !findRecords
  }

  write(text: string): JsonProblem | null {
    this.#pending += text
    const problem = this.#scanner.write(text)
    while (this.#pending.length > MAX_BLOCK_CHARACTERS * 2) {
      this.#cut(this.#start + findCutPosition(this.#pending, MAX_BLOCK_CHARACTERS), this.#isRecord)
    }
    return problem
  }

  end(): JsonProblem | null {
    const problem = this.#scanner.end()
    this.#cut(this.#start + this.#pending.length, this.#isRecord)
    return problem
  }

  #item(offset: number, depth: number, item: { inArray: boolean; isContainer: boolean }): void {
    if (depth === 1) this.#rootIsArray = item.inArray
    if (this.#findRecords && this.#startsRecord(depth, item)) {
      // The bracket that opens the array stays with its first record.
      if (this.#hasItem) this.#cut(offset, true)
      this.#isRecord = true
    } else if (this.#findRecords && depth === 1 && this.#isRecord && !item.isContainer) {
      this.#cut(offset, false)
    } else {
      this.#splitSoftly(offset, depth)
    }
    this.#hasItem = true
  }

  #startsRecord(depth: number, item: { inArray: boolean; isContainer: boolean }): boolean {
    return item.inArray && item.isContainer && (depth === 1 || (depth === 2 && !this.#rootIsArray))
  }

  /** Splits a long value at the outermost place seen, else here. */
  #splitSoftly(offset: number, depth: number): void {
    if (offset - this.#start >= TARGET_CHARACTERS) {
      this.#isSplit = true
      if (this.#best !== null && this.#best.depth < depth) this.#cut(this.#best.offset, this.#isRecord)
      if (offset - this.#start >= TARGET_CHARACTERS) this.#cut(offset, this.#isRecord)
    }
    const isOuter = this.#best === null || depth <= this.#best.depth
    if (isOuter && offset - this.#start >= MIN_CHARACTERS) this.#best = { offset, depth }
  }

  /** Gives out what stands before `offset`; what follows is a record, or part of one, if `isRecord`. */
  #cut(offset: number, isRecord: boolean): void {
    const length = offset - this.#start
    for (const text of cutText(this.#pending.slice(0, length), MAX_BLOCK_CHARACTERS)) {
      this.#onPart({ text, isRecord: this.#isRecord || this.#isSplit })
    }
    this.#pending = this.#pending.slice(length)
    this.#start = offset
    this.#isRecord = isRecord
    this.#best = null
  }
}
