/**
 * Builds everything for `npm pack` into `dist`: the bundle, as in a checkout, and the client with
 * its types. The search index of the documentation and the bill of materials follow.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readVersion } from '../src/config/version.ts'
import { openapiDocument } from '../src/http/openapi-document.ts'
import { indexPages, SEARCH_INDEX } from '../src/web/docs-files.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { buildClient } from './build-client.ts'
import { bundleInto } from './bundle-service.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

await bundleInto(dist)
await buildClient(join(dist, 'client'))
mkdirSync(join(dist, 'web'), { recursive: true })
const index = await indexPages(root, openapiDocument({ version: readVersion() }))
writeFileSync(join(dist, 'web', SEARCH_INDEX), index)
writeFileSync(join(dist, 'bom.cdx.json'), `${JSON.stringify(billOfMaterials(), null, 2)}\n`)
