/** A passage of a document; `text` is exactly the extracted text from `startOffset` to `endOffset` (UTF-16 code units). */
export type Chunk = {
  /** Never empty, no white space at either end. */
  text: string
  startOffset: number
  endOffset: number
  /** First and last page, slide or sheet it stands on, from 1; `null` where the document has none. */
  page: number | null
  pageEnd: number | null
  /** The headings above it, outermost first, joined by ` > `; `null` where there are none. */
  section: string | null
  /** The header of the table its rows belong to, where that header stands in an earlier chunk. */
  header: string | null
}
