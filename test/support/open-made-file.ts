import assert from 'node:assert/strict'
import { ApiError } from '../../src/errors.ts'
import { type ByteSource, bufferBytes } from '../../src/parsers/byte-source.ts'
import type { Block, ParseEvent } from '../../src/parsers/parse-event.ts'

/** Functions that read a generated file from memory with the reader of its format. */
export function openMadeFile(readBytes: (source: ByteSource) => AsyncIterable<ParseEvent>) {
  const eventsOf = async (file: Buffer): Promise<ParseEvent[]> => {
    const events: ParseEvent[] = []
    for await (const event of readBytes(bufferBytes(file))) events.push(event)
    return events
  }
  const read = async (file: Buffer): Promise<Block[]> =>
    (await eventsOf(file)).flatMap((event) => ('block' in event ? [event.block] : []))
  return {
    eventsOf,
    /** The blocks of the file. */
    read,
    textOf: async (file: Buffer): Promise<string> => (await read(file)).map(({ text }) => text).join(''),
    /** The reason for the refusal; fails where the file is readable. */
    async refused(file: Buffer): Promise<string> {
      try {
        await read(file)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'unprocessable_document') return error.message
        throw error
      }
      assert.fail('it was read')
    },
  }
}
