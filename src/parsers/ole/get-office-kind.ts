import type { ByteSource } from '../byte-source.ts'
import { openCompoundFile } from './compound-file.ts'

/** What a compound file holds: a format of `formats.ts`, an Office file behind a password, or something else. */
export type OfficeKind = 'doc' | 'ppt' | 'xls' | 'encrypted' | 'other'

/** Streams by which each kind is known. PowerPoint 95 and 4 wrote other names than later ones. */
const MARKS: readonly (readonly [name: string, kind: OfficeKind])[] = [
  ['EncryptedPackage', 'encrypted'],
  ['WordDocument', 'doc'],
  ['PowerPoint Document', 'ppt'],
  ['PP40', 'ppt'],
  ['PP97_DUALSTORAGE', 'ppt'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
]

/** Reads the directory of a compound file, wherever in the file it lies. Throws `unprocessable_document` when it is damaged. */
export async function getOfficeKind(source: ByteSource): Promise<OfficeKind> {
  const { entries } = await openCompoundFile(source)
  const names = new Set(entries.filter(({ parent }) => parent === 0 || parent === null).map(({ name }) => name))
  return MARKS.find(([name]) => names.has(name))?.[1] ?? 'other'
}
