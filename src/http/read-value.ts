import type { Static, TSchema } from 'typebox'
import { NON_BLANK } from '../api/fields.ts'
import type { Warning } from '../api/values.ts'
import { ApiError, type ErrorDetail } from '../errors.ts'
import { isCalendarDay } from '../text/calendar-day.ts'
import { hasVisibleText, isLongerThan } from '../text/characters.ts'

/**
 * Validates request data against the schema of a route in a single pass, with rules that general
 * validators lack. `null` counts as absent for optional fields. Unknown fields are dropped and
 * named in warnings. Each invalid field is named by its path. Work and response stay small for a
 * hostile body of 150 MB. The reader skips arrays over their limit, and stops after {@link
 * MAX_DETAILS} errors. The result contains known names only, so that `__proto__` and similar names
 * never reach a service.
 *
 * Supported keywords: object, free object, record, array, scalars, null, enum, and anyOf of scalars
 * with at most one array and one object. A test compares the reader with TypeBox's validator on
 * generated values.
 */
/** Maximum number of invalid fields in a response. */
const MAX_DETAILS = 50
/** Maximum number of unknown fields named in a response. Further ones are only counted. */
const MAX_WARNINGS = 50

/**
 * Reads a body, with a warning for every unknown field. An absent body reads as `{}`. Throws
 * `validation_failed` with all invalid fields.
 */
export function readBody<Schema extends TSchema>(
  schema: Schema,
  body: unknown,
): { value: Static<Schema>; warnings: Warning[] } {
  const reader = new ValueReader({ parseScalar: false })
  const value = reader.read(schema as SchemaNode, body ?? {}, '')
  throwIfInvalid(reader.details)
  return { value: value as Static<Schema>, warnings: reader.listWarnings() }
}

/**
 * Reads a query string, with a warning for every unknown parameter. Numbers and booleans are
 * parsed, an empty value counts as absent. Throws `validation_failed`.
 */
export function readQuery<Schema extends TSchema>(
  schema: Schema,
  query: unknown,
): { value: Static<Schema>; warnings: Warning[] } {
  const reader = new ValueReader({ parseScalar: true })
  const value = reader.read(schema as SchemaNode, query ?? {}, '')
  throwIfInvalid(reader.details)
  return { value: value as Static<Schema>, warnings: reader.listWarnings() }
}

function throwIfInvalid(details: readonly ErrorDetail[]): void {
  const first = details[0]
  if (first === undefined) return
  const message = first.param === '' ? `The body ${first.message}` : `${first.param} ${first.message}`
  throw new ApiError('validation_failed', first.param === '' ? { message } : { message, param: first.param, details })
}

/** Reads one body or query string and collects errors and warnings. */
class ValueReader {
  readonly details: ErrorDetail[] = []
  readonly #fromText: boolean
  readonly #warnings: Warning[] = []
  /** Number of unknown fields beyond the named ones. */
  #unnamed = 0

  constructor({ parseScalar: fromText }: { parseScalar: boolean }) {
    this.#fromText = fromText
  }

  /** Returns the value, or `undefined` if it is invalid. `path` names the value in errors. */
  read(schema: SchemaNode, value: unknown, path: string): unknown {
    if (this.details.length >= MAX_DETAILS) return undefined
    if (schema.properties !== undefined) return this.#readObject(schema, value, path)
    if (schema.patternProperties !== undefined) return this.#readRecord(schema, value, path)
    if (schema.type === 'array') return this.#readArray(schema, value, path)
    // The service checks objects of any form.
    if (schema.additionalProperties === true && isObject(value)) return value
    const compound = schema.anyOf?.find((one) => isOfCompoundType(one, value))
    if (compound !== undefined) return this.read(compound, value, path)
    const scalar = this.#fromText ? fromText(schema, value) : value
    if (matchesSchema(schema, scalar)) return typeof scalar === 'string' ? scalar.toWellFormed() : scalar
    return this.#refuse(schema, path)
  }

  listWarnings(): Warning[] {
    return this.#unnamed === 0 ? this.#warnings : [...this.#warnings, moreUnknownFields(this.#unnamed)]
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
    this.#reportUnknown(schema, value, path)
    return read
  }

  #isAbsent(schema: SchemaNode, value: unknown): boolean {
    if (value === undefined || (this.#fromText && value === '')) return true
    return value === null && !matchesSchema(schema, null)
  }

  #reportUnknown(schema: SchemaNode, value: Record<string, unknown>, path: string): void {
    for (const name in value) {
      if (Object.hasOwn(schema.properties ?? {}, name)) continue
      const at = (path === '' ? name : `${path}.${name}`).slice(0, 200)
      if (schema.additionalProperties === false) {
        if (this.details.length < MAX_DETAILS) this.details.push({ param: at, message: 'is not a known field' })
      } else if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push(unknownField(at))
      else this.#unnamed += 1
    }
  }

