import { invalidArchive } from '../invalid-archive.ts'

/** Reads a stream of bytes by lengths that are known beforehand. */
export type ByteReader = {
  /** The next `bytes` bytes as one buffer; `null` at the end of the stream. Rejects where it ends in between. */
  read(bytes: number): Promise<Buffer | null>
  /** The next `bytes` bytes in pieces as they come; rejects where the stream ends before. */
  stream(bytes: number): AsyncGenerator<Buffer>
}

/** A reader of this stream, which it ends when {@link ByteReader} is no longer used and `source` is returned from. */
export function createByteReader(source: AsyncIterator<Buffer>): ByteReader {
  let held: Buffer = Buffer.alloc(0)

  /** At most `most` bytes, at least one; `null` at the end. */
  async function take(most: number): Promise<Buffer | null> {
    while (held.length === 0) {
      const { done, value } = await source.next()
      if (done === true) return null
      held = value
    }
    const taken = held.subarray(0, most)
    held = held.subarray(taken.length)
    return taken
  }

  async function* stream(bytes: number): AsyncGenerator<Buffer> {
    let left = bytes
    while (left > 0) {
      const piece = await take(left)
      if (piece === null) throw endsEarly()
      left -= piece.length
      yield piece
    }
  }

  return {
    stream,
    async read(bytes) {
      const first = await take(bytes)
      if (first === null || first.length === bytes) return first
      const pieces = [first]
      for await (const piece of stream(bytes - first.length)) pieces.push(piece)
      return Buffer.concat(pieces)
    },
  }
}

function endsEarly() {
  return invalidArchive('The archive ends before it is complete.')
}
