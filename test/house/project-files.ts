/** The files of the project as the house rules see them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file by its path from the project's root, with forward slashes. */
export type ProjectFile = { path: string; source: string }

const root = join(import.meta.dirname, '../..')

/**
 * Every file that git keeps or would keep, and that ends in one of `endings` (all when empty). Outside of a git
 * checkout (an unpacked archive) none: the rules hold for the repository.
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
