import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

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

/** The console's files by their names, ready to be served. */
export type ConsoleBundle = ReadonlyMap<string, Buffer>

/**
 * The console made of its source in `folder`: one script, one style sheet, page and icon. Takes a tenth of a second. Rejects where esbuild, which
 * only a checkout has, is not installed, and with its messages where the source is wrong.
 */
export async function bundleConsole(folder: string): Promise<ConsoleBundle> {
  const { build, stop } = await import('esbuild')
  try {
    const { outputFiles } = await build({
      entryPoints: { console: join(folder, 'main.tsx') },
      outdir: folder,
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      legalComments: 'none',
      logLevel: 'silent',
    })
    const [script] = outputFiles
    const read = async (name: string) => [name, await readFile(join(folder, name))] as const
    return new Map<string, Buffer>([
      ['console.js', Buffer.from(script?.contents ?? [])],
      ...(await Promise.all(['index.html', 'console.css', 'icon.svg'].map(read))),
    ])
  } finally {
    // Its process would outlive the build.
    await stop()
  }
}
