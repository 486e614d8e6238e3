/** The size of the code base in figures, with the bound of each figure. */
import { posix } from 'node:path'
import { mapImporters } from './imports.ts'
import type { ProjectFile } from './project-files.ts'

/**
 * A figure of the production source; `breaches` names every violation of the bound in a sentence.
 */
export type Figure = { name: string; value: number; bound: string; holds: boolean; breaches: string[] }

/** A file with a single importer needs at least this many lines, or belongs to its importer. */
const MIN_LINES_OF_ONE_IMPORTER = 60
const MAX_COLUMNS = 120
const FOLDER_FILES = { min: 4, max: 20 }
const ROOT_FILES = ['main.ts', 'compose.ts', 'config.ts', 'errors.ts', 'limits.ts', 'ids.ts']
/** Started by name as a program, thread or child process, used by the bundler, or printed. */
const IS_STARTED = /(?:main|tasks|-thread|-module|theme|service-worker)\.tsx?$/

/** The figures of these files, limited to production files under `src`. */
export function listFigures(files: readonly ProjectFile[]): Figure[] {
  const code = files.filter(({ path }) => /\.tsx?$/.test(path))
  const production = code.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))
  const lines = production.map(({ source }) => source.trimEnd().split('\n').length).sort((a, b) => a - b)
  const at = (share: number) => lines[Math.floor(lines.length * share)] ?? 0
  const importers = mapImporters(production)
  const shared = exportShare(production)
  return [
    between('production files', production.length, { max: 800 }),
    between('lines of the median file', at(0.5), { min: 80, max: 120 }),
    between('lines at the 90th percentile', at(0.9), { max: 280 }),
    between('lines of the largest file', lines.at(-1) ?? 0, { max: 400 }),
    between('exports with one importer, in percent', shared, { max: 35 }),
    none('files with one importer and under 60 lines', crumbs(production, importers)),
    none('folders outside of 4 to 20 files', oddFolders(production)),
    none('file names used twice below services and database', sameNames(production)),
    none('files at the root of src that do not belong there', strayFiles(production)),
    none('lines of code over 120 columns', wideLines(production)),
  ]
}

/** A figure with a lower and an upper bound. */
export function between(
  name: string,
  value: number,
  { min = 0, max, breaches = [] }: { min?: number; max: number; breaches?: string[] },
): Figure {
  const bound = min === 0 ? `<= ${max}` : `${min} to ${max}`
  return { name, value, bound, holds: value >= min && value <= max, breaches }
}

/** A figure that counts breaches and allows none. */
export function none(name: string, breaches: string[]): Figure {
  return { name, value: breaches.length, bound: '0', holds: breaches.length === 0, breaches }
}

function crumbs(production: readonly ProjectFile[], importers: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return production.flatMap(({ path, source }) => {
    const lines = source.trimEnd().split('\n').length
    const by = [...(importers.get(path) ?? [])]
    if (lines >= MIN_LINES_OF_ONE_IMPORTER || by.length > 1 || IS_STARTED.test(path)) return []
    return [`${path} has ${lines} lines and belongs to ${by[0] ?? 'nobody'}`]
  })
}

function oddFolders(production: readonly ProjectFile[]): string[] {
  const folders = Object.entries(Object.groupBy(production, ({ path }) => posix.dirname(path)))
  return folders.flatMap(([folder, files = []]) => {
    const isOdd = files.length < FOLDER_FILES.min || files.length > FOLDER_FILES.max
    return isOdd ? [`${folder} has ${files.length} files`] : []
  })
}

function sameNames(production: readonly ProjectFile[]): string[] {
  const searched = production.filter(({ path }) => /^src\/(?:services|database)\//.test(path))
  const names = Object.entries(Object.groupBy(searched, ({ path }) => posix.basename(path)))
  return names.flatMap(([name, files = []]) =>
    files.length > 1 ? [`${name}: ${files.map(({ path }) => path).join(', ')}`] : [],
  )
}

function strayFiles(production: readonly ProjectFile[]): string[] {
  const atRoot = production.filter(({ path }) => posix.dirname(path) === 'src')
  return atRoot.map(({ path }) => path).filter((path) => !ROOT_FILES.includes(posix.basename(path)))
}

function wideLines(production: readonly ProjectFile[]): string[] {
  return production.flatMap(({ path, source }) =>
    source.split('\n').flatMap((line, index) => {
      const isComment = /^\s*(?:\*|\/\/|\/\*)/.test(line)
      return line.length > MAX_COLUMNS && !isComment ? [`${path}:${index + 1} has ${line.length} columns`] : []
    }),
  )
}

const EXPORT = /^export\s+(?:declare\s+)?(?:async\s+)?(?:function\*?|const|class|type|interface)\s+(\w+)/gm
const NAMES = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+['"]([^'"]+)['"]/gm

/** The percentage of exports with exactly one importer in production. */
function exportShare(production: readonly ProjectFile[]): number {
  const users = new Map<string, number>()
  for (const { path, source } of production) {
    for (const [, names = '', specifier = ''] of source.matchAll(NAMES)) {
      const target = posix.join(posix.dirname(path), specifier)
      for (const name of names.split(',').map(
        (part) =>
          part
            .trim()
            .replace(/^type\s+/, '')
            .split(/\s/)[0],
      )) {
        users.set(`${target}#${name}`, (users.get(`${target}#${name}`) ?? 0) + 1)
      }
    }
  }
  const exported = production.flatMap(({ path, source }) =>
    [...source.matchAll(EXPORT)].map((match) => users.get(`${path}#${match[1]}`) ?? 0),
  )
  return Math.round((100 * exported.filter((count) => count === 1).length) / Math.max(1, exported.length))
}
