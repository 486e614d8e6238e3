import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readShippedPackages, type ShippedPackage } from '../shipped-packages.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Licences (SPDX) under which anybody may receive Recollect. A person reviews any further licence
 * before adding it here.
 */
const KNOWN = ['0BSD', 'AFL-2.1', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'LGPL-3.0-or-later', 'MIT']

/**
 * `docs/licences.md`: the licence of every package that is shipped, and the texts of those built
 * into the console. Throws where a licence is not stated or not known, with the packages.
 */
export function licencesPage(packages: readonly ShippedPackage[] = readShippedPackages().packages): string {
  const strange = packages.filter((item) => !isKnown(item.license))
  if (strange.length > 0) {
    const names = strange.map(({ id, license }) => `${id} (${license ?? 'none stated'})`)
    throw new Error(`Licences that scripts/docs/licences-page.ts does not know: ${names.join(', ')}`)
  }
  const rows = packages.map(({ name, version, license }) => `| \`${name}\` | ${version} | ${license} |`)
  return `<!-- Printed from package-lock.json by: npm run check -- --write -->

# Licences

Recollect has the Apache License 2.0 (\`LICENSE\`). The READMEs in \`embedder/\` and \`ocr-data/\` list the licences of the
embedding model and of the recognition data. The table lists the
packages that are installed on any platform, with SPDX names; the licence texts are in their folders under
\`node_modules\`. The libvips of sharp (LGPL) is a separate library, which you can replace with another build.

\`npm pack\` creates the same list with hashes and dependencies in CycloneDX format: \`dist/bom.cdx.json\`.

| package | version | licence |
|---|---|---|
${rows.join('\n')}

## Built into the console

${packages
  .filter(({ isBundled }) => isBundled)
  .map(printText)
  .join('\n')}`
}

function isKnown(license: string | null): boolean {
  const ids = license?.split(/[() ]+|\bAND\b|\bOR\b/u).filter((id) => id !== '') ?? []
  return ids.length > 0 && ids.every((id) => KNOWN.includes(id))
}

function printText({ id, name }: ShippedPackage): string {
  const text = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')
    .replaceAll('\r\n', '\n')
    .trim()
  return `### ${id}\n\n\`\`\`text\n${text}\n\`\`\`\n`
}
