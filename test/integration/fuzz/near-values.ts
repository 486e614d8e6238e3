import fc from 'fast-check'
import type { Schema } from './api-operations.ts'

/** Texts known to break parsers, databases, terminals or pages. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\u202egpj.exe',
  '\ufeff',
  '\uffff',
  '\u{10ffff}',
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
  'Z\u0351\u036b\u0343\u036a\u0302\u036b',
  '\u0130\u0131\u1e9e',
  '\r\nX-Injected: yes',
  '\u001b[31mred\u0007',
  '{"level":"error"}\n{"level":"fatal"}',
  "' OR 1=1 --",
  "'; DROP TABLE documents; --",
  '") OR array_has_all(labels, [])',
  '%_%',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '<mark>',
  `\${jndi:ldap://127.0.0.1/x}`,
  '{{7*7}}',
  '%s%n%x',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '/dev/null',
  'file:///etc/passwd',
  'http://169.254.169.254/',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e309',
  '"unclosed phrase',
  '((((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+',
  '2026-02-30T00:00:00Z',
  '+275761-01-01T00:00:00.000Z',
  'a'.repeat(3000),
  ' '.repeat(3000),
  '\u3042'.repeat(2000),
  '\u0301'.repeat(2000),
  '"'.repeat(2000),
  'a@'.repeat(1500),
  '_'.repeat(3000),
  'x'.repeat(25_000),
]

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  100,
  101,
  255,
  256,
  1e21,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1.0000001,
]

/** Any text: words, all planes of Unicode, lone surrogates, and known hostile texts. */
export const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 20 }),
  fc.constantFrom(...HOSTILE_TEXTS),
)

/** Any JSON value, mostly small. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: 1 }, { toString: 1 }),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.jsonValue({ maxDepth: 3 }),
)

const words = fc
  .array(
    fc.constantFrom('incident', 'P1', 'is', 'acknowledged', 'within', '10', 'minutes', '東京', 'été', '🚑', '<b>', '"'),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((some) => some.join(' '))

/**
 * Values that fit the schema; `known` texts of the running service, such as identifiers, are used
 * where they fit.
 */
export function fitting(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => fitting(one, known)))
  if (schema.properties !== undefined) return fittingObject(schema, schema.properties, known)
  if (schema.patternProperties !== undefined) {
    const [value = {}] = Object.values(schema.patternProperties)
    return fc.dictionary(fc.oneof(words, anyText), fitting(value, known), { maxKeys: 4 })
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'array':
      return fc.array(fitting(schema.items ?? {}, known), { minLength: schema.minItems ?? 0, maxLength: 4 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 1000 })
    case 'number':
      return fc
        .double({ min: schema.exclusiveMinimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
        .filter(isOver(schema))
    default:
      return fittingText(schema, known)
  }
}

function isOver({ exclusiveMinimum }: Schema): (value: number) => boolean {
  return (value) => exclusiveMinimum === undefined || value > exclusiveMinimum
}

function fittingObject(
  schema: Schema,
  properties: Record<string, Schema>,
  known: readonly string[],
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, fitting(one, known)]))
  const { required = [] } = schema
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
}

function fittingText(
  { format, minLength = 0, maxLength = 2000 }: Schema,
  known: readonly string[],
): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const inRange = { min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }
    return fc.date(inRange).map((date) => date.toISOString())
  }
  const borders = fc.constantFrom(minLength, maxLength).map((length) => 'é'.repeat(length))
  return fc
    .oneof(
      { arbitrary: words, weight: 6 },
      { arbitrary: fc.constantFrom(...known), weight: 2 },
      { arbitrary: anyText, weight: 2 },
      { arbitrary: borders, weight: 1 },
    )
    .map((text) => text.slice(0, maxLength))
    .filter((text) => text.length >= minLength)
}

/**
 * The value with one part replaced, added or removed: `at` picks the place, `foreign` is the new
 * part.
 */
export function spoilOne(value: unknown, at: number, foreign: unknown): unknown {
  if (typeof value !== 'object' || value === null) return foreign
  const names = Object.keys(value)
  const depth = at % 5
  const name = names[at % Math.max(1, names.length)]
  if (name === undefined || depth === 0)
    return Array.isArray(value)
      ? [...value, foreign]
      : { ...value, [(JSON.stringify(foreign) ?? '').slice(0, 50)]: foreign }
  const child = (value as Record<string, unknown>)[name]
  const spoiled = depth === 1 ? foreign : spoilOne(child, Math.floor(at / 5), foreign)
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === name ? spoiled : item))
  return { ...value, [name]: spoiled }
}
