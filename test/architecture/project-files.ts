/** The files of the project for the architecture rules. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file with its path from the project root, with forward slashes. */
export type ProjectFile = { path: string; source: string }

const root = join(import.meta.dirname, '../..')

/**
 * Every file that git tracks or would track, filtered by `endings` (all when empty). Empty outside
 * a git checkout, such as an unpacked archive: the rules apply to the repository.
 */
export function listProjectFiles(endings: readonly string[] = []): ProjectFile[] {
  if (!existsSync(join(root, '.git'))) return []
  const output = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  return output
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '' && (endings.length === 0 || endings.some((ending) => path.endsWith(ending))))
    .filter((path) => existsSync(join(root, path)))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }))
}
