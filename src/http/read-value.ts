import type { Static, TSchema } from 'typebox'
import { SOMETHING } from '../api/fields.ts'
import type { Warning } from '../api/values.ts'
import { ApiError, type ErrorDetail } from '../errors.ts'
import { hasVisibleText, isLongerThan } from '../text/characters.ts'

/**
 * Reads what a caller sent by the schema of the route, in one pass that a general validator cannot do in one: `null`
 * of an optional field counts as absent, fields that the schema does not know are left out and named in warnings, every wrong
 * field is named by its path, and the work and the answer stay small for a hostile body of 150 MB (an array that is too
 * long is not looked into, after {@link MAX_DETAILS} wrong fields nothing more is looked at). What comes out is built
 * anew from known names only, so that `__proto__` and the like never travel on.
 *
 * It knows the part of JSON Schema that the routes use: object, record, array, string, number, integer, boolean, null,
 * enum, and anyOf of scalars. A test compares it with TypeBox's own validator on generated values.
 */
/** Wrong fields named in one answer; more help nobody. */
const MAX_DETAILS = 50
/** Unknown fields named in one answer; the others are counted. */
const MAX_WARNINGS = 50

/**
 * The body in the type of its schema, and a warning for every unknown field; no body at all is read as `{}`.
 * Throws `validation_failed` with every wrong field.
 */
export function readBody<Schema extends TSchema>(
  schema: Schema,
  body: unknown,
): { value: Static<Schema>; warnings: Warning[] } {
  const reader = new ValueReader({ fromText: false })
  const value = reader.read(schema as SchemaNode, body ?? {}, '')
  throwWrong(reader.details)
  return { value: value as Static<Schema>, warnings: reader.listWarnings() }
}

/**
 * The query string in the type of its schema: numbers and booleans are read from their text, an empty value counts
 * as absent, unknown parameters are ignored. Throws `validation_failed`.
 */
export function readQuery<Schema extends TSchema>(schema: Schema, query: unknown): Static<Schema> {
  const reader = new ValueReader({ fromText: true })
  const value = reader.read(schema as SchemaNode, query ?? {}, '')
  throwWrong(reader.details)
  return value as Static<Schema>
}

function throwWrong(details: readonly ErrorDetail[]): void {
  const first = details[0]
  if (first === undefined) return
  const message = first.param === '' ? `The body ${first.message}` : `${first.param} ${first.message}`
  throw new ApiError('validation_failed', first.param === '' ? { message } : { message, param: first.param, details })
}

/** Reads one body or query string, and gathers what is wrong with it. */
class ValueReader {
  readonly details: ErrorDetail[] = []
  readonly #fromText: boolean
  readonly #warnings: Warning[] = []
  /** Unknown fields beyond those that are named. */
  #unnamed = 0

  constructor({ fromText }: { fromText: boolean }) {
    this.#fromText = fromText
  }

  /** The value by its schema; `undefined` where it is wrong. `path` names it in errors. */
  read(schema: SchemaNode, value: unknown, path: string): unknown {
    if (this.details.length >= MAX_DETAILS) return undefined
    if (schema.properties !== undefined) return this.#readObject(schema, value, path)
    if (schema.patternProperties !== undefined) return this.#readRecord(schema, value, path)
    if (schema.type === 'array') return this.#readArray(schema, value, path)
    const scalar = this.#fromText ? fromText(schema, value) : value
    if (fits(schema, scalar)) return typeof scalar === 'string' ? scalar.toWellFormed() : scalar
    return this.#refuse(schema, path)
  }

  listWarnings(): Warning[] {
    return this.#unnamed === 0 ? this.#warnings : [...this.#warnings, unnamedFields(this.#unnamed)]
  }

  #refuse(schema: SchemaNode, path: string): undefined {
    this.details.push({ param: path, message: `must be ${describeSchema(schema)}` })
    return undefined
  }

  #readObject(schema: SchemaNode, value: unknown, path: string): unknown {
    if (!isObject(value)) return this.#refuse(schema, path)
    const read: Record<string, unknown> = {}
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined
      const at = path === '' ? name : `${path}.${name}`
      if (this.#isAbsent(property, given)) {
        if (schema.required?.includes(name)) {
          this.details.push({ param: at, message: `is required and must be ${describeSchema(property)}` })
        }
      } else read[name] = this.read(property, given, at)
    }
    if (!this.#fromText) this.#warnOfUnknown(schema, value, path)
    return read
  }

  #isAbsent(schema: SchemaNode, value: unknown): boolean {
    if (value === undefined || (this.#fromText && value === '')) return true
    return value === null && !fits(schema, null)
  }

  #warnOfUnknown(schema: SchemaNode, value: Record<string, unknown>, path: string): void {
    for (const name in value) {
      if (Object.hasOwn(schema.properties ?? {}, name)) continue
      if (this.#warnings.length < MAX_WARNINGS) {
        this.#warnings.push(unknownField((path === '' ? name : `${path}.${name}`).slice(0, 200)))
      } else this.#unnamed += 1
    }
  }

  #readRecord(schema: SchemaNode, value: unknown, path: string): unknown {
    if (!isObject(value)) return this.#refuse(schema, path)
    const names = Object.keys(value)
    if (names.length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) return this.#refuse(schema, path)
    const { maxLength = Number.POSITIVE_INFINITY } = schema.propertyNames ?? {}
    if (names.some((name) => isLongerThan(name, maxLength))) return this.#refuse(schema, path)
    const item = Object.values(schema.patternProperties ?? {})[0] ?? {}
    // fromEntries makes own properties: a field named __proto__ stays a field.
    return Object.fromEntries(
      names.map((name) => [name.toWellFormed(), this.read(item, value[name], `${path}.${name}`.slice(0, 200))]),
    )
  }

  #readArray(schema: SchemaNode, value: unknown, path: string): unknown {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = schema
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return this.#refuse(schema, path)
    return value.map((item, index) => this.read(items, item, `${path}[${index}]`))
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The warning for a field that the request has and the endpoint does not. */
export function unknownField(param: string): Warning {
  return { code: 'unknown_field', message: `${param} is not a field of this request and was ignored.`, param }
}