  #readRecord(schema: SchemaNode, value: unknown, path: string): unknown {
    if (!isObject(value)) return this.#refuse(schema, path)
    const names = Object.keys(value)
    if (names.length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) return this.#refuse(schema, path)
    const { maxLength = Number.POSITIVE_INFINITY } = schema.propertyNames ?? {}
    if (names.some((name) => isLongerThan(name, maxLength))) return this.#refuse(schema, path)
    const item = Object.values(schema.patternProperties ?? {})[0] ?? {}
    // `fromEntries` defines own properties, so a field named `__proto__` remains a plain field.
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

/** True if an alternative is the array or the object that a value is. */
function isOfCompoundType({ type, properties }: SchemaNode, value: unknown): boolean {
  return type === 'array' ? Array.isArray(value) : properties !== undefined && isObject(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Warning for an unknown request field. */
export function unknownField(param: string): Warning {
  return { code: 'unknown_field', message: `${param} is not a known field and was ignored.`, param }
}

function moreUnknownFields(count: number): Warning {
  const message = `${count} more unknown fields were ignored.`
  return { code: 'unknown_field', message, param: null }
}

function fromText(schema: SchemaNode, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (schema.type === 'integer' && /^[+-]?\d{1,15}$/.test(value)) return Number(value)
  if (schema.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function matchesSchema(schema: SchemaNode, value: unknown): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => matchesSchema(one, value))
  if (schema.enum !== undefined) return schema.enum.includes(value as string)
  if (schema.const !== undefined) return schema.const === value
  switch (schema.type) {
    case 'string':
      return (
        typeof value === 'string' &&
        hasValidLength(schema, value) &&
        hasValidFormat(schema, value) &&
        matchesPattern(schema, value)
      )
    case 'integer':
      return Number.isSafeInteger(value) && isInRange(schema, value as number)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) && isInRange(schema, value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    default:
      return false
  }
}

function hasValidLength(schema: SchemaNode, value: string): boolean {
  return value.length >= (schema.minLength ?? 0) && !isLongerThan(value, schema.maxLength ?? Number.POSITIVE_INFINITY)
}

/**
 * RFC 3339, section 5.6, without leap seconds, because `Date` does not support them. In UTC, the
 * year has four digits, because stored times are compared as texts.
 */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i

function hasValidFormat(schema: SchemaNode, value: string): boolean {
  if (schema.format !== 'date-time') return true
  const day = DATE_TIME.exec(value)?.[1]
  if (day === undefined || !isCalendarDay(day)) return false
  const time = new Date(value)
  return !Number.isNaN(time.getTime()) && /^\d{4}-/.test(time.toISOString())
}

function matchesPattern({ pattern }: SchemaNode, value: string): boolean {
  // The pattern is only an approximation for clients: U+200B is not white space.
  if (pattern === NON_BLANK.pattern) return hasVisibleText(value)
  return pattern === undefined || new RegExp(pattern, 'u').test(value)
}

function isInRange(schema: SchemaNode, value: number): boolean {
  if (value < (schema.minimum ?? Number.NEGATIVE_INFINITY) || value > (schema.maximum ?? Number.POSITIVE_INFINITY)) {
    return false
  }
  return schema.exclusiveMinimum === undefined || value > schema.exclusiveMinimum
}

/** Describes the valid values in words that follow "must be": `an integer from 1 to 100`. */
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
  if (format === 'date-time') return 'an ISO 8601 timestamp with a time zone, such as 2027-01-31T12:00:00Z'
  const [example] = examples
  if (example !== undefined) return `in the format ${example}`
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

/** JSON Schema keywords that the value reader and the OpenAPI document support. */
export type SchemaNode = {
  $id?: string
  type?: string
  description?: string
  properties?: Readonly<Record<string, SchemaNode>>
  required?: readonly string[]
  patternProperties?: Readonly<Record<string, SchemaNode>>
  /** True: an object of any form, with unchecked values. */
  additionalProperties?: boolean
  maxProperties?: number
  /** Applies to the names of a record; only the length is checked. */
  propertyNames?: { maxLength: number }
  items?: SchemaNode
  minItems?: number
  maxItems?: number
  enum?: readonly (string | number | null)[]
  const?: string | number | boolean
  anyOf?: readonly SchemaNode[]
  minLength?: number
  maxLength?: number
  /** Must occur somewhere in the string. */
  pattern?: string
  /** The first example illustrates the required format. */
  examples?: readonly string[]
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}
