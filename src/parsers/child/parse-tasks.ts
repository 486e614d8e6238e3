/** What a child process does: reading and drawing documents. A module with further tasks takes these up in its own `tasks`. */
import { READ_DOCUMENT } from '../document-readers.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../parse-event.ts'
import { renderPage } from '../pdf/render-page.ts'
import type { Tasks } from './task.ts'

/** `parse` yields {@link ParseEvent}s; `render-page` returns a picture. */
export const tasks: Tasks = { parse, 'render-page': drawPage }

/** Input of `parse`. */
export type ParseInput = { source: SourceFile; type: SniffedType }
/** Input of `render-page`. */
export type RenderInput = { source: SourceFile; page: number; dpi: number; colours: 'gray' | 'rgba' }

async function* parse(input: unknown): AsyncGenerator<ParseEvent, void> {
  const { source, type } = input as ParseInput
  const load = READ_DOCUMENT[type.format]
  if (load === undefined) throw new Error(`no reader for the format ${type.format}`)
  const read = await load()
  yield* read(source, type)
}

// biome-ignore lint/correctness/useYield: a picture comes whole.
async function* drawPage(input: unknown): AsyncGenerator<never, unknown> {
  const { source, page, dpi, colours } = input as RenderInput
  return renderPage(source, page, { dpi, colours })
}
