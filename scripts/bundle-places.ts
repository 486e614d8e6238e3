/**
 * Places of the modules of a bundle. `bundle-service.ts` adds this module to every bundle, and
 * replaces `import.meta` by these functions. The module itself is at the top of the bundle.
 */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The URL that a module has in the layout of the sources: `config/version.js`. */
export function placeOf(module: string): string {
  return new URL(module, import.meta.url).href
}

/** The folder of such a module. */
export function folderOf(module: string): string {
  return dirname(fileURLToPath(placeOf(module)))
}
