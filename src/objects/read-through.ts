import { PassThrough, pipeline, type Readable } from 'node:stream'
import { ApiError } from '../errors.ts'

/** Our choice: stores send something every few milliseconds; what a reader does with it meanwhile is not counted. */
const SILENCE_MS = 10_000

/**
 * The stream as it is, whose failures are `service_unavailable`; one is that it brings nothing for `silenceMs` while somebody waits for it.
 * A time-out of the connection itself would end it for a slow reader as well.
 */
export function readThrough(source: Readable, silenceMs: number = SILENCE_MS): Readable {
  const through = new PassThrough({
    destroy: (cause, done) => done(cause === null ? null : new ApiError('service_unavailable', { cause })),
  })
  const timer = setTimeout(() => {
    if (through.writableNeedDrain) timer.refresh()
    else source.destroy(new Error(`no byte of an object came for ${silenceMs} ms`))
  }, silenceMs)
  source.on('data', () => timer.refresh())
  pipeline(source, through, () => clearTimeout(timer))
  return through
}
