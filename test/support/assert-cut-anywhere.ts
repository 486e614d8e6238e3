import assert from 'node:assert/strict'
import type { CreateReader } from '../../src/parsers/text/block-reader.ts'

/** Fails unless a reader gives the same text wherever the file is cut into two pieces. */
export function assertCutAnywhere(createReader: CreateReader, file: string): void {
  const whole = readPieces(createReader, [file])
  assert.notEqual(whole, '')
  for (let at = 1; at < file.length; at++) {
    assert.equal(readPieces(createReader, [file.slice(0, at), file.slice(at)]), whole, String(at))
  }
}

function readPieces(createReader: CreateReader, pieces: readonly string[]): string {
  let text = ''
  const reader = createReader((event) => {
    if ('block' in event) text += event.block.text
  }, pieces[0] ?? '')
  for (const piece of pieces) reader.write(piece)
  reader.end()
  return text
}
