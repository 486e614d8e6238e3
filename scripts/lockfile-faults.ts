/** The checked part of an npm lockfile. */
export type Lockfile = { packages: Readonly<Record<string, LockedPackage>> }

/** A package of a lockfile; the root project, under the empty path, has no hash. */
export type LockedPackage = {
  name?: string
  version?: string
  integrity?: string
  resolved?: string
  license?: string
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
}

/**
 * The faults of a lockfile, one a line. npm installs a package without a hash as the registry
 * serves it that day. A registry address would send every installation to one registry. Install
 * scripts of `deniedScripts` never run.
 */
export function lockfileFaults({ packages }: Lockfile, deniedScripts: readonly string[]): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (path === '') return []
    const faults: string[] = []
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/u.test(entry.integrity ?? '')) faults.push(`${path} has no SHA-512 hash`)
    if (entry.resolved !== undefined) faults.push(`${path} names the address ${entry.resolved}`)
    if (entry.hasInstallScript && !deniedScripts.includes(packageName(path, entry)))
      faults.push(`${path} has an install script that package.json does not deny (allowScripts)`)
    return faults
  })
}

/** The package name at a place in the lockfile, or the real name of a substitute. */
export function packageName(path: string, { name }: LockedPackage): string {
  return name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
