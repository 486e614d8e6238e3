import { REQUIREMENTS } from './requirements.ts'

const known = new Set(REQUIREMENTS.map((requirement) => requirement.id))

/**
 * Names the requirements that a test proves, as the first statement of the test. The gate parses
 * these calls, so ids are plain quoted strings. Throws on an unknown id.
 */
export function verifies(...ids: readonly string[]): void {
  for (const id of ids) {
    if (!known.has(id)) throw new Error(`No requirement has the id ${id}`)
  }
}
