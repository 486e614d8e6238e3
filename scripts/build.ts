/**
 * `npm run build`: JavaScript in `dist`, for the package alone. Node strips no types under `node_modules`, so what is
 * packed must be JavaScript already; from a checkout nothing is ever built.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
rmSync(join(root, 'dist'), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
