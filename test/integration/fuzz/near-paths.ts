import fc from 'fast-check'
import type { Operation, Schema } from './api-operations.ts'
import { anyText, fitting } from './near-values.ts'
import type { Targets } from './targets.ts'

/** A part of a request line. `isClean`: valid in HTTP; `isProper`: as the operation names it. */
export type Piece = { text: string; isClean: boolean; isProper: boolean }

const RAW_SEGMENTS = [
  '%zz',
  '%',
  '\0',
  'a b',
  '\u00ff',
  '\t',
  '\u007f',
  'é',
  '東京',
  '\\..\\',
  '..',
  '.',
  '%2e%2e%2f',
  '%2F',
  '%00',
  '%ff',
  '%ed%a0%80',
  ';a=b',
  '@',
  '*',
  '',
  '//',
  'x'.repeat(14_000),
  '%41'.repeat(3000),
]

const PAGES = ['1.png', '2.png', '0.png', '-1.png', '999999.png', '1e9.png', 'x.png', '.png', '1.5.png', '1.PNG', '1']

/** Paths of an operation, with existing, missing and malformed identifiers. */
export function nearPath({ path }: Operation, targets: Targets): fc.Arbitrary<Piece> {
  const segments = path.split('/').map((segment, index, all) => {
    if (segment === '{page}.png') return fc.constantFrom(...PAGES).map(piece)
    if (!segment.startsWith('{')) return fc.constant(piece(segment))
    const collection = segment === '{documentId}' ? 'documents' : (all[index - 1] ?? '')
    // Memories are models and vector stores of other clients.
    const isOther = collection === 'models' || collection === 'vector_stores'
    return identifier(targets, isOther ? 'memories' : (collection as keyof Targets['ids']))
  })
  const joined = fc.tuple(...segments).map((some) => ({
    text: some.map(({ text }) => text).join('/'),
    isClean: some.every(({ isClean }) => isClean),
    isProper: true,
  }))
  const ends = ['/', '//', '/x', '?', '#a', '%20', '.json', '/..', '\r\n', '/%2e%2e/%2e%2e/etc/passwd']
  const odd = fc
    .tuple(joined, fc.constantFrom(...ends))
    .map(([{ text }, end]) => ({ text: text + end, isClean: false, isProper: false }))
  const other = fc
    .tuple(joined, fc.constantFrom('http://127.0.0.1', 'x', '*', '/', '/v1', '/V1', '//'))
    .map(([{ text }, start]) => ({ text: start + text, isClean: false, isProper: false }))
  return fc.oneof({ arbitrary: joined, weight: 20 }, { arbitrary: odd, weight: 1 }, { arbitrary: other, weight: 1 })
}

function piece(text: string): Piece {
  return { text, isClean: true, isProper: true }
}

function identifier({ ids }: Targets, name: keyof Targets['ids']): fc.Arbitrary<Piece> {
  const [first = '', ...others] = ids[name]
  const changed = fc.constantFrom(
    first.toUpperCase(),
    first.slice(0, -1),
    `${first}0`,
    first.replace(/.$/, 'i'),
    `${first}.0`,
    `${first}%20`,
    `mem_${first.slice(4)}`,
  )
  return fc.oneof(
    { arbitrary: fc.constant(piece(first)), weight: 12 },
    { arbitrary: fc.constantFrom(...others, ...Object.values(ids).flat()).map(piece), weight: 4 },
    { arbitrary: changed.map(piece), weight: 2 },
    {
      arbitrary: anyText.map((text) =>
        piece(encodeURIComponent(text.toWellFormed()).slice(0, 9000).replace(/%.?$/, '') || '-'),
      ),
      weight: 2,
    },
    {
      arbitrary: fc.constantFrom(...RAW_SEGMENTS).map((text) => ({ text, isClean: false, isProper: false })),
      weight: 1,
    },
  )
}

/** Query strings of an operation: valid values, invalid values and malformed queries. */
export function nearQuery({ query }: Operation, targets: Targets): fc.Arbitrary<Piece> {
  const known = [...targets.cursors, ...Object.values(targets.ids).flat()]
  const value = (schema: Schema) =>
    fc.oneof(
      { arbitrary: fitting(schema, known).map(String), weight: 5 },
      { arbitrary: fc.constantFrom(...targets.cursors).map((cursor) => cursor.slice(0, -2)), weight: 1 },
      { arbitrary: anyText, weight: 2 },
    )
  const pairs = query.map(({ name, schema }) =>
    value(schema).map((text) => `${name}=${encodeURIComponent(text.toWellFormed())}`),
  )
  const usual =
    pairs.length === 0
      ? fc.constant('')
      : fc.subarray(pairs).chain((some) => fc.tuple(...some).map((list) => list.join('&')))
  const names = query.map(({ name }) => name)
  const name = fc.constantFrom(
    ...names,
    ...names.map((one) => `${one}[]`),
    '__proto__',
    'constructor[prototype]',
    'a.b',
    '',
  )
  const odd = fc.tuple(usual, fc.array(fc.tuple(name, anyText), { minLength: 1, maxLength: 3 })).map(([text, more]) => {
    return [text, ...more.map(([one, other]) => `${one}=${encodeURIComponent(other.toWellFormed())}`)].join('&')
  })
  const raw = fc.constantFrom(
    '%',
    '%zz=%zz',
    'limit=%ff',
    '&&&===',
    'a=b#c',
    'limit=1;cursor=2',
    'x'.repeat(15_000),
    'cursor=\u00ff',
    'cursor=a b',
    'a\0=1',
    `${'a&'.repeat(2000)}limit=1`,
  )
  const toPiece = (text: string) => ({ ...piece(text === '' ? '' : `?${text.slice(0, 9000)}`), isClean: true })
  return fc.oneof(
    { arbitrary: usual.map(toPiece), weight: 10 },
    { arbitrary: odd.map(toPiece), weight: 2 },
    { arbitrary: raw.map((text) => ({ text: `?${text}`, isClean: false, isProper: false })), weight: 1 },
  )
}
