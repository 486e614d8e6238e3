/**
 * Builds the TypeScript client from `src/client`: one file of JavaScript, and its declarations. As
 * a script, builds the package `clients/typescript`; `npm pack` there runs it.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

if (process.argv[1] === import.meta.filename) {
  const folder = join(root, 'clients/typescript')
  await buildClient(join(folder, 'dist'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** Replaces the folder by the built client. Throws if the types are wrong. */
export async function buildClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const source = join(root, 'src/client')
  const args = ['node_modules/typescript/bin/tsc', '-p', source, '--rootDir', source, '--outDir', folder]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('The declarations of the client cannot be built.')
  await build({
    absWorkingDir: root,
    entryPoints: ['src/client/client.ts'],
    outfile: join(folder, 'client.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    // Node 18, and browsers of its time.
    target: 'es2022',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
  })
}
