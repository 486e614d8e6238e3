import { readArchive } from './read-archive.ts'

/** Rejects with `invalid_archive` where a file does not begin as an archive that is known here; what comes after is not looked at. */
export async function requireArchive(path: string): Promise<void> {
  for await (const { kind } of readArchive(path)) if (kind === 'head') return
}
