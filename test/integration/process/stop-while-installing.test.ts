import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { copyCheckout, NODE_PACKAGES } from './checkout-copy.ts'
import { isRunning } from './processes.ts'

const PATIENCE_MS = 30_000

/** A fake npm: reports its caller, takes a second, and installs a Node that runs for a minute. */
const NPM = `
echo $PPID > asked && mv asked ../began
sleep 1
for name in ${NODE_PACKAGES.join(' ')}; do
  mkdir -p node_modules/$name/bin
  echo '{}' > node_modules/$name/package.json
  printf '#!/bin/sh\\nexec sleep 60\\n' > node_modules/$name/bin/node
  chmod +x node_modules/$name/bin/node
done
`

test('npm start stopped during its installation leaves no service behind', async (context) => {
  if (process.platform === 'win32') return context.skip('needs a shell')
  const folder = await mkdtemp(join(tmpdir(), 'recollect-install-'))
  const began = join(folder, 'began')
  try {
    const env = { ...copyCheckout(folder, NPM), npm_lifecycle_event: 'start' }
    const shell = spawn('sh', ['-c', 'node scripts/run.mjs; true'], { cwd: folder, env, stdio: 'ignore' })
    await until(() => existsSync(began))
    const script = Number(await readFile(began, 'utf8'))
    context.after(() => isRunning(script) && process.kill(script))
    shell.kill('SIGTERM')
    // The script ends together with its service, never before.
    await until(() => !isRunning(script))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!isSo()) {
    assert.ok(Date.now() < end, 'it took too long')
    await setTimeout(50)
  }
}
