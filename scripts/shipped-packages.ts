/**
 * The packages of Recollect as listed in the lockfile: runtime dependencies, and packages built
 * into the console.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONSOLE_PACKAGES } from './install.mjs'
import { type LockedPackage, type Lockfile, packageName } from './lockfile-faults.ts'

const ROOT = join(import.meta.dirname, '..')

/** Packages that are part of `dist/console`: `marked` is a runtime dependency as well. */
const BUNDLED = [...CONSOLE_PACKAGES, 'marked']

/** Packages whose manifest names no SPDX licence, with the licence of their LICENSE file. */
const LICENSES: Readonly<Record<string, string>> = { 'json-bignum@0.0.3': 'MIT' }

/**
 * A package of a certain version. `license` is null where unknown; `dependsOn` holds the ids of its
 * dependencies.
 */
export type ShippedPackage = {
  id: string
  name: string
  version: string
  license: string | null
  integrity: string
  isOptional: boolean
  isBundled: boolean
  dependsOn: readonly string[]
}

/** The shipped packages sorted by id, without duplicates, and the ids of direct dependencies. */
export function readShippedPackages(): { packages: ShippedPackage[]; direct: string[] } {
  const { packages }: Lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const bundled = follow(packages, BUNDLED)
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && (!dev || bundled.has(path)))
  const byId = new Map(
    shipped.map(([path, entry]) => [idOf(path, entry), toPackage(packages, path, bundled.has(path))]),
  )
  const root = packages[''] ?? {}
  // A package of the console may be a runtime dependency as well.
  const asked = new Set([...Object.keys({ ...root.dependencies, ...root.optionalDependencies }), ...BUNDLED])
  return {
    packages: [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
    direct: resolveAll(packages, '', [...asked]).map((path) => idOf(path, packages[path])),
  }
}

function toPackage(packages: Lockfile['packages'], path: string, isBundled: boolean): ShippedPackage {
  const entry = packages[path] ?? {}
  const id = idOf(path, entry)
  const needs = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies }
  const places = resolveAll(packages, path, Object.keys(needs))
  return {
    id,
    name: packageName(path, entry),
    version: entry.version ?? '',
    license: entry.license ?? LICENSES[id] ?? null,
    integrity: entry.integrity ?? '',
    isOptional: entry.optional === true,
    isBundled,
    dependsOn: [...new Set(places.map((place) => idOf(place, packages[place])))].sort(),
  }
}

function idOf(path: string, entry: LockedPackage = {}): string {
  return `${packageName(path, entry)}@${entry.version}`
}

/** The lockfile places of the named packages and of all their dependencies. */
function follow(packages: Lockfile['packages'], names: readonly string[]): Set<string> {
  const found = new Set(resolveAll(packages, '', names))
  for (const path of found)
    for (const place of resolveAll(packages, path, Object.keys(packages[path]?.dependencies ?? {}))) found.add(place)
  return found
}

/**
 * The places where Node would find the named packages from `path`. Packages missing in the lockfile
 * are left out.
 */
function resolveAll(packages: Lockfile['packages'], path: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    for (let from = path; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
      const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`
      if (packages[place] !== undefined) return [place]
      if (from === '') return []
    }
  })
}
