import type { SchemaNode } from '../schemas/schema-node.ts'

/** A part of the document. */
export type Json = Record<string, unknown>

/** The schemas of the document that have a name; all others stand where they are used. */
export type SchemaComponents = {
  /** The schema as OpenAPI 3.1 has it: one with a name becomes a reference to its component, and so do those within. */
  refer(schema: object): Json
  /** Every component that was referred to, by its name, in the order of names. */
  list(): Json
}

/** Makes the components of one document, none yet. */
export function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, Json>()

  function refer(schema: object): Json {
    const { $id, ...rest } = schema as SchemaNode
    if ($id === undefined) return copySchema(rest) as Json
    if (!components.has($id)) {
      // A schema that contains itself finds its name taken.
      components.set($id, {})
      components.set($id, copySchema(rest) as Json)
    }
    return { $ref: `#/components/schemas/${$id}` }
  }

  function copySchema(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(copyPart)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, copyPart(child)]))
  }

  function copyPart(value: unknown): unknown {
    const isNamed = typeof value === 'object' && value !== null && '$id' in value && typeof value.$id === 'string'
    return isNamed ? refer(value) : copySchema(value)
  }

  return {
    refer,
    list: () => Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}
