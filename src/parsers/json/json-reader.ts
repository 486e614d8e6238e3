import { ApiError } from '../../errors.ts'
import type { BlockReader, Emit } from '../text/block-reader.ts'
import type { JsonProblem } from './json-scanner.ts'
import { createJsonSplitter } from './json-splitter.ts'

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
