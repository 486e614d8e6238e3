import type { Caller } from '../caller.ts'

/** Pages of stored originals as pictures. */
export type PagePicturesService = {
  /**
   * A PNG of a page, from 1, with a span of the extracted text marked on it (UTF-16 offsets), and a tag that changes with it. Rejects with
   * `source_not_stored` where there is no original, no such page, or none that can be drawn.
   */
  draw(
    caller: Caller,
    wanted: { memoryId: string; documentId: string; page: number; span: { start: number; end: number } | null },
    signal: AbortSignal,
  ): Promise<{ png: Buffer; etag: string }>
}
