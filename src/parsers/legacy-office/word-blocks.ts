import type { Block } from '../parse-event.ts'
import { unreadable } from '../parse-event.ts'
import type { CompoundFile } from './compound-file.ts'
import { listParagraphs } from './list-paragraphs.ts'
import { createStoryBlocks } from './story-blocks.ts'
import { readWordFile, type WordFile } from './word-file.ts'
import { readWordHeader, type Story } from './word-header.ts'

/** The text and the tables of 100 MB of Word are far smaller; pictures lie in other streams. */
const MAX_STREAM_BYTES = 100 * 1024 * 1024

/** Opens the Word file in a compound file, or in one of its storages. Throws `unprocessable_document` when it cannot be read. */
export async function openWordFile(container: CompoundFile, storage?: number): Promise<WordFile> {
  const stream = container.getStream('WordDocument', storage)
  if (stream === null) throw unreadable('The file is an Office file, but has no Word document in it.')
  const text = await container.read(stream, MAX_STREAM_BYTES)
  const header = readWordHeader(text)
  if (header.tableStream === null) return readWordFile(header, text, text)
  const other = header.tableStream === '0Table' ? '1Table' : '0Table'
  const table = container.getStream(header.tableStream, storage) ?? container.getStream(other, storage)
  if (table === null) throw unreadable('The Word file is damaged: its tables are missing.')
  return readWordFile(header, text, await container.read(table, MAX_STREAM_BYTES))
}

/** Stories that repeat the same words, a header for every section. */
const REPETITIVE: ReadonlySet<Story> = new Set(['headers', 'headerBoxes'])
/** The order of the text: what stands on every page comes last. */
const ORDER: readonly Story[] = ['body', 'footnotes', 'endnotes', 'comments', 'boxes', 'headers', 'headerBoxes']

/** The blocks of a Word file, story by story. */
export function* wordBlocks(word: WordFile): Generator<Block> {
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
