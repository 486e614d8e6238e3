/** What a lockfile of npm says of the packages, as far as it is looked at here. */
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
 * What is wrong with a lockfile, a line each: npm installs a package without a hash as the registry gives it that day, and an
 * address would have everybody's npm ask one registry. `deniedScripts` are the packages whose install scripts never run.
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

/** The name of a package by its place in the lockfile, or the one it really has where it stands in for another. */
export function packageName(path: string, { name }: LockedPackage): string {
  return name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
