/** Reading that is counted; in everything else it is as before. */
import type { ParserPool } from '../../parsers/child/parser-pool.ts'
import type { DocumentReader } from '../../services/reading/document-reader.ts'
import type { ReadEvent } from '../../services/reading/read-event.ts'
import type { Meters } from './meters.ts'
import { timedCall } from './timed-call.ts'

/** Counts every page by what became of it. */
export function meteredReader(reader: DocumentReader, { pageRead }: Pick<Meters, 'pageRead'>): DocumentReader {
  async function* counted(events: AsyncIterable<ReadEvent>): AsyncGenerator<ReadEvent> {
    for await (const event of events) {
      if ('page' in event) pageRead(event.page.method)
      yield event
    }
  }
  return {
    ...reader,
    recognize: (...given) => counted(reader.recognize(...given)),
    read: (...given) => counted(reader.read(...given)),
  }
}

/** Counts the tasks that give one result: pages that are recognised or drawn. */
export function meteredPool(pool: ParserPool, { taskEnded }: Pick<Meters, 'taskEnded'>): ParserPool {
  return {
    ...pool,
    run: (task, input, options) =>
      timedCall(
        () => pool.run(task, input, options),
        (end) => taskEnded({ task, ...end }),
        options?.signal,
      ),
  }
}
