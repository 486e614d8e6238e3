import type { Json } from './schema-components.ts'

/** What a body looks like, with an example where there is one. */
export function describeMedia(schema: Json, example: unknown): Json {
  return example === undefined ? { schema } : { schema, example }
}
