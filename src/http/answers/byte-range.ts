/** A Range header as `DocumentsService.source` takes it: `start` null asks for the last `end` bytes, `end` null for all from `start`. */
export type ByteRange = { start: number | null; end: number | null }

/**
 * The one range a Range header asks for. `null`, which answers with the whole, for no header, another unit, several
 * ranges and what cannot be read: RFC 9110, section 14.2, lets a server ignore those.
 */
export function parseByteRange(header: string | undefined): ByteRange | null {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '')
  const [, from = '', to = ''] = match ?? []
  if (match === null || (from === '' && to === '')) return null
  const start = from === '' ? null : Number(from)
  const end = to === '' ? null : Number(to)
  return start !== null && end !== null && end < start ? null : { start, end }
}
