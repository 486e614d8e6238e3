/**
 * Builds everything for `npm pack` into `dist`: JavaScript, client types, the bundled console, the
 * search index of the documentation and the bill of materials. JavaScript, since Node strips no
 * types under `node_modules`. A checkout never needs a build.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readVersion } from '../src/config/version.ts'
import { openapiDocument } from '../src/http/openapi-document.ts'
import { bundleConsole } from '../src/web/console-files.ts'
import { indexPages, SEARCH_INDEX } from '../src/web/docs-files.ts'
import { billOfMaterials } from './bill-of-materials.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
for (const project of ['tsconfig.build.json', 'src/client']) compile(project)
const folder = join(dist, 'console')
mkdirSync(folder, { recursive: true })
for (const [name, content] of await bundleConsole(join(root, 'src/console'))) writeFileSync(join(folder, name), content)
const index = await indexPages(root, openapiDocument({ version: readVersion() }))
writeFileSync(join(dist, 'web', SEARCH_INDEX), index)
writeFileSync(join(dist, 'bom.cdx.json'), `${JSON.stringify(billOfMaterials(), null, 2)}\n`)

function compile(project: string): void {
  const args = ['node_modules/typescript/bin/tsc', '-p', project]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
