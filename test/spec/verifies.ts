import { REQUIREMENTS } from './requirements.ts'

const known = new Set(REQUIREMENTS.map((requirement) => requirement.id))

/**
 * Says which requirements a test proves; stands first in the test. The gate reads the same calls from the source, so
 * the ids are written as plain quoted strings. Throws on an id that is not in the list.
 */
export function verifies(...ids: readonly string[]): void {
  for (const id of ids) {
    if (!known.has(id)) throw new Error(`No requirement has the id ${id}`)
  }
}
