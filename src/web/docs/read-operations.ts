import type { Schema } from './list-fields.ts'

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
