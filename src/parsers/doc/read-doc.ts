import { openCompoundFile } from '../ole/compound-file.ts'
import { receiptOf } from '../ooxml/page-receipts.ts'
import type { Block, ParseEvent, SourceFile } from '../parser.ts'
import { type ByteSource, openFileBytes } from '../zip/byte-source.ts'
import { unreadable } from '../zip/unreadable.ts'
import { listParagraphs } from './list-paragraphs.ts'
import { createStoryBlocks } from './story-blocks.ts'
import { readWordFile, type WordFile } from './word-file.ts'
import { readWordHeader, type Story } from './word-header.ts'

/** The text and the tables of 100 MB of Word are far smaller; pictures lie in other streams. */
const MAX_STREAM_BYTES = 100 * 1024 * 1024

/**
 * Reads a Word file from before 2007 (Word 97 to 2003, 95, 6, 2): paragraphs, headings by their styles, list items with their numbers,
 * table rows, then footnotes, endnotes, comments, text boxes, headers and footers. Text that was deleted under tracking is left out.
 * Pages are not in such a file: it counts as one. Throws `unprocessable_document` when it is encrypted, damaged or has no text.
 */
export async function* readDoc(file: SourceFile): AsyncGenerator<ParseEvent> {
  const source = await openFileBytes(file.path)
  try {
    yield* readDocBytes(source)
  } finally {
    await source.close()
  }
}

/** The same from bytes. */
export async function* readDocBytes(source: ByteSource): AsyncGenerator<ParseEvent> {
  const word = await openWordFile(source)
  let characters = 0
  for (const block of listBlocks(word)) {
    characters += block.text.length
    yield { block }
  }
  if (characters === 0) throw unreadable('The Word file has no text.')
  yield { page: receiptOf(1, characters) }
}

async function openWordFile(source: ByteSource): Promise<WordFile> {
  const head = await source.read(0, 2)
  // Word 2 wrote its streams straight to the disk.
  if (head.equals(Buffer.from([0xdb, 0xa5]))) {
    const text = await source.read(0, MAX_STREAM_BYTES)
    return readWordFile(readWordHeader(text), text, text)
  }
  const container = await openCompoundFile(source)
  const stream = container.getStream('WordDocument')
  if (stream === null) throw unreadable('The file is an Office file, but has no Word document in it.')
  const text = await container.read(stream, MAX_STREAM_BYTES)
  const header = readWordHeader(text)
  if (header.tableStream === null) return readWordFile(header, text, text)
  const other = header.tableStream === '0Table' ? '1Table' : '0Table'
  const table = container.getStream(header.tableStream) ?? container.getStream(other)
  if (table === null) throw unreadable('The Word file is damaged: its tables are missing.')
  return readWordFile(header, text, await container.read(table, MAX_STREAM_BYTES))
}

/** Stories that repeat the same words, a header for every section. */
const REPETITIVE: ReadonlySet<Story> = new Set(['headers', 'headerBoxes'])
/** The order of the text: what stands on every page comes last. */
const ORDER: readonly Story[] = ['body', 'footnotes', 'endnotes', 'comments', 'boxes', 'headers', 'headerBoxes']

function* listBlocks(word: WordFile): Generator<Block> {
  for (const story of ORDER) {
    if (word.header.stories[story] === 0 && story !== 'body') continue
    const blocks = createStoryBlocks(word)
    const seen = new Set<string>()
    for (const paragraph of listParagraphs(word)) {
      if (paragraph.story !== story) continue
      const text = paragraph.text.trim()
      if (REPETITIVE.has(story) && seen.has(text)) continue
      seen.add(text)
      yield* blocks.add(paragraph)
    }
    yield* blocks.end()
  }
}
