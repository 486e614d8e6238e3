/**
 * Bundles the service and the command line into a few files. A start from the sources loads some
 * 2,000 modules and takes more than twice the processor time. `node scripts/bundle-service.ts`
 * makes the bundle that `run.mjs` starts.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { NODE_FLAGS } from '../bin/runtime.mjs'
import { bundleConsole } from '../src/web/console-files.ts'
import { BUNDLE_PREFIX, bundleFolder } from './bundle-folder.mjs'

const ROOT = join(import.meta.dirname, '..')
const SOURCE = join(ROOT, 'src')
const PLACES = join(import.meta.dirname, 'bundle-places.ts')

const PROGRAMS = ['main', 'cli/main']

/**
 * The modules that the programs start by file name as threads and child processes. These end in
 * `-main`, except two that a child process loads.
 */
const PARTS = [
  'compose/child-tasks',
  'parsers/child/parse-tasks',
  ...globSync('**/*-main.ts', { cwd: SOURCE }).map((path) => path.replace(/\.ts$/, '')),
]

/** Packages that load native code, WebAssembly or files from their folder, or are rarely used. */
const UNBUNDLED = [
  '@hyzyla/pdfium',
  '@koromix/*',
  '@lancedb/lancedb-*',
  '@tesseract.js-data/*',
  'esbuild',
  'onnxruntime-node',
  'pg-native',
  'pino-pretty',
  'sharp',
  'tesseract.js',
]

/**
 * Modules that Fastify loads for what the service does not use: HTTP/2 and schemas of routes
 * (`src/http/server.ts`).
 */
const UNUSED_BY_FASTIFY = /^(?:node:http2|@fastify\/ajv-compiler|@fastify\/fast-json-stringify-compiler)$/

/** The build of Arrow that LanceDB loads, also for our imports: LanceDB knows no other classes. */
const ARROW = join(ROOT, 'node_modules/apache-arrow/Arrow.node.js')

/** Bundles that stay: a running service may load parts of the one before. */
const KEPT_BUNDLES = 2

if (import.meta.main) await bundleService()

/** Returns the folder of the bundle of the current sources; makes the bundle if it is missing. */
export async function bundleService(): Promise<string> {
  const folder = bundleFolder(ROOT)
  if (existsSync(folder)) return folder
  const unfinished = join(ROOT, `${BUNDLE_PREFIX}unfinished-${process.pid}`)
  try {
    await bundleInto(unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process may have made the same bundle meanwhile.
    if (!existsSync(folder)) throw error
  }
  removeOldBundles()
  await fillCompileCache(folder)
  return folder
}

/**
 * Writes the programs, their parts and the console into `folder`, which lies beside `src`: modules
 * find files of the checkout or package as from there.
 */
export async function bundleInto(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  // Parts share nothing with the programs, which then consist of fewer files.
  for (const entries of [PROGRAMS, PARTS]) requireTop(await bundle(entries, folder), folder)
  const console = join(folder, 'console')
  mkdirSync(console, { recursive: true })
  for (const [name, content] of await bundleConsole(join(SOURCE, 'console')))
    writeFileSync(join(console, name), content)
}

async function bundle(entries: readonly string[], folder: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: entries.map((entry) => ({ in: `src/${entry}.ts`, out: entry })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
    // Names stay for stack traces, and lines stay short: Node prints the line of an exception.
    minifyWhitespace: true,
    lineLimit: 160,
    external: UNBUNDLED,
    alias: { 'apache-arrow': ARROW },
    metafile: true,
    // Bundled CommonJS packages call `require` for the modules of Node.
    banner: { js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);" },
    plugins: [keepPlaces(), leaveOutUnused()],
    logLevel: 'warning',
  })
  return metafile
}

/** Modules find files and threads relative to their location, which is kept. */
function keepPlaces(): Plugin {
  return {
    name: 'keep-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!path.startsWith(SOURCE)) return undefined
        const module = JSON.stringify(relative(SOURCE, path).replaceAll('\\', '/').replace(/\.ts$/, '.js'))
        const source = readFileSync(path, 'utf8')
          // The CommonJS arrow of the bundle.
          .replace("createRequire(import.meta.url)('apache-arrow')", "require('apache-arrow')")
          .replaceAll('import.meta.url', `$places.placeOf(${module})`)
          .replaceAll('import.meta.dirname', `$places.folderOf(${module})`)
        const places = source.includes('$places.') ? `import * as $places from ${JSON.stringify(PLACES)};` : ''
        return { contents: `${places}${source}`, loader: 'ts' }
      })
    },
  }
}

function leaveOutUnused(): Plugin {
  return {
    name: 'leave-out-unused',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: UNUSED_BY_FASTIFY }, ({ importer }) =>
        /node_modules.fastify.(?:lib|fastify\.js)/.test(importer) ? { path: 'unused', namespace: 'unused' } : undefined,
      )
      onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
    },
  }
}

/** Throws unless the module of the places is at the top, from where it computes them. */
function requireTop({ outputs }: Metafile, folder: string): void {
  const places = relative(ROOT, PLACES)
  const [path = ''] = Object.entries(outputs).find(([, { inputs }]) => places in inputs) ?? []
  if (dirname(path) !== relative(ROOT, folder)) throw new Error(`${places} is in ${path}, not at the top of ${folder}`)
}

function removeOldBundles(): void {
  const bundles = readdirSync(ROOT)
    .filter((name) => name.startsWith(BUNDLE_PREFIX))
    .map((name) => ({ path: join(ROOT, name), age: -statSync(join(ROOT, name)).mtimeMs }))
    .sort((one, other) => one.age - other.age)
  for (const { path } of bundles.slice(KEPT_BUNDLES)) rmSync(path, { recursive: true, force: true })
}

/**
 * Starts, uses and stops the bundled service once. Node writes the compile cache of a module when
 * the first process with the module ends. After some use, the cache also holds the called
 * functions, a fifth of each start. The cache holds for the same options of Node only. A
 * service that does not start is explained by the next start.
 */
async function fillCompileCache(folder: string): Promise<void> {
  const { PATH = '' } = process.env
  const data = join(folder, 'data')
  const settings = { RECOLLECT_DATA_DIR: data, RECOLLECT_PORT: '0', RECOLLECT_AUTH: 'off' }
  const service = spawn(process.execPath, [...NODE_FLAGS, join(folder, 'main.js')], {
    env: { PATH, NODE_COMPILE_CACHE: join(folder, 'compile-cache'), ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
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
  await ended
  rmSync(data, { recursive: true, force: true })
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
  await post(`/v1/memories/${id}/ask`, { question: 'When is the lamp lit?' })
}
