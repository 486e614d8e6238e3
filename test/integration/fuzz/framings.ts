/** Framings after which the server waits for more data. */
export const UNFINISHED: ReadonlySet<string> = new Set(['short', 'no-last-chunk'])

/** Ways of saying where a body ends; only `length` and `chunked` are right. */
export const FRAMINGS = [
  'chunked',
  'short',
  'long',
  'both',
  'bad-chunk',
  'no-last-chunk',
  'bad-length',
  'two-lengths',
  'huge-length',
  'garbage',
]

/** A head without its last lines and a body, as bytes. */
export function frame(head: string, body: Buffer, framing: string): Buffer {
  const withHead = (line: string, ...content: (Buffer | string)[]) =>
    Buffer.concat([Buffer.from(`${head}${line}\r\n`), ...content.map((one) => Buffer.from(one as string))])
  const { length } = body
  const chunk = [`${length.toString(16)}\r\n`, body, '\r\n']
  switch (framing) {
    case 'chunked':
      return withHead('Transfer-Encoding: chunked\r\n', ...(length === 0 ? [] : chunk), '0\r\n\r\n')
    case 'short':
      return withHead(`Content-Length: ${length + 10}\r\n`, body)
    case 'long':
      return withHead(`Content-Length: ${Math.max(0, length - 3)}\r\n`, body)
    case 'both':
      return withHead(`Content-Length: ${length}\r\nTransfer-Encoding: chunked\r\n`, ...chunk, '0\r\n\r\n')
    case 'bad-chunk':
      return withHead('Transfer-Encoding: chunked\r\n', `${(length + 5).toString(16)}\r\n`, body, '\r\nzz\r\n')
    case 'no-last-chunk':
      return withHead('Transfer-Encoding: chunked\r\n', ...(length === 0 ? [] : chunk))
    case 'bad-length':
      return withHead('Content-Length: -1\r\n', body)
    case 'two-lengths':
      return withHead(`Content-Length: ${length}\r\nContent-Length: ${length + 1}\r\n`, body)
    case 'huge-length':
      return withHead('Content-Length: 99999999999999999999\r\n', body)
    case 'garbage':
      return withHead(`Content-Length: ${length}\r\n`, body, '\0\u0001\u0002 garbage\r\n\r\n')
    default:
      return length === 0 ? withHead('') : withHead(`Content-Length: ${length}\r\n`, body)
  }
}
