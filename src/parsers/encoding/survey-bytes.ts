import { isUtf8 } from 'node:buffer'
import type { ByteSource } from '../byte-source.ts'

/** Statistics of a single pass over a file. All counts cover the whole file. */
export type ByteSurvey = {
  bytes: number
  /** The first {@link HEAD_BYTES} bytes. */
  head: Buffer
  /** At most {@link SAMPLE_BYTES} bytes around the first non-ASCII bytes, for the detector. */
  sample: Buffer
  isUtf8: boolean
  /** Number of 64 KB reads with invalid UTF-8. */
  invalidReads: number
  nulBytes: number
  /** Number of control characters that texts do not contain. */
  controlBytes: number
  /** True if any byte is neither white space nor a control character. */
  hasVisibleBytes: boolean
}

/** Size of a read; enough for the dialect of a table and the first records of a JSON file. */
export const HEAD_BYTES = 64 * 1024
/** More bytes add no evidence, and would keep the detector on the event loop too long. */
const SAMPLE_BYTES = 16 * 1024
/**
 * Sample bytes per read, so that later parts of the file count too; and bytes before the first
 * non-ASCII byte.
 */
const SAMPLE_BYTES_PER_READ = 8 * 1024
const LEAD_BYTES = 256

/**
 * Control bytes that make a file binary: C0 except \b \t \n \v \f \r, ^Z (end mark of DOS) and ESC
 * (colours in logs).
 */
const IS_CONTROL = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte > 0 && byte < 8) || (byte > 13 && byte < 26) || (byte > 27 && byte < 32) || byte === 127 ? 1 : 0,
)

/** Reads a file once in chunks. Rejects if the file cannot be read. */
export async function surveyBytes(source: ByteSource): Promise<ByteSurvey> {
  const survey = createByteSurvey()
  for await (const chunk of readChunks(source)) survey.add(chunk)
  return survey.finish()
}

/** Reads a source from start to end. */
export async function* readChunks(source: ByteSource): AsyncGenerator<Buffer> {
  for (let at = 0; at < source.bytes; at += HEAD_BYTES) yield await source.read(at, HEAD_BYTES)
}

/** Creates the counter for chunks of any size. */
export function createByteSurvey(): { add(chunk: Buffer): void; finish(): ByteSurvey } {
  const head: Buffer[] = []
  const sample: Buffer[] = []
  let headBytes = 0
  let sampleBytes = 0
  let tail: Buffer = Buffer.alloc(0)
  const counts = { bytes: 0, invalidReads: 0, nulBytes: 0, controlBytes: 0, hasVisibleBytes: false }

  return {
    add(chunk) {
      if (headBytes < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - headBytes))
      headBytes += chunk.length
      const hasHighBytes = countBytes(chunk, counts)
      if (hasHighBytes && sampleBytes < SAMPLE_BYTES) {
        const start = Math.max(0, chunk.findIndex((byte) => byte > 127) - LEAD_BYTES)
        const piece = chunk.subarray(start, start + SAMPLE_BYTES_PER_READ)
        sample.push(piece)
        sampleBytes += piece.length
      }
      const whole = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
      const cut = whole.length - countOpenBytes(whole)
      if (!isUtf8(whole.subarray(0, cut))) counts.invalidReads += 1
      tail = whole.subarray(cut)
    },
    finish() {
      if (tail.length > 0) counts.invalidReads += 1
      const beginning = Buffer.concat(head)
      return {
        ...counts,
        head: beginning,
        sample: sampleBytes > 0 ? Buffer.concat(sample) : beginning.subarray(0, SAMPLE_BYTES),
        isUtf8: counts.invalidReads === 0,
      }
    },
  }
}

function countBytes(
  chunk: Buffer,
  counts: { bytes: number; nulBytes: number; controlBytes: number; hasVisibleBytes: boolean },
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
  counts.hasVisibleBytes ||= ink === 1
  return high > 127
}

/** Returns the number of bytes, 0 to 3, of an incomplete UTF-8 sequence at the end. */
export function countOpenBytes(bytes: Buffer): number {
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
