import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { type Lockfile, lockfileFaults } from '../../scripts/lockfile-faults.ts'

const root = join(import.meta.dirname, '../..')
const lockfile: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const denied = Object.keys(manifest.allowScripts)

it('every package of the lockfile, of every platform, has a hash, no address and no install script that runs', () => {
  assert.deepEqual(lockfileFaults(lockfile, denied), [])
  assert.ok(denied.every((name) => manifest.allowScripts[name] === false))
})

it('Node itself is a package of the lockfile with a hash, for each platform it is brought for', () => {
  const names = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith('node-'))
  assert.ok(names.length >= 4)
  for (const name of names) {
    const entry = lockfile.packages[`node_modules/${name}`]
    assert.equal(entry?.version, manifest.optionalDependencies[name], name)
    assert.ok(readFileSync(join(root, 'bin/runtime.mjs'), 'utf8').includes(`'${name}'`), `${name} is never run`)
  }
})

it('a package without a hash, with an address, with an install script is named', () => {
  const integrity = `sha512-${'A'.repeat(86)}==`
  const packages = {
    '': {},
    'node_modules/bare': { version: '1.0.0' },
    'node_modules/weak': { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    'node_modules/@a/placed': { integrity, resolved: 'https://packages.example/placed.tgz' },
    'node_modules/good/node_modules/scripted': { integrity, hasInstallScript: true },
    'node_modules/good': { integrity },
  }
  assert.deepEqual(lockfileFaults({ packages }, []), [
    'node_modules/bare has no SHA-512 hash',
    'node_modules/weak has no SHA-512 hash',
    'node_modules/@a/placed names the address https://packages.example/placed.tgz',
    'node_modules/good/node_modules/scripted has an install script that package.json does not deny (allowScripts)',
  ])
  assert.equal(lockfileFaults({ packages }, ['scripted']).length, 3)
})
