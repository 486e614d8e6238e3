import { looksLikeMarkdown } from './markdown/looks-like-markdown.ts'
import { createMarkdownReader } from './markdown/markdown-reader.ts'
import type { Block } from './parse-event.ts'
import { createPlainTextReader } from './plain-text.ts'
import { headOf, readText } from './text/read-text.ts'

/**
 * The blocks of a text that came in a request, whole or in pieces (`readText`), read as Markdown where it clearly is, as plain text otherwise. Lazy: a caller may
 * pause between blocks. Their concatenation is `text`.
 */
export function* textDocumentBlocks(text: string | readonly string[]): Generator<Block> {
  const createReader = looksLikeMarkdown(headOf(text)) ? createMarkdownReader : createPlainTextReader
  for (const event of readText(createReader, text)) if ('block' in event) yield event.block
}
