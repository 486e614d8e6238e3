import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleConsole, type ConsoleBundle } from './bundle-console.ts'

/** A file of the console as it is served. */
export type ConsoleFile = { content: Buffer; mimeType: string }

/** The files of the console. */
export type ConsoleFiles = {
  /** `null` where there is no such file. */
  get(name: string): Promise<ConsoleFile | null>
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * The console of a folder: the package carries it built; a checkout has its source and builds it in memory when it is first
 * asked for. What was read once is kept: all of it is smaller than a picture.
 */
export function openConsoleFiles(folder: string): ConsoleFiles {
  let bundle: Promise<ConsoleBundle> | null = null
  function open(): Promise<ConsoleBundle> {
    bundle ??= (existsSync(join(folder, 'main.tsx')) ? bundleConsole(folder) : readFolder(folder)).catch(
      (error: unknown) => {
        bundle = null
        throw error
      },
    )
    return bundle
  }
  return {
    async get(name) {
      const content = (await open()).get(name)
      const mimeType = TYPES[name.split('.').at(-1) ?? '']
      return content === undefined || mimeType === undefined ? null : { content, mimeType }
    },
  }
}

async function readFolder(folder: string): Promise<ConsoleBundle> {
  const names = await readdir(folder)
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)))
}
