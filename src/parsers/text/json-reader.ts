import { ApiError } from '../../errors.ts'
import { type BlockReader, cutText, type Emit, findCutPosition, MAX_BLOCK_CHARACTERS } from './block-reader.ts'
import { createJsonScanner, type JsonProblem } from './json-scanner.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'

/**
 * Reads a JSON text as blocks of its raw text: records if any, else parts of about the size of a
 * chunk.
 */
export function createJsonReader(emit: Emit): BlockReader {
  const splitter = createJsonSplitter(({ text, isRecord }) => {
    emit({ block: { text, kind: isRecord ? 'record' : 'paragraph' } })
  }, true)
  return {
    write: (text) => requireValid(splitter.write(text)),
    end: () => requireValid(splitter.end()),
  }
}

function requireValid(problem: JsonProblem | null): void {
  if (problem === null) return
  const { message, line, column, offset } = problem
  throw new ApiError('unprocessable_document', {
    message: `The JSON is malformed at line ${line}, column ${column} (offset ${offset}): ${message}.`,
    remedy: 'Correct the file, or name it .txt to have it read as plain text.',
  })
}

/** Maximum number of invalid lines named in a warning. */
const MAX_NAMED_LINES = 5

/** Statistics of the lines; blank lines are not values. */
type LineStats = { line: number; values: number; bad: number; named: number[] }

/**
 * Reads JSON Lines: one record per line, long records in parts. Invalid lines are kept and named in
 * a warning; if all are invalid, the document is rejected.
 */
export function createJsonlReader(emit: Emit): BlockReader {
  const tally: LineStats = { line: 0, values: 0, bad: 0, named: [] }
  const onLine = createLineReader(emit, tally)
  const lines = createLineSplitter(onLine)
  return {
    write: lines.write,
    end() {
      lines.end()
      reportInvalidLines(tally, emit)
    },
  }
}

function createLineReader(emit: Emit, tally: LineStats): (line: Line) => void {
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
    countLine(tally, current.isBad)
    current = null
  }
}

function countLine(tally: LineStats, isBad: boolean): void {
  tally.values += 1
  if (!isBad) return
  tally.bad += 1
  if (tally.named.length < MAX_NAMED_LINES) tally.named.push(tally.line)
}

function reportInvalidLines(tally: LineStats, emit: Emit): void {
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

/** A part of a JSON text; `isRecord` is true for records, and for parts of split values. */
type JsonPart = { text: string; isRecord: boolean }

/** Takes a JSON text in chunks. */
type JsonSplitter = {
  /** Returns the first problem, if any. Text after the problem is emitted without structure. */
  write(text: string): JsonProblem | null
  end(): JsonProblem | null
}

/** Target size of a split value: the size of a chunk. */
const TARGET_CHARACTERS = 1000
/** A split must not leave a smaller part. */
const MIN_CHARACTERS = 250

/**
 * Splits a JSON text into parts of its raw text. With `findRecords`, each object or array in a
 * top-level array, or in an array property of the top-level object, is a part. Otherwise the whole
 * text is a record.
 *
 * Values over about 1,000 characters are split between elements and properties, outer levels first.
 * Long strings are cut at {@link MAX_BLOCK_CHARACTERS}.
 */
function createJsonSplitter(onPart: (part: JsonPart) => void, findRecords: boolean): JsonSplitter {
  return new Splitter(onPart, findRecords)
}

class Splitter implements JsonSplitter {
  readonly #onPart: (part: JsonPart) => void
  readonly #findRecords: boolean
  readonly #scanner = createJsonScanner((offset, depth, item) => this.#item(offset, depth, item))
  /** Text that was written but not emitted, from offset `#start`. */
  #pending = ''
  #start = 0
  #isRecord: boolean
  #rootIsArray = false
  #hasItem = false
  /** True after a value was split: its parts must not be joined as prose. */
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
      // The opening bracket of the array stays with its first record.
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

  /** Splits a long value at the outermost position seen, else here. */
  #splitSoftly(offset: number, depth: number): void {
    if (offset - this.#start >= TARGET_CHARACTERS) {
      this.#isSplit = true
      if (this.#best !== null && this.#best.depth < depth) this.#cut(this.#best.offset, this.#isRecord)
      if (offset - this.#start >= TARGET_CHARACTERS) this.#cut(offset, this.#isRecord)
    }
    const isOuter = this.#best === null || depth <= this.#best.depth
    if (isOuter && offset - this.#start >= MIN_CHARACTERS) this.#best = { offset, depth }
  }

  /** Emits the text before `offset`; `isRecord` applies to the text after. */
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
