/** Lists imports without a compiler; the import style of this project is enough. */
import { posix } from 'node:path'
import type { ProjectFile } from './project-files.ts'

/**
 * An import as it is written; `target` is the path in the project, or the package's or module's
 * name.
 */
export type Import = { target: string; isRelative: boolean; isTypeOnly: boolean; isLoadedLater: boolean }

const STATIC = /^[ \t]*(?:import|export)\s+(type\s+)?(?:[\w*{][\w\s,*{}$]*\s+from\s+)?['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g
const COMMENT = /\/\*[\s\S]*?\*\//g

/** The imports of a file in order. An import with only `type` names counts as a type import. */
export function listImports({ path, source }: ProjectFile): Import[] {
  const code = source.replace(COMMENT, '')
  const found = [...code.matchAll(STATIC)].map((match) => ({
    ...toImport(path, match[2] ?? ''),
    isTypeOnly: isTypeOnly(match[0]),
    isLoadedLater: false,
  }))
  const loaded = [...code.matchAll(DYNAMIC)].map((match) => ({
    ...toImport(path, match[1] ?? ''),
    isTypeOnly: false,
    isLoadedLater: true,
  }))
  return [...found, ...loaded]
}

/** The importers of each file of the project, by path. */
export function mapImporters(files: readonly ProjectFile[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>()
  for (const file of files) {
    for (const { target } of listImports(file).filter(({ isRelative }) => isRelative)) {
      importers.set(target, (importers.get(target) ?? new Set()).add(file.path))
    }
  }
  return importers
}

/** The files that a start from `entry` loads: no types, and nothing that is imported later. */
export function listLoaded(files: readonly ProjectFile[], entry: string): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const loaded = new Set([entry])
  for (const path of loaded) {
    const file = byPath.get(path)
    if (file === undefined) continue
    for (const { target, isTypeOnly, isLoadedLater } of listImports(file))
      if (!isTypeOnly && !isLoadedLater) loaded.add(target)
  }
  return [...loaded]
}

function isTypeOnly(statement: string): boolean {
  if (/^\s*(import|export)\s+type\s/.test(statement)) return true
  if (!/^\s*(import|export)\s*\{/.test(statement)) return false
  const names = /\{([^}]*)\}/.exec(statement)?.[1]?.split(',') ?? []
  const written = names.map((name) => name.trim()).filter((name) => name !== '')
  return written.length > 0 && written.every((name) => name.startsWith('type '))
}

function toImport(path: string, specifier: string): Pick<Import, 'target' | 'isRelative'> {
  const isRelative = specifier.startsWith('.')
  const target = isRelative ? posix.normalize(posix.join(posix.dirname(path), specifier)) : specifier
  return { target, isRelative }
}
