import type { SchemaNode } from './schema-node.ts'

/** What a value has to be, in words that follow "must be": `an integer from 1 to 100`, `a non-empty string`. */
export function describeSchema(schema: SchemaNode): string {
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
