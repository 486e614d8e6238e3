import { readFileSync } from 'node:fs'

/** The version in `package.json` beside `src` or `dist`. Throws if the file is missing. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version)
  throw new Error('package.json has no version')
}
