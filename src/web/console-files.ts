import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** A console file to serve. */
export type ConsoleFile = { content: Buffer; mimeType: string }

/** Files of the console. */
export type ConsoleFiles = {
  /** Returns `null` if the file does not exist. */
  get(name: string): Promise<ConsoleFile | null>
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Scripts of the console by entry point; only a checkout shows the gallery of its parts. */
const SCRIPTS = { console: 'main.tsx' }
const SCRIPTS_OF_CHECKOUT = { ...SCRIPTS, gallery: 'gallery.tsx' }

/**
 * Opens the console files. An installed package contains the built files; a checkout builds them in
 * memory on the first request, with a page `gallery`. Files are cached, because all of them are
 * smaller than a typical image.
 */
export function openConsoleFiles(folder: string): ConsoleFiles {
  let bundle: Promise<ConsoleBundle> | null = null
  function open(): Promise<ConsoleBundle> {
    bundle ??= (existsSync(join(folder, 'main.tsx')) ? bundleCheckout(folder) : readFolder(folder)).catch(
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
      const mimeType = name === 'gallery' ? TYPES['html'] : TYPES[name.split('.').at(-1) ?? '']
      return content === undefined || mimeType === undefined ? null : { content, mimeType }
    },
  }
}

async function readFolder(folder: string): Promise<ConsoleBundle> {
  const names = await readdir(folder)
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)))
}

async function bundleCheckout(folder: string): Promise<ConsoleBundle> {
  const files = await bundleConsole(folder, SCRIPTS_OF_CHECKOUT)
  const page = String(files.get('index.html')).replace('console.js', 'gallery.js')
  return new Map([...files, ['gallery', Buffer.from(page)]])
}

/** Console files by name. */
export type ConsoleBundle = ReadonlyMap<string, Buffer>

/**
 * Builds the console from its source: script, style sheet, page and icon. Takes about 0.1 s.
 * Rejects if esbuild is not installed (only checkouts have it), and with its messages for invalid
 * source.
 */
export async function bundleConsole(
  folder: string,
  scripts: Readonly<Record<string, string>> = SCRIPTS,
): Promise<ConsoleBundle> {
  const { build, stop } = await import('esbuild')
  try {
    const { outputFiles } = await build({
      entryPoints: [...Object.entries(scripts), ['console', 'styles/console.css']].map(([out = '', name = '']) => ({
        in: join(folder, name),
        out,
      })),
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
    const read = async (name: string) => [name, await readFile(join(folder, name))] as const
    return new Map<string, Buffer>([
      ...outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)] as const),
      ...(await Promise.all(['index.html', 'icon.svg'].map(read))),
    ])
  } finally {
    // Otherwise the esbuild process would outlive the build.
    await stop()
  }
}