function unnamedFields(count: number): Warning {
  const message = `Unknown fields of this request that are not named here, and were ignored as well: ${count}.`
  return { code: 'unknown_field', message, param: null }
}

function fromText(schema: SchemaNode, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (schema.type === 'integer' && /^[+-]?\d{1,15}$/.test(value)) return Number(value)
  if (schema.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function fits(schema: SchemaNode, value: unknown): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => fits(one, value))
  if (schema.enum !== undefined) return schema.enum.includes(value as string)
  if (schema.const !== undefined) return schema.const === value
  switch (schema.type) {
    case 'string':
      return (
        typeof value === 'string' &&
        fitsLength(schema, value) &&
        fitsFormat(schema, value) &&
        fitsPattern(schema, value)
      )
    case 'integer':
      return Number.isSafeInteger(value) && fitsRange(schema, value as number)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) && fitsRange(schema, value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    default:
      return false
  }
}

function fitsLength(schema: SchemaNode, value: string): boolean {
  return value.length >= (schema.minLength ?? 0) && !isLongerThan(value, schema.maxLength ?? Number.POSITIVE_INFINITY)
}

/** RFC 3339, section 5.6, without leap seconds, which `Date` does not know. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i

function fitsFormat(schema: SchemaNode, value: string): boolean {
  if (schema.format !== 'date-time') return true
  const day = DATE_TIME.exec(value)?.[1]
  return day !== undefined && isDay(day) && !Number.isNaN(Date.parse(value))
}

/** `Date` takes the 30th of February for the 2nd of March. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

function fitsPattern({ pattern }: SchemaNode, value: string): boolean {
  // In words that every reader of the schema knows it says less than it means: U+200B is no white space.
  if (pattern === SOMETHING.pattern) return hasVisibleText(value)
  return pattern === undefined || new RegExp(pattern, 'u').test(value)
}

function fitsRange(schema: SchemaNode, value: number): boolean {
  if (value < (schema.minimum ?? Number.NEGATIVE_INFINITY) || value > (schema.maximum ?? Number.POSITIVE_INFINITY)) {
    return false
  }
  return schema.exclusiveMinimum === undefined || value > schema.exclusiveMinimum
}

/** What a value has to be, in words that follow "must be": `an integer from 1 to 100`, `a non-empty string`. */
function describeSchema(schema: SchemaNode): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(describeSchema).join(' or ')
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`
  if (schema.const !== undefined) return String(schema.const)
  switch (schema.type) {
    case 'string':
      return describeString(schema)
    case 'integer':
      return `an integer${describeRange(schema)}`
    case 'number':
      return `a number${describeRange(schema)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return describeArray(schema)
    case 'null':
      return 'null'
    default:
      return describeObject(schema)
  }
}

function describeString({ minLength = 0, maxLength, format, examples = [] }: SchemaNode): string {
  if (format === 'date-time') return 'an ISO 8601 date-time with its offset, such as 2027-01-31T12:00:00Z'
  const [example] = examples
  if (example !== undefined) return `of the form ${example}`
  const kind = minLength > 0 ? 'a non-empty string' : 'a string'
  return maxLength === undefined ? kind : `${kind} of at most ${maxLength} characters`
}

function describeRange({ minimum, maximum, exclusiveMinimum }: SchemaNode): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (exclusiveMinimum !== undefined && maximum !== undefined)
    return ` above ${exclusiveMinimum} and at most ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}

const PLURALS: Readonly<Record<string, string>> = { string: 'strings', object: 'objects', number: 'numbers' }

function describeArray({ items, minItems = 0, maxItems }: SchemaNode): string {
  const things = PLURALS[items?.type ?? ''] ?? 'items'
  if (maxItems === undefined) return `an array of ${things}`
  return minItems > 0 ? `an array of ${minItems} to ${maxItems} ${things}` : `an array of at most ${maxItems} ${things}`
}

function describeObject({ patternProperties, maxProperties, propertyNames }: SchemaNode): string {
  if (patternProperties === undefined) return 'an object'
  const most = maxProperties === undefined ? '' : ` of at most ${maxProperties} fields`
  const names = propertyNames === undefined ? '' : ` with names of at most ${propertyNames.maxLength} characters`
  return `a flat object${most}${names} whose values are strings, numbers, booleans or null`
}

/** The part of JSON Schema that the routes' schemas use, as the reader of values and the describer of schemas see it. */
export type SchemaNode = {
  $id?: string
  type?: string
  description?: string
  properties?: Readonly<Record<string, SchemaNode>>
  required?: readonly string[]
  patternProperties?: Readonly<Record<string, SchemaNode>>
  maxProperties?: number
  /** Of the names of a record's fields; their length alone is looked at. */
  propertyNames?: { maxLength: number }
  items?: SchemaNode
  minItems?: number
  maxItems?: number
  enum?: readonly (string | number | null)[]
  const?: string | number | boolean
  anyOf?: readonly SchemaNode[]
  minLength?: number
  maxLength?: number
  /** Has to occur in the string. */
  pattern?: string
  /** Of a string that has to have a form, which the first of them shows. */
  examples?: readonly string[]
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}
