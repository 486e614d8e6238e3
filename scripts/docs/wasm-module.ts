import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import openWabt from 'wabt'

const root = join(import.meta.dirname, '../..')
const wabt = await openWabt()
/** `threads` allows memory that threads share, `relaxed_simd` dot products of bytes. */
const FEATURES = { simd: true, threads: true, relaxed_simd: true }

/**
 * A TypeScript file with a named WebAssembly module as base64, compiled from its text at a path in
 * the project. Throws when the text is no valid module.
 */
export function wasmModule(path: string, name: string): string {
  const module = wabt.parseWat(path, readFileSync(join(root, path), 'utf8'), FEATURES)
  try {
    // The types of the package lack the argument.
    ;(module as { validate(features: typeof FEATURES): void }).validate(FEATURES)
    const { buffer } = module.toBinary({})
    const pieces =
      Buffer.from(buffer)
        .toString('base64')
        .match(/.{1,100}/g) ?? []
    return [
      `/** The module of ${path.split('/').at(-1)} as base64. Printed by \`npm run check -- --write\`; do not edit. */`,
      `export const ${name} =`,
      ...pieces.map((piece, index) => `  '${piece}'${index < pieces.length - 1 ? ' +' : ''}`),
      '',
    ].join('\n')
  } finally {
    module.destroy()
  }
}
