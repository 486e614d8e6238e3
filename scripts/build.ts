/**
 * Builds everything for `npm pack` into `dist`: the bundle, as in a checkout, and the client with
 * its types. The search index of the documentation and the bill of materials follow.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { readVersion } from '../src/config/version.ts'
import { openapiDocument } from '../src/http/openapi-document.ts'
import { indexPages, SEARCH_INDEX } from '../src/web/docs-files.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { bundleInto } from './bundle-service.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

await bundleInto(dist)
compileClient()
await build({
  absWorkingDir: root,
  entryPoints: ['src/client/client.ts'],
  outfile: join(dist, 'client/client.js'),
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2024',
  logLevel: 'warning',
})
mkdirSync(join(dist, 'web'), { recursive: true })
const index = await indexPages(root, openapiDocument({ version: readVersion() }))
writeFileSync(join(dist, 'web', SEARCH_INDEX), index)
writeFileSync(join(dist, 'bom.cdx.json'), `${JSON.stringify(billOfMaterials(), null, 2)}\n`)

/** Writes the declarations of the client. */
function compileClient(): void {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'src/client']
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
