import { pluralize } from '../../../text/pluralize.ts'
import type { ReadingProgress } from '../indexing/index-document.ts'

/**
 * How far the reading of a file is, in percent up to 99 and in words: by pages where their number is known, by characters of the file's
 * `bytes` otherwise. A sheet of a million rows is one page, so what of it is indexed is told as well.
 */
export function describeReading(
  { characters, chunks, pageCount, pages, recognized }: Omit<ReadingProgress, 'pages'> & { pages: readonly unknown[] },
  bytes: number,
): { percent: number; message: string } {
  const indexed = `indexed ${pluralize(chunks, 'chunk')}`
  if (pageCount === null || pageCount === 0)
    return { percent: Math.floor((99 * characters) / Math.max(1, bytes)), message: indexed }
  const further = recognized === 0 ? indexed : `recognised ${recognized}`
  const percent = Math.floor((99 * pages.length) / pageCount)
  return { percent, message: `read ${pages.length} of ${pluralize(pageCount, 'page')}, ${further}` }
}
