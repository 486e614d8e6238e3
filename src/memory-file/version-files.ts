import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BucketFiles } from './dataset-place.ts'
import { type Manifest, readManifest } from './manifest.ts'

/** Manifests of memory files: one file per version. */
export type VersionFiles = {
  /** Versions, newest first; empty if the memory file is missing. */
  list(name: string): Promise<number[]>
  /** The manifest of a version; rejects if it is missing. */
  read(name: string, version: number): Promise<Buffer>
}

/**
 * The manifest of the newest version; `null` if the memory file is missing. Rejects if the manifest
 * is unreadable.
 */
export async function readNewestManifest(versions: VersionFiles, name: string): Promise<Manifest | null> {
  const [newest] = await versions.list(name)
  return newest === undefined ? null : readManifest(await versions.read(name, newest))
}

/** Lance names manifests by their distance from this number, so that the newest sorts first. */
const LAST_VERSION = 2n ** 64n - 1n
const MANIFEST = /(?:^|\/)(\d{20})\.manifest$/
/** A manifest has some hundred bytes for each fragment and index. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024

/** Manifests in a directory of memory files. */
export function openVersionFolder(folder: string): VersionFiles {
  const versionsOf = (name: string) => join(folder, `${name}.lance`, '_versions')
  return {
    async list(name) {
      try {
        return toVersions(await readdir(versionsOf(name)))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      }
    },
    read: (name, version) => readFile(join(versionsOf(name), manifestFile(version))),
  }
}

/** Manifests in a bucket, below `root`. */
export function openVersionObjects({ listKeys, readRange }: BucketFiles, root: string): VersionFiles {
  const versionsOf = (name: string) => `${root}/${name}.lance/_versions/`
  return {
    list: async (name) => toVersions(await listKeys(versionsOf(name))),
    async read(name, version) {
      const file = await readRange(versionsOf(name) + manifestFile(version), 0, MAX_MANIFEST_BYTES)
      if (file === null) throw new Error(`the manifest of version ${version} was not found`)
      return file.content
    },
  }
}

/** File name of the manifest of a version. */
export function manifestFile(version: number): string {
  return `${String(LAST_VERSION - BigInt(version)).padStart(20, '0')}.manifest`
}

function toVersions(names: readonly string[]): number[] {
  const versions = names.flatMap((name) => {
    const [, digits] = MANIFEST.exec(name) ?? []
    return digits === undefined ? [] : [Number(LAST_VERSION - BigInt(digits))]
  })
  return versions.sort((a, b) => b - a)
}
