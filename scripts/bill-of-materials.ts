/**
 * The bill of materials in CycloneDX 1.6, for scanners of known vulnerabilities and licences. `npm
 * sbom` is no alternative: npm counts the empty packages of `overrides` as the packages replaced.
 * npm also leaves out packages built into the console, and differs from build to build.
 */
import { readVersion } from '../src/config/version.ts'
import { readShippedPackages, type ShippedPackage } from './shipped-packages.ts'

/**
 * Everything that an installation of this version consists of, on any platform. The same lockfile
 * gives the same result.
 */
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
    // Vulnerabilities of Node are published under this name, not under the npm package around Node.
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
