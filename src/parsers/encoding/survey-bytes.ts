import { isUtf8 } from 'node:buffer'
import type { ByteSource } from '../byte-source.ts'

/** What one pass over the bytes of a file shows. All counts are of the whole file. */
export type ByteSurvey = {
  bytes: number
  /** The first {@link HEAD_BYTES} bytes. */
  head: Buffer
  /** Bytes around the first ones that are not ASCII, at most {@link SAMPLE_BYTES}: what an encoding is told by. */
  sample: Buffer
  isUtf8: boolean
  /** Reads of the file, of 64 KB each, that hold bytes which are not valid UTF-8. */
  brokenReads: number
  nulBytes: number
  /** Control characters that texts do not have, counted as bytes. */
  controlBytes: number
  /** True when there is a byte that is neither white space nor a control character. */
  hasInk: boolean
}

/** Enough for the dialect of a table and the first records of a JSON file; also one read. */
export const HEAD_BYTES = 64 * 1024
/** Bytes around characters beyond ASCII; more tells no more, and takes a detector longer than the event loop should wait. */
const SAMPLE_BYTES = 16 * 1024
/** Of each read, so that a later part of the file has its say; and what stands before the first such character. */
const SAMPLE_BYTES_A_READ = 8 * 1024
const LEAD_BYTES = 256

/** Bytes that make a file binary: C0 controls but for \b \t \n \v \f \r, ^Z (the end mark of DOS) and ESC (colours in logs). */
const IS_CONTROL = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte > 0 && byte < 8) || (byte > 13 && byte < 26) || (byte > 27 && byte < 32) || byte === 127 ? 1 : 0,
)

/** Reads a file once, a piece at a time, and counts. Rejects when it cannot be read. */
export async function surveyBytes(source: ByteSource): Promise<ByteSurvey> {
  const survey = createByteSurvey()
  for (let at = 0; at < source.bytes; at += HEAD_BYTES) survey.add(await source.read(at, HEAD_BYTES))
  return survey.finish()
}

/** The counting itself, for bytes that come in pieces of any size. */
export function createByteSurvey(): { add(chunk: Buffer): void; finish(): ByteSurvey } {
  const head: Buffer[] = []
  const sample: Buffer[] = []
  let headBytes = 0
  let sampleBytes = 0
  let tail: Buffer = Buffer.alloc(0)
  const counts = { bytes: 0, brokenReads: 0, nulBytes: 0, controlBytes: 0, hasInk: false }

  return {
    add(chunk) {
      if (headBytes < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - headBytes))
      headBytes += chunk.length
      const hasHighBytes = countBytes(chunk, counts)
      if (hasHighBytes && sampleBytes < SAMPLE_BYTES) {
        const start = Math.max(0, chunk.findIndex((byte) => byte > 127) - LEAD_BYTES)
        const piece = chunk.subarray(start, start + SAMPLE_BYTES_A_READ)
        sample.push(piece)
        sampleBytes += piece.length
      }
      const whole = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
      const cut = whole.length - countOpenBytes(whole)
      if (!isUtf8(whole.subarray(0, cut))) counts.brokenReads += 1
      tail = whole.subarray(cut)
    },
    finish() {
      if (tail.length > 0) counts.brokenReads += 1
      const beginning = Buffer.concat(head)
      return {
        ...counts,
        head: beginning,
        sample: sampleBytes > 0 ? Buffer.concat(sample) : beginning.subarray(0, SAMPLE_BYTES),
        isUtf8: counts.brokenReads === 0,
      }
    },
  }
}

function countBytes(
  chunk: Buffer,
  counts: { bytes: number; nulBytes: number; controlBytes: number; hasInk: boolean },
): boolean {
  let high = 0
  let nul = 0
  let control = 0
  let ink = 0
  for (let at = 0; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0
    high |= byte
    if (byte === 0) nul += 1
    else if (byte > 32 && byte !== 127) ink = 1
    control += IS_CONTROL[byte] ?? 0
  }
  counts.bytes += chunk.length
  counts.nulBytes += nul
  counts.controlBytes += control
  counts.hasInk ||= ink === 1
  return high > 127
}

/** Bytes at the end that begin a UTF-8 sequence which the next piece has to finish: 0 to 3. */
function countOpenBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? back : 0
    }
  }
  return 0
}
