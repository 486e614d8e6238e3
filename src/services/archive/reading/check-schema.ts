import type { Static, TSchema } from 'typebox'
import { JSON_DEPTH } from '../../../limits.ts'
import { findExcess } from '../../json-excess.ts'
import { invalidArchive } from '../invalid-archive.ts'

/** Reads one JSON value by its schema; throws `invalid_archive` that names the entry and the place, never the value. */
export type SchemaReader<Schema extends TSchema> = (json: string, entry: string) => Static<Schema>

/** A reader of values of this schema. */
export async function createSchemaReader<Schema extends TSchema>(schema: Schema): Promise<SchemaReader<Schema>> {
  // Loaded when first needed: 20 MB that a service without imports does not pay.
  const { Compile } = await import('typebox/schema')
  const validator = Compile(schema)
  return (json, entry) => {
    const value = parse(json, entry)
    if (!validator.Check(value)) {
      const [, [first]] = validator.Errors(value)
      throw invalidArchive(`${entry} does not have the form of its kind at ${first?.instancePath || '/'}.`)
    }
    requireNoNul(value, entry)
    return value as Static<Schema>
  }
}

/**
 * Throws `invalid_archive` for JSON, or lines of it, with more values than this or nested too deep. To be asked before it is parsed: 64 MB
 * hold 22 million empty arrays, pack to some hundred kilobytes, and take a gigabyte and more as values.
 */
export function requireJsonBounds(json: Buffer, { entry, maxValues }: { entry: string; maxValues: number }): void {
  const excess = findExcess(json, { maxDepth: JSON_DEPTH, maxValues })
  if (excess === 'depth') throw invalidArchive(`${entry} is nested deeper than ${JSON_DEPTH} levels.`)
  if (excess === 'values') throw invalidArchive(`${entry} has more values than such an entry may have.`)
}

function parse(json: string, entry: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalidArchive(`${entry} has a line that is not JSON.`)
  }
}

/** PostgreSQL keeps no text with a NUL, and none of ours has one. */
function requireNoNul(value: unknown, entry: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidArchive(`${entry} has a text with a NUL character.`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      if (key.includes('\0')) throw invalidArchive(`${entry} has a text with a NUL character.`)
      requireNoNul(part, entry)
    }
  }
}
