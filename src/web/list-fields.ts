/** Part of a JSON Schema that describes fields. */
export type Schema = {
  $ref?: string
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: (string | number | null)[]
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** Field as a table row: `hits[].title`, `string, at most 1000 characters`. */
export type Field = { name: string; type: string; isRequired: boolean; description: string }

/**
 * Maximum depth of listed fields, enough for `hits[].scores.lexical`. Deeper fields are shown in
 * the example.
 */
const MAX_DEPTH = 3

/**
 * Lists the fields of an object schema and its nested objects, in order. Empty for other schemas.
 * `named` are the components.
 */
export function listFields(schema: Schema, named: NamedSchemas): Field[] {
  return listNestedFields(schema, named, { prefix: '', depth: 0 })
}

function listNestedFields(
  schema: Schema,
  named: NamedSchemas,
  { prefix, depth }: { prefix: string; depth: number },
): Field[] {
  const { properties = {}, required = [] } = resolveReference(schema, named)
  return Object.entries(properties).flatMap(([key, property]) => {
    const shown = resolveReference(property, named)
    const inner = findNestedObject(shown, named)
    const name = `${prefix}${key}${shown.type === 'array' ? '[]' : ''}`
    const field = {
      name,
      type: nameType(shown, named),
      isRequired: required.includes(key),
      description: shown.description ?? '',
    }
    if (inner === null || depth + 1 >= MAX_DEPTH) return [field]
    return [field, ...listNestedFields(inner, named, { prefix: `${name}.`, depth: depth + 1 })]
  })
}

function resolveReference(schema: Schema, named: NamedSchemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (named[name] ?? {})
}

/** Returns the object schema in a list or nullable value, `null` if there is none with fields. */
function findNestedObject(schema: Schema, named: NamedSchemas): Schema | null {
  if (schema.properties !== undefined) return schema
  const candidates = [schema.items, ...(schema.anyOf ?? [])].filter((part) => part !== undefined)
  return (
    candidates.map((part) => resolveReference(part, named)).find(({ properties }) => properties !== undefined) ?? null
  )
}

function nameType(schema: Schema, named: NamedSchemas): string {
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((part) => nameType(resolveReference(part, named), named)))].join(' or ')
  if (schema.enum !== undefined) return schema.enum.join(' | ')
  if (schema.type === 'array') return `array of ${nameType(resolveReference(schema.items ?? {}, named), named)}`
  const facts = [
    schema.format === 'date-time' ? 'timestamp' : (schema.type ?? 'any'),
    schema.minimum !== undefined && schema.maximum !== undefined ? `${schema.minimum} to ${schema.maximum}` : null,
    schema.maxLength === undefined ? null : `at most ${schema.maxLength} characters`,
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ]
  return facts.filter((fact) => fact !== null).join(', ')
}

/** Body with schema and example. */
export type Media = { schema?: Schema; example?: unknown }

/** Parameter in the path, query or headers. */
export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }

/** Components by name. */
export type NamedSchemas = Readonly<Record<string, Schema>>

type DocumentedOperation = {
  operationId: string
  summary: string
  tags: string[]
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

/** Endpoint of the OpenAPI document; `method` is in upper case. */
export type Operation = DocumentedOperation & { method: string; path: string }

type Document = {
  tags: { name: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** Reads the endpoints, tags and components of the OpenAPI document. */
export function readOperations(document: object): { tags: string[]; operations: Operation[]; schemas: NamedSchemas } {
  const { tags, paths, components } = document as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  )
  return { tags: tags.map(({ name }) => name), operations, schemas: components.schemas }
}
