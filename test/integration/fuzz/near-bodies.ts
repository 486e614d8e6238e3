import fc from 'fast-check'
import type { Operation, Schema } from './api-operations.ts'
import { nearForm } from './near-forms.ts'
import { anyValue, fitting, spoilOne } from './near-values.ts'
import type { Targets } from './targets.ts'

/** A body and its Content-Type. */
export type Body = { content: Buffer; contentType: string | null }

/**
 * Bodies close to an operation's schema: valid, valid except for one value, damaged, or of another
 * type.
 */
export function nearBody(operation: Operation, targets: Targets): fc.Arbitrary<Body> {
  const none: fc.Arbitrary<Body> = fc.constantFrom(
    { content: Buffer.alloc(0), contentType: null },
    { content: Buffer.alloc(0), contentType: 'application/json' },
  )
  const schema = oneForm(operation.body)
  if (schema === null) return fc.oneof({ arbitrary: none, weight: 8 }, { arbitrary: anyJson, weight: 1 })
  const known = Object.values(targets.ids).flat()
  const fits = fitting(schema, known)
  const spoiled = fc.tuple(fits, fc.nat(), anyValue).map(([value, at, foreign]) => spoilOne(value, at, foreign))
  const json = [
    { arbitrary: fits.map(toJson), weight: 5 },
    { arbitrary: spoiled.map(toJson), weight: 5 },
    { arbitrary: anyJson, weight: 1 },
    {
      arbitrary: fc
        .tuple(fits, textDamage)
        .map(([value, spoil]) => ({ ...toJson(value), content: spoil(JSON.stringify(value)) })),
      weight: 2,
    },
    {
      arbitrary: fc
        .tuple(fits, fc.constantFrom(...CONTENT_TYPES))
        .map(([value, contentType]) => ({ ...toJson(value), contentType })),
      weight: 1,
    },
    { arbitrary: none, weight: 1 },
  ]
  if (!operation.takesUpload) return fc.oneof(...json)
  const form = nearForm(schema.properties?.['options'] ?? {}, known).map(({ body, contentType }) => ({
    content: body,
    contentType,
  }))
  return fc.oneof(...json, { arbitrary: form, weight: 12 })
}

function toJson(value: unknown): Body {
  return { content: Buffer.from(JSON.stringify(value) ?? 'undefined'), contentType: 'application/json' }
}

const anyJson = anyValue.map(toJson)

const CONTENT_TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/json; charset=UTF-8',
  'application/xml',
  'application/vnd.api+json',
  'json',
  '',
  ';',
  'application/json, text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  `application/${'j'.repeat(5000)}`,
  'application/json\u00ff',
]

const DEEP = 5000

/** Damage to a valid JSON text. */
const textDamage: fc.Arbitrary<(text: string) => Buffer> = fc.oneof(
  fc.nat(200).map((length) => (text: string) => Buffer.from(text.slice(0, length))),
  fc
    .nat(200)
    .chain((at) =>
      fc
        .string({ unit: 'binary', maxLength: 5 })
        .map((noise) => (text: string) => Buffer.from(text.slice(0, at) + noise + text.slice(at))),
    ),
  fc
    .nat(200)
    .chain((at) =>
      fc
        .uint8Array({ minLength: 1, maxLength: 4 })
        .map(
          (noise) => (text: string) =>
            Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(noise), Buffer.from(text.slice(at))]),
        ),
    ),
  fc.constantFrom<(text: string) => Buffer>(
    (text) => Buffer.from(`\ufeff${text}`),
    (text) => Buffer.from(text, 'utf16le'),
    (text) => Buffer.from(`${text},`),
    (text) => Buffer.from(`${text}${text}`),
    (text) => Buffer.from(`[${text}]`),
    (text) => Buffer.from(text.replaceAll('"', "'")),
    (text) => Buffer.from(text.replace(/}$/, ',"__proto__":{"isAdmin":true}}')),
    (text) => Buffer.from(text.replace(/}$/, ',"constructor":{"prototype":{"isAdmin":true}}}')),
    (text) => Buffer.from(text.replace(/}$/, ',"query":1,"query":"twice"}')),
    (text) => Buffer.from(text.replace(/}$/, `,"deep":${'['.repeat(60)}${']'.repeat(60)}}`)),
    (text) => Buffer.from(text.replace(/}$/, `,"deep":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}`)),
    (text) => Buffer.from(text.replace(/}$/, `,"wide":[${'0,'.repeat(50_000)}0]}`)),
    (text) => Buffer.from(text.replace(/}$/, `,"long":"${'y'.repeat(1_100_000)}"}`)),
    (text) =>
      Buffer.from(text.replace(/}$/, `,${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`)),
    (text) => Buffer.from(text.replace(/"[^"]*"(?=})/, '"\\ud800"')),
    (text) => Buffer.from(text.replace(/"[^"]*"(?=})/, '"\\u0000\\udfff\\ud83d"')),
    (text) => Buffer.from(text.replace(/"[^"]*"(?=})/, `1${'0'.repeat(400)}`)),
    (text) => Buffer.from(text.replace(/"[^"]*"(?=})/, '1e999')),
    (text) => Buffer.from(text.replace(/"[^"]*"(?=})/, '-0.0000000000000000000000000000000000001e-999')),
    () => Buffer.from('['.repeat(200_000)),
    () => Buffer.from('--edge\r\n'),
    () => Buffer.from('NaN'),
    () => Buffer.alloc(5000, ' '),
  ),
)

/** An add takes texts or a URL, never both; fitting values use texts. */
function oneForm(schema: Schema | null): Schema | null {
  if (schema?.properties?.['documents'] === undefined) return schema
  const { url: _, ...properties } = schema.properties
  return { ...schema, properties, required: ['documents'] }
}
