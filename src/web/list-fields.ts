/** The part of a JSON Schema of the OpenAPI document that its fields are listed of. */
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

/** A field as a row of a table: `hits[].title`, `string, at most 1000 characters`. */
export type Field = { name: string; type: string; isRequired: boolean; description: string }

/** Below this, fields are told by the example: `hits[].scores.lexical` is the deepest that is read with profit. */
const MAX_DEPTH = 3

/** The fields of an object's schema and of the objects in it, in their order. Empty for anything that is no object. `named` are the components. */
export function listFields(schema: Schema, named: NamedSchemas): Field[] {
  return listBelow(schema, named, { prefix: '', depth: 0 })
}

function listBelow(schema: Schema, named: NamedSchemas, { prefix, depth }: { prefix: string; depth: number }): Field[] {
  const { properties = {}, required = [] } = follow(schema, named)
  return Object.entries(properties).flatMap(([key, property]) => {
    const shown = follow(property, named)
    const inner = innerObject(shown, named)
    const name = `${prefix}${key}${shown.type === 'array' ? '[]' : ''}`
    const field = {
      name,
      type: nameType(shown, named),
      isRequired: required.includes(key),
      description: shown.description ?? '',
    }
    if (inner === null || depth + 1 >= MAX_DEPTH) return [field]
    return [field, ...listBelow(inner, named, { prefix: `${name}.`, depth: depth + 1 })]
  })
}

function follow(schema: Schema, named: NamedSchemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (named[name] ?? {})
}

/** The object in a list, or in what may be absent; `null` where there is none with fields of its own. */
function innerObject(schema: Schema, named: NamedSchemas): Schema | null {
  if (schema.properties !== undefined) return schema
  const candidates = [schema.items, ...(schema.anyOf ?? [])].filter((part) => part !== undefined)
  return candidates.map((part) => follow(part, named)).find(({ properties }) => properties !== undefined) ?? null
}

function nameType(schema: Schema, named: NamedSchemas): string {
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((part) => nameType(follow(part, named), named)))].join(' or ')
  if (schema.enum !== undefined) return schema.enum.join(' | ')
  if (schema.type === 'array') return `list of ${nameType(follow(schema.items ?? {}, named), named)}`
  const facts = [
    schema.format === 'date-time' ? 'moment' : (schema.type ?? 'any'),
    schema.minimum !== undefined && schema.maximum !== undefined ? `${schema.minimum} to ${schema.maximum}` : null,
    schema.maxLength === undefined ? null : `at most ${schema.maxLength} characters`,
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ]
  return facts.filter((fact) => fact !== null).join(', ')
}

/** A body: its schema and an example of it. */
export type Media = { schema?: Schema; example?: unknown }

/** A value in the path, the query or a header. */
export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }

/** The components that others refer to, by their names. */
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

/** An endpoint as the OpenAPI document has it, with its method in capitals. */
export type Operation = DocumentedOperation & { method: string; path: string }

type Document = {
  tags: { name: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** Every endpoint of the OpenAPI document, with the groups and the components that it names. */
export function readOperations(document: object): { tags: string[]; operations: Operation[]; schemas: NamedSchemas } {
  const { tags, paths, components } = document as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  )
  return { tags: tags.map(({ name }) => name), operations, schemas: components.schemas }
}
