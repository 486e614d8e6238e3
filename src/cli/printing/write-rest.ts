import type { Surroundings } from '../surroundings.ts'

/** Says how many of all are shown, where a list goes on behind what was asked for; nothing where all of it is. */
export function writeRest(
  { writeError }: Pick<Surroundings, 'writeError'>,
  shown: number,
  { hasMore, total }: { hasMore: boolean; total: number },
): void {
  if (hasMore) writeError(`These are ${shown} of ${total}.\n`)
}
