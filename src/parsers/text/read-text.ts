import type { ParseEvent } from '../parse-event.ts'
import type { CreateReader } from './block-reader.ts'

/** Characters read before what was found in them is given out: a few milliseconds of work. */
const SLICE_CHARACTERS = 64 * 1024

/** Reads a text that stands in memory. Lazy, so that a caller may pause between events. */
export function* readText(createReader: CreateReader, text: string): Generator<ParseEvent> {
  const events: ParseEvent[] = []
  const reader = createReader((event) => events.push(event), text.slice(0, SLICE_CHARACTERS))
  for (let at = 0; at < text.length; at += SLICE_CHARACTERS) {
    reader.write(text.slice(at, at + SLICE_CHARACTERS))
    yield* events.splice(0)
  }
  reader.end()
  yield* events
}
