import type { Warning } from '../../client/resources.ts'
import type { Surroundings } from '../surroundings.ts'
import { oneLine } from './printable.ts'

/** Says what an answer warns of, where it stands in no one's way. */
export function writeWarnings({ writeError }: Pick<Surroundings, 'writeError'>, warnings: readonly Warning[]): void {
  for (const { message } of warnings) writeError(`Note: ${oneLine(message)}\n`)
}
