/**
 * Bundles the service once for tests that start a process. A start from source loads some 2,000
 * modules, and the suites make hundreds of starts. Separate tests cover the start from source.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const ROOT = join(import.meta.dirname, '..')
const SOURCE = join(ROOT, 'src')
/** Inside `node_modules`, where packages outside the bundle are found. */
const CACHE = join(ROOT, 'node_modules', '.cache')

/**
 * The programs, and the modules that the service starts by file name as threads and child
 * processes. These end in `-main`, except two that a child process loads.
 */
const ENTRIES = [
  'main',
  'cli/main',
  'compose/child-tasks',
  'parsers/child/parse-tasks',
  ...globSync('**/*-main.ts', { cwd: SOURCE }).map((path) => path.replace(/\.ts$/, '')),
]

/**
 * Packages that load native code, WebAssembly or files from their folder, and packages that must
 * exist once.
 */
const UNBUNDLED = [
  '@hyzyla/pdfium',
  '@koromix/*',
  '@lancedb/lancedb',
  '@tesseract.js-data/*',
  'apache-arrow',
  'esbuild',
  'pino',
  'pino-pretty',
  'sharp',
  'tesseract.js',
]

/** Files that the service reads from a checkout in addition to code. */
const LINKED = [
  'docs',
  'embedder',
  'ocr-data',
  'src/console',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'README.md',
  'package.json',
]

/**
 * Bundles the service and returns the folder, laid out as a checkout with JavaScript. The folder is
 * removed when this process exits.
 */
export async function bundleService(): Promise<string> {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'service-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES.map((entry) => ({ in: `src/${entry}.ts`, out: entry })),
    outdir: join(folder, 'src'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: UNBUNDLED,
    // Bundled CommonJS packages call `require` for the modules of Node.
    banner: { js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);" },
    plugins: [keepPlaces(folder)],
    logLevel: 'warning',
  })
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name))
  await fillCompileCache(folder)
  return folder
}

/**
 * Starts, uses and stops the bundled service once. Node writes the compile cache of a module when
 * the first process with the module ends. After some use, the cache also holds the called
 * functions, a fifth of each start.
 */
async function fillCompileCache(folder: string): Promise<void> {
  const { PATH = '' } = process.env
  const settings = { RECOLLECT_DATA_DIR: join(folder, 'data'), RECOLLECT_PORT: '0', RECOLLECT_AUTH: 'off' }
  const service = spawn(process.execPath, [join(folder, 'src/main.js')], {
    env: { PATH, NODE_COMPILE_CACHE: join(folder, 'cache'), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(service, 'exit')
  let output = ''
  for await (const piece of service.stdout) {
    output += piece
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
    if (url === undefined) continue
    await useService(url)
    break
  }
  service.kill('SIGTERM')
  const [status] = await ended
  if (status !== 0) throw new Error(`The bundled service ended with ${status}:\n${output}`)
}

async function useService(url: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body), headers })
    return (await response.json()) as { id: string }
  }
  const { id } = await post('/v1/memories', { name: 'Warm' })
  const text = 'The lighthouse keeper lights the lamp at eight.'
  await post(`/v1/memories/${id}/documents`, { documents: [{ title: 'Lamp', text }] })
  await post(`/v1/memories/${id}/find`, { query: 'When is the lamp lit?' })
}

/**
 * Modules find files relative to their location. In the bundle, each module keeps the location it
 * has in the source.
 */
function keepPlaces(folder: string): Plugin {
  return {
    name: 'keep-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!path.startsWith(SOURCE)) return undefined
        const place = join(folder, 'src', relative(SOURCE, path)).replace(/\.ts$/, '.js')
        const contents = readFileSync(path, 'utf8')
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(place)))
        return { contents, loader: 'ts' }
      })
    },
  }
}
