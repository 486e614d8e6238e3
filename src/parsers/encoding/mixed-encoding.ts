import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { countOpenBytes } from './survey-bytes.ts'

const PREFIX = 'utf-8 or '

/** Name of an encoding by line: UTF-8 where a line is valid, `legacy` otherwise. */
export function mixWithUtf8(legacy: string): string {
  return `${PREFIX}${legacy}`
}

/** True for the names that {@link mixWithUtf8} returns. */
export function isMixed(encoding: string): boolean {
  return encoding.startsWith(PREFIX)
}

/** Longer lines are decoded in parts. */
const MAX_LINE_BYTES = 1024 * 1024
const LINE_FEED = 0x0a

/** Creates a streaming decoder by line for the encodings that {@link isMixed} accepts. */
export function createMixedDecoder(encoding: string): { write(bytes: Buffer): string; end(): string } {
  const legacy = encoding.slice(PREFIX.length)
  let rest: Buffer = Buffer.alloc(0)

  function decode(bytes: Buffer): string {
    if (isUtf8(bytes)) return bytes.toString('utf8')
    return splitLines(bytes)
      .map((line) => decodeLine(line, legacy))
      .join('')
  }

  return {
    write(bytes) {
      const whole = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
      const end = whole.length > MAX_LINE_BYTES ? whole.length : whole.lastIndexOf(LINE_FEED) + 1
      rest = whole.subarray(end)
      return decode(whole.subarray(0, end))
    },
    end: () => decode(rest),
  }
}

/** Splits bytes after line feeds. */
export function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, start)
    const end = feed < 0 ? bytes.length : feed + 1
    lines.push(bytes.subarray(start, end))
    start = end
  }
  return lines
}

/** A line that was cut within a character, or has few invalid bytes, is UTF-8. */
function decodeLine(line: Buffer, legacy: string): string {
  const closed = line.subarray(0, line.length - countOpenBytes(line))
  if (isUtf8(closed)) return closed.toString('utf8')
  const text = line.toString('utf8')
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  const whole = text.match(/[^\0-\x7f\uFFFD]/g)?.length ?? 0
  return whole > broken ? text : iconv.decode(line, legacy)
}
