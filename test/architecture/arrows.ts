/**
 * The allowed dependencies between the layers as data, and the check for violations.
 *
 * http, jobs -> services -> engine | memory-file | parsers | models | database | objects
 *
 * `api` holds the schemas of requests and resources; every layer may use its types. The leaves
 * never import each other. All layers may import the folders in `OPEN`. Only `main.ts`,
 * `compose.ts` and the command line read the settings. The engine is pure.
 */
import { type Import, listImports } from './imports.ts'
import type { ProjectFile } from './project-files.ts'

const LEAVES = ['engine', 'extraction', 'memory-file', 'parsers', 'models', 'url-fetch', 'database', 'objects']
/** Folders and files that every layer may use and that depend only on each other. */
const OPEN = ['errors', 'limits', 'ids', 'files', 'failpoints', 'text', 'concurrency']
/**
 * The schemas of requests and resources: every layer may use the types. The layer depends only on
 * `hangsOn`.
 */
const API = { layer: 'api', package: 'typebox', values: ['http', 'services'], hangsOn: ['errors', 'limits', 'ids'] }
/** Composition roots: may import every layer and read the settings. */
const ROOTS = ['main', 'compose', 'cli']

/**
 * The allowed imports of each layer, beside its own files and `OPEN`. `type:` before a name allows
 * types only.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // The tools of the Model Context Protocol call operations through the client.
  api: [],
  http: ['services', 'mcp', 'type:client', 'type:log', 'type:web'],
  // The worker loop claims, keeps and reaps rows of the jobs table: the service has no business
  // with leases.
  jobs: ['services', 'database', 'type:log'],
  services: [...LEAVES, 'type:log'],
  // The chunker is fed with the parser's blocks; the shape of a block is the seam between the two.
  engine: ['type:parsers'],
  // Rules over passages, with the engine's words.
  extraction: ['engine'],
  'memory-file': ['type:log'],
  parsers: ['type:log'],
  models: ['type:log'],
  'url-fetch': ['type:log'],
  database: ['type:log'],
  objects: ['type:log'],
  config: ['type:log'],
  log: [],
  client: [],
  mcp: ['type:client'],
  // Counts at the interfaces of layers that do not know the metrics.
  metrics: ['type:services', 'type:models', 'type:url-fetch', 'type:parsers'],
  // Makes spans at the same seams.
  tracing: ['type:services', 'type:models', 'type:url-fetch', 'type:memory-file', 'type:metrics', 'type:log'],
  web: [],
  console: ['client'],
}

/** Each import that violates an arrow, as a sentence. Tests may import anything. */
export function arrowViolations(files: readonly ProjectFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/') && path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((file) => [...importViolations(file), ...purityViolations(file), ...environmentViolations(file)])
}

function importViolations(file: ProjectFile): string[] {
  const layer = layerOf(file.path)
  if (ROOTS.includes(layer) || OPEN.includes(layer)) return leavesOpenFiles(file)
  const allowed = ALLOWED[layer]
  if (allowed === undefined) return [`${file.path} belongs to no layer that is known`]
  return listImports(file)
    .filter((imported) =>
      imported.isRelative
        ? !mayImport(layer, allowed, imported)
        : layer === API.layer && imported.target !== API.package,
    )
    .map((imported) => `${file.path} may not import ${imported.target}`)
}

function leavesOpenFiles(file: ProjectFile): string[] {
  if (!OPEN.includes(layerOf(file.path))) return []
  return listImports(file)
    .filter((imported) => imported.isRelative && !OPEN.includes(layerOf(imported.target)))
    .map((imported) => `${file.path} is open to all and may not import ${imported.target}`)
}

function mayImport(layer: string, allowed: readonly string[], imported: Import): boolean {
  const target = layerOf(imported.target)
  if (target === layer) return true
  if (layer === API.layer) return API.hangsOn.includes(target)
  if (target === API.layer) return (imported.isTypeOnly && layer !== 'client') || API.values.includes(layer)
  if (OPEN.includes(target)) return true
  return allowed.includes(target) || (imported.isTypeOnly && allowed.includes(`type:${target}`))
}

/**
 * The folder under `src`, or the name of a file in `src`. In `observability`, each file and folder
 * is a layer, and both files of the meters are one.
 */
function layerOf(path: string): string {
  const name = /^src\/(?:observability\/)?([^/]+?)(?:\.ts)?(?:\/|$)/.exec(path)?.[1] ?? path
  return name === 'meters' || name === 'metered' ? 'metrics' : name
}

const IMPURE = /\b(async|await|Promise|setTimeout|setInterval|setImmediate|queueMicrotask|fetch|process|console)\b/
const CLOCK_OR_CHANCE = /\b(Date\.now|new Date\(\)|performance\.now|Math\.random)/

function purityViolations(file: ProjectFile): string[] {
  if (!['engine', 'extraction'].includes(layerOf(file.path))) return []
  const modules = listImports(file)
    .filter(({ target }) => target.startsWith('node:') && target !== 'node:crypto')
    .map(({ target }) => `${file.path} is of a pure folder and may not import ${target}`)
  const code = withoutTexts(file.source)
  const word = IMPURE.exec(code)?.[0] ?? CLOCK_OR_CHANCE.exec(code)?.[0]
  return word === undefined ? modules : [...modules, `${file.path} is of a pure folder and may not use ${word}`]
}

/**
 * Switches of Lance that Lance reads only from the environment; they are not settings of this
 * service.
 */
const LANCE_SWITCH = /\bprocess\.env\['LANCE(?:DB)?_\w+'\]/g

function environmentViolations(file: ProjectFile): string[] {
  const code = withoutTexts(file.source.replace(LANCE_SWITCH, ''))
  if (ROOTS.includes(layerOf(file.path)) || !/\bprocess\.env\b/.test(code)) return []
  return [`${file.path} may not read process.env`]
}

/** The code without comments, strings and common regular expressions. */
function withoutTexts(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '')
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, "''")
}
