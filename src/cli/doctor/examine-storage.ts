import { DAMAGES, type Damage } from '../../service/doctor/damage.ts'
import { asJson, oneLine } from '../printing/printable.ts'
import type { Surroundings } from '../surroundings.ts'

/** `--fix`: mend what can be mended without losing anything; `--memory`: look at this one alone; `--json`: one array at the end. */
export type StorageOptions = { fix?: true; memory?: string; json?: true }

type Found = Damage & { mended: boolean }

/** `recollect doctor --storage`: every damage by its name, as it is found. Rejects where some are left. */
export async function examineStorage(surroundings: Surroundings, { fix, memory, json }: StorageOptions): Promise<void> {
  const doctor = await surroundings.openStorageDoctor()
  const found: Found[] = []
  try {
    for await (const damage of doctor.examine(memory)) {
      const one = { ...damage, mended: fix === true && (await doctor.mend(damage)) }
      found.push(one)
      if (!json) surroundings.writeOut(describe(one))
      if (surroundings.signal.aborted) break
    }
  } finally {
    await doctor.close()
  }
  if (json) surroundings.writeOut(asJson({ damages: found.map((one) => ({ ...one, ...DAMAGES[one.kind] })) }))
  else if (found.length === 0) surroundings.writeOut('Database, objects and memory files agree.\n')
  const left = found.filter(({ mended }) => !mended)
  if (left.length === 0) return
  const mendable = left.filter(({ kind }) => DAMAGES[kind].mends !== null).length
  const advice = fix || mendable === 0 ? '' : ` ${mendable} of them can be mended with --fix, which loses nothing.`
  throw new Error(`${left.length} of ${found.length} damages are left.${advice}`)
}

function describe({ kind, memoryId, documentId, detail, mended }: Found): string {
  const damage = DAMAGES[kind]
  const place = [memoryId, documentId].filter((id) => id !== null).join(' ')
  const after = damage.mends === null ? ` ${damage.remedy}` : mended ? '' : ` --fix ${damage.mends}.`
  return `${mended ? 'mended ' : 'DAMAGE '}  ${kind}: ${place}${place === '' ? '' : ': '}${oneLine(detail)} (${damage.what}).${after}\n`
}
