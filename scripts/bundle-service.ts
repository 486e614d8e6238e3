/**
 * One bundle of the service for the tests that start it as a process. From source a start loads some 2,000 modules, and
 * hundreds of starts are half of the processor time of those tests. The real start from source has tests of its own.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const ROOT = join(import.meta.dirname, '..')
const SOURCE = join(ROOT, 'src')
/** Inside `node_modules`, so that packages which are not bundled are found from there. */
const CACHE = join(ROOT, 'node_modules', '.cache')

/** The programs, and the modules that the service starts as threads and child processes by their file names. */
const ENTRIES = [
  'main',
  'cli/main',
  'parsers/child/child-main',
  'parsers/child/parse-tasks',
  'parsers/fence/fence-main',
  'compose/child-tasks',
  'database/sqlite/check-thread-main',
  'http/body/json-thread-main',
  'services/ingest/indexing/indexing-thread-main',
  'services/ingest/indexing/language-thread-main',
]

/** Packages that load native code, WebAssembly or files beside their own, and those that must exist once. */
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

/** What the service reads of a checkout beside its code. */
const LINKED = ['docs', 'embedder', 'src/console', 'ARCHITECTURE.md', 'CHANGELOG.md', 'README.md', 'package.json']

/** Bundles the service; returns the folder, laid out as a checkout with JavaScript, and what removes it. */
export async function bundleService(): Promise<{ folder: string; remove: () => void }> {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'service-'))
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
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

/** Modules find files by their own place: in the bundle, the place that they would have unbundled. */
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
