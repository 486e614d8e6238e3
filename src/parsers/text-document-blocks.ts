import { looksLikeMarkdown } from './markdown/looks-like-markdown.ts'
import { createMarkdownReader } from './markdown/markdown-reader.ts'
import type { Block } from './parse-event.ts'
import { createPlainTextReader } from './plain-text.ts'
import { readText } from './text/read-text.ts'

/**
 * The blocks of a text that came in a request, read as Markdown where it clearly is, as plain text otherwise. Lazy: a caller may
 * pause between blocks. Their concatenation is `text`.
 */
export function* textDocumentBlocks(text: string): Generator<Block> {
  const createReader = looksLikeMarkdown(text) ? createMarkdownReader : createPlainTextReader
  for (const event of readText(createReader, text)) if ('block' in event) yield event.block
}
