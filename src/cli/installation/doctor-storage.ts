import {
  DATABASE_ISSUES,
  INTEGRITY_ISSUES,
  type IntegrityIssue,
  isBlockedBy,
} from '../../services/doctor/integrity-issues.ts'
import type { CliContext } from '../cli-context.ts'
import { asJson, oneLine } from '../printing.ts'
import type { StorageDoctor } from './open-storage-doctor.ts'

/**
 * `--fix`: repair without loss; `--accept-rows`: accept wrong rows as they are; `--memory`: examine
 * only this memory; `--json`: one array at the end.
 */
export type StorageOptions = { fix?: true; acceptRows?: true; memory?: string; json?: true }

type ReportedIssue = IntegrityIssue & { mended: boolean }

/** `recollect doctor --storage`: prints every damage as it is found. Rejects if any remains. */
export async function examineStorage(context: CliContext, options: StorageOptions): Promise<void> {
  const { fix, memory, json } = options
  const doctor = await context.openStorageDoctor()
  const found: ReportedIssue[] = []
  try {
    for await (const damage of doctor.examine(memory)) {
      const one: ReportedIssue = { ...damage, mended: await repair(doctor, damage, { ...options, found }) }
      found.push(one)
      if (!json) context.writeOut(describe(one))
      if (context.signal.aborted) break
    }
  } finally {
    await doctor.close()
  }
  const unchecked = doctor.unchecked()
  if (json) {
    context.writeOut(
      asJson({ damages: found.map(({ row: _, ...one }) => ({ ...one, ...INTEGRITY_ISSUES[one.kind] })), unchecked }),
    )
  } else {
    for (const sentence of unchecked) context.writeOut(`?        ${sentence}\n`)
    if (found.length === 0) context.writeOut('Database, objects and memory files agree.\n')
  }
  requireNoneLeft(found, fix === true)
}

/**
 * After damage of the database nothing is repaired, and after wrong rows nothing that may depend on
 * them.
 */
async function repair(
  doctor: StorageDoctor,
  damage: IntegrityIssue,
  { fix, acceptRows, found }: StorageOptions & { found: readonly ReportedIssue[] },
): Promise<boolean> {
  const left = found.filter(({ mended }) => !mended)
  if (left.some(({ kind }) => DATABASE_ISSUES.includes(kind))) return false
  if (acceptRows) return doctor.accept(damage)
  const wrongRows = left.filter(({ kind }) => kind === 'wrong_row')
  return fix === true && !isBlockedBy(damage, wrongRows) && doctor.repair(damage)
}

function requireNoneLeft(found: readonly ReportedIssue[], wasFixed: boolean): void {
  const left = found.filter(({ mended }) => !mended)
  if (left.length === 0) return
  const ofDatabase = left.filter(({ kind }) => DATABASE_ISSUES.includes(kind))
  const isBlocked = ofDatabase.some(({ kind }) => wasFixed || INTEGRITY_ISSUES[kind].mends === null)
  const repairable = left.filter(({ kind }) => INTEGRITY_ISSUES[kind].mends !== null).length
  const isHeld = wasFixed && repairable > 0 && left.some(({ kind }) => kind === 'wrong_row')
  const isAdvised = !wasFixed && !isBlocked && repairable > 0
  const blocked = isBlocked ? ' Repair the database first: nothing else is repaired before that.' : ''
  const advice = isAdvised ? ` ${repairable} of them can be repaired with --fix, without loss of data.` : ''
  const held =
    isHeld && !isBlocked
      ? ' While rows are wrong, nothing is removed and nothing that depends on them is repaired.'
      : ''
  throw new Error(`${left.length} of ${found.length} damages are left.${blocked}${held}${advice}`)
}

function describe({ kind, memoryId, documentId, mended, row, ...found }: ReportedIssue): string {
  const damage = INTEGRITY_ISSUES[kind]
  const detail = found.detail === '' && row !== undefined ? `${row.table} ${row.id}` : found.detail
  const place = [memoryId, documentId].filter((id) => id !== null).join(' ')
  const toDo = damage.mends === null ? ` ${damage.remedy}` : ` --fix ${damage.mends}.`
  const after = mended ? '' : toDo
  const label = mended ? 'repaired' : 'DAMAGE  '
  return `${label}  ${kind}: ${place}${place === '' ? '' : ': '}${oneLine(detail)} (${damage.what}).${after}\n`
}
