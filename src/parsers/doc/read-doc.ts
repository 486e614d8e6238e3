import { ApiError } from '../../errors.ts'
import { type ByteSource, readOpenFile } from '../byte-source.ts'
import { readEmbeddedStorage } from '../embedded/read-embedded.ts'
import { type CompoundFile, openCompoundFile } from '../ole/compound-file.ts'
import { readTitle } from '../ole/read-title.ts'
import type { ParseEvent, SourceFile } from '../parse-event.ts'
import { unreadable } from '../unreadable.ts'
import { openWordFile, wordBlocks } from './word-blocks.ts'
import { readWordFile, type WordFile } from './word-file.ts'
import { readWordHeader } from './word-header.ts'

const MAX_BARE_BYTES = 100 * 1024 * 1024
/** Embedded files lie in storages inside this one. MS-DOC 2.1.4. */
const OBJECT_POOL = 'ObjectPool'

/**
 * Reads a Word file from before 2007 (Word 97 to 2003, 95, 6, 2): paragraphs, headings by their styles, list items with their numbers,
 * table rows, then footnotes, endnotes, comments, text boxes, headers and footers, and the text of embedded files one level
 * deep. Text that was deleted under tracking is left out. Where its pages end stands in no such file. Throws
 * `unprocessable_document` when it is encrypted, damaged or has no text.
 */
export function readDoc(file: SourceFile): AsyncGenerator<ParseEvent> {
  return readOpenFile(file.path, readDocBytes)
}

/** The same from bytes. */
export async function* readDocBytes(source: ByteSource): AsyncGenerator<ParseEvent> {
  let characters = 0
  try {
    for await (const event of listEvents(source)) {
      if ('block' in event) characters += event.block.text.length
      yield event
    }
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The Word file is damaged: it cannot be read.', error)
  }
  if (characters === 0) throw unreadable('The Word file has no text.')
}

async function* listEvents(source: ByteSource): AsyncGenerator<ParseEvent> {
  const head = await source.read(0, 2)
  // Word 2 wrote its stream straight to the disk.
  if (head.equals(Buffer.from([0xdb, 0xa5]))) {
    yield* eventsOf(await openBareFile(source))
    return
  }
  const container = await openCompoundFile(source)
  const word = await openWordFile(container)
  const title = await readTitle(container)
  if (title !== null) yield { title, over: 'file-name' }
  yield* eventsOf(word)
  yield* embeddedEvents(container)
}

async function openBareFile(source: ByteSource): Promise<WordFile> {
  const text = await source.read(0, MAX_BARE_BYTES)
  return readWordFile(readWordHeader(text), text, text)
}

function* eventsOf(word: WordFile): Generator<ParseEvent> {
  for (const block of wordBlocks(word)) yield { block }
}

async function* embeddedEvents(container: CompoundFile): AsyncGenerator<ParseEvent> {
  for (const [index, entry] of container.entries.entries()) {
    const parent = entry.parent === null ? undefined : container.entries[entry.parent]
    if (!entry.isStream && parent?.name === OBJECT_POOL) yield* readEmbeddedStorage(container, index)
  }
}
