import { DAMAGES, type Damage, OF_DATABASE } from '../../service/doctor/damage.ts'
import { asJson, oneLine } from '../printing/printable.ts'
import type { Surroundings } from '../surroundings.ts'

/** `--fix`: mend what can be mended without losing anything; `--memory`: look at this one alone; `--json`: one array at the end. */
export type StorageOptions = { fix?: true; memory?: string; json?: true }

type Found = Damage & { mended: boolean }

/** `recollect doctor --storage`: every damage by its name, as it is found. Rejects where some are left. */
export async function examineStorage(surroundings: Surroundings, { fix, memory, json }: StorageOptions): Promise<void> {
  const doctor = await surroundings.openStorageDoctor()
  const found: Found[] = []
  let isBlocked = false
  try {
    for await (const damage of doctor.examine(memory)) {
      const one: Found = { ...damage, mended: fix === true && !isBlocked && (await doctor.mend(damage)) }
      found.push(one)
      isBlocked ||= !one.mended && OF_DATABASE.includes(one.kind)
      if (!json) surroundings.writeOut(describe(one))
      if (surroundings.signal.aborted) break
    }
  } finally {
    await doctor.close()
  }
  const unchecked = doctor.unchecked()
  if (json) {
    surroundings.writeOut(asJson({ damages: found.map((one) => ({ ...one, ...DAMAGES[one.kind] })), unchecked }))
  } else {
    for (const sentence of unchecked) surroundings.writeOut(`?        ${sentence}\n`)
    if (found.length === 0) surroundings.writeOut('Database, objects and memory files agree.\n')
  }
  requireNoneLeft(found, fix === true)
}

function requireNoneLeft(found: readonly Found[], wasFixed: boolean): void {
  const left = found.filter(({ mended }) => !mended)
  if (left.length === 0) return
  const ofDatabase = left.filter(({ kind }) => OF_DATABASE.includes(kind))
  const isBlocked = ofDatabase.some(({ kind }) => wasFixed || DAMAGES[kind].mends === null)
  const mendable = left.filter(({ kind }) => DAMAGES[kind].mends !== null).length
  const isAdvised = !wasFixed && !isBlocked && mendable > 0
  const blocked = isBlocked ? ' Those of the database come first: nothing else is mended before they are gone.' : ''
  const advice = isAdvised ? ` ${mendable} of them can be mended with --fix, which loses nothing.` : ''
  throw new Error(`${left.length} of ${found.length} damages are left.${blocked}${advice}`)
}

function describe({ kind, memoryId, documentId, detail, mended }: Found): string {
  const damage = DAMAGES[kind]
  const place = [memoryId, documentId].filter((id) => id !== null).join(' ')
  const after = damage.mends === null ? ` ${damage.remedy}` : mended ? '' : ` --fix ${damage.mends}.`
  return `${mended ? 'mended ' : 'DAMAGE '}  ${kind}: ${place}${place === '' ? '' : ': '}${oneLine(detail)} (${damage.what}).${after}\n`
}
