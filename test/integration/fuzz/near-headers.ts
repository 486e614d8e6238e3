import fc from 'fast-check'
import { HOSTILE_TEXTS } from './near-values.ts'
import type { Targets } from './targets.ts'

export type Header = readonly [name: string, value: string]

/** Credentials in several forms, mostly with a valid key. */
export function credentials({ keys, wrongKeys }: Targets): fc.Arbitrary<Header[]> {
  const [key = ''] = keys
  const bearer: Header = ['Authorization', `Bearer ${key}`]
  const wrong = fc.constantFrom(...wrongKeys)
  return fc.oneof(
    { arbitrary: fc.constant<Header[]>([bearer]), weight: 30 },
    { arbitrary: fc.constantFrom(...keys).map((one): Header[] => [['x-api-key', one]]), weight: 8 },
    { arbitrary: wrong.map((one): Header[] => [['Authorization', `Bearer ${one}`]]), weight: 1 },
    { arbitrary: wrong.map((one): Header[] => [bearer, ['X-API-Key', one]]), weight: 1 },
    {
      arbitrary: fc.constantFrom<Header[]>(
        [],
        [bearer, ['X-API-Key', key]],
        [bearer, bearer],
        [['Authorization', key]],
        [['Authorization', `Basic ${key}`]],
        [['Authorization', `bEARER   ${key}`]],
        [['Authorization', 'Bearer']],
        [['X-API-Key', '']],
        [['X-API-Key', `${key}, ${key}`]],
        [['Authorization', `Bearer ${'k'.repeat(12_000)}`]],
      ),
      weight: 1,
    },
  )
}

/** Headers valid in HTTP, with values that an endpoint may refuse. */
export function plainHeaders(targets: Targets): fc.Arbitrary<Header[]> {
  const repeated = fc.constantFrom('once', 'twice', 'thrice')
  const own = fc.constantFrom(
    '',
    'x',
    'x'.repeat(255),
    'x'.repeat(256),
    '\u00e9',
    '"',
    "' OR 1=1",
    ...Object.values(targets.ids).flat(),
  )
  const range = fc.oneof(
    fc.constantFrom(
      'bytes=0-',
      'bytes=-1',
      'bytes=5-1',
      'bytes=99999-',
      'bytes=0-0,2-3',
      'bytes=',
      'bytes=a-b',
      'lines=1-2',
      'bytes=-0',
      `bytes=${'9'.repeat(400)}-`,
      `bytes=${'0-1,'.repeat(1000)}`,
      'bytes=18446744073709551616-',
    ),
    fc.tuple(fc.nat(200), fc.nat(200)).map(([from, to]) => `bytes=${from}-${to}`),
  )
  return fc.oneof(
    fc.oneof(repeated, own).map((value): Header[] => [['Idempotency-Key', value]]),
    range.map((value): Header[] => [['Range', value]]),
    fc.constantFrom<Header[]>(
      [['Accept', 'text/event-stream']],
      [['Accept', 'application/xml;q=nonsense']],
      [['Accept-Encoding', 'gzip, br, *;q=0']],
      [['Accept-Language', '*'.repeat(3000)]],
      [
        ['If-None-Match', '*'],
        ['If-Range', '"x"'],
      ],
      [['Content-Encoding', 'gzip']],
      [['Content-Encoding', 'identity']],
      [['X-HTTP-Method-Override', 'DELETE']],
      [['X-Request-Id', 'req_forged']],
      [
        ['X-Forwarded-For', '1.2.3.4'],
        ['Forwarded', 'for=1.2.3.4'],
      ],
      [['Cookie', 'a=b; '.repeat(500)]],
      [['Expect', '100-continue']],
      Array.from({ length: 150 }, (_, index): Header => [`X-${index}`, String(index)]),
    ),
  )
}

/** Malformed headers, and headers that change the framing. */
export const strangeHeaders: fc.Arbitrary<Header[]> = fc.oneof(
  fc.constantFrom<Header[]>(
    [['X-Long', 'z'.repeat(20_000)]],
    [['Host', 'other']],
    [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
    ],
    [
      ['Connection', 'Upgrade, HTTP2-Settings'],
      ['Upgrade', 'h2c'],
      ['HTTP2-Settings', 'AAMAAABkAARAAAAAAAIAAAAA'],
    ],
    [['Expect', 'wonders']],
    [['Connection', 'close']],
    [['Transfer-Encoding', 'gzip']],
    [['Trailer', 'X']],
    [['Bad Name', 'x']],
    [['', 'x']],
    [['X-Folded', 'a\r\n b']],
    [['X-Injected', 'a\r\nContent-Length: 0']],
  ),
  fc.constantFrom(...HOSTILE_TEXTS.slice(0, 40)).map((text): Header[] => [['X-Text', text]]),
  fc.constantFrom(...HOSTILE_TEXTS.slice(0, 40)).map((text): Header[] => [['Idempotency-Key', text]]),
  fc.constantFrom(...HOSTILE_TEXTS.slice(0, 40)).map((text): Header[] => [['Authorization', `Bearer ${text}`]]),
  fc.constantFrom(...HOSTILE_TEXTS.slice(0, 40)).map((text): Header[] => [['Content-Type', text]]),
)
