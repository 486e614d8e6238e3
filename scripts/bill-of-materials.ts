/**
 * The bill of materials in the form of CycloneDX 1.6, which scanners for known holes and licences read. Our own and not npm's (`npm sbom`): that one takes the
 * empty packages of `overrides` for those whose place they have, leaves out what is built into the console, and differs from build to build.
 */
import { readVersion } from '../src/config/version.ts'
import { readShippedPackages, type ShippedPackage } from './shipped-packages.ts'

/** What every installation of this version is made of, on any platform; the same for the same lockfile. */
export function billOfMaterials(): object {
  const { packages, direct } = readShippedPackages()
  const self = { 'bom-ref': `recollect@${readVersion()}`, name: 'recollect', version: readVersion() }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', ...self, licenses: toLicenses('Apache-2.0'), purl: toPurl(self) },
    },
    components: packages.map(toComponent),
    dependencies: [
      { ref: self['bom-ref'], dependsOn: [...direct].sort() },
      ...packages.map(({ id, dependsOn }) => ({ ref: id, dependsOn })),
    ],
  }
}

function toComponent(item: ShippedPackage): object {
  return {
    type: isNode(item) ? 'platform' : 'library',
    'bom-ref': item.id,
    name: item.name,
    version: item.version,
    scope: item.isOptional ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: toHex(item.integrity) }],
    ...(item.license === null ? {} : { licenses: toLicenses(item.license) }),
    // Holes of Node are told by this name, not by that of the npm package around it.
    ...(isNode(item) ? { cpe: `cpe:2.3:a:nodejs:node.js:${item.version}:*:*:*:*:*:*:*` } : {}),
    purl: toPurl(item),
  }
}

function isNode({ name }: ShippedPackage): boolean {
  return /^node-(bin-)?(linux|darwin|win)-/u.test(name)
}

function toLicenses(license: string): object[] {
  return /[ ()]/u.test(license) ? [{ expression: license }] : [{ license: { id: license } }]
}

function toPurl({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function toHex(integrity: string): string {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
}
