/**
 * The deployment examples name existing things. deploy/try-in-debian.sh tests them as far as
 * possible without a container engine.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { NODE_FLAGS } from '../../../bin/runtime.mjs'
import { SETTINGS } from '../../../src/config/settings.ts'
import { CONFIG_EXIT_STATUS, readConfig } from '../../../src/config.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, 'deploy', path), 'utf8')
const FILES = readdirSync(join(ROOT, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(join(ROOT, 'deploy').length + 1))
/** Only in compose.env; the Compose file passes the value under the setting's name. */
const NO_SETTING = ['RECOLLECT_KEY']

describe('the deployment files', () => {
  it('set only what the service knows', () => {
    assert.ok(FILES.length >= 8)
    for (const file of FILES) {
      const names = new Set(read(file).match(/\bRECOLLECT_[A-Z0-9_]+\b/g))
      const unknown = [...names].filter((name) => !Object.hasOwn(SETTINGS, name) && !NO_SETTING.includes(name))
      assert.deepEqual(unknown, [], file)
    }
  })

  it('give the roles settings that a start takes', () => {
    const pairs = [...read('compose.yaml').matchAll(/^ {2}((?:RECOLLECT|AWS)_[A-Z0-9_]+): (.+)$/gm)]
    const settings = Object.fromEntries(
      pairs.map(([, name, value]) => [name, value?.replace(/\$\{\w+:\?\}/g, 'secret1234567890123456')]),
    )
    assert.ok(Object.keys(settings).length >= 6)
    for (const role of ['api', 'worker']) assert.equal(readConfig({ ...settings, RECOLLECT_ROLE: role }).role, role)
  })

  it('copy what is there', () => {
    const copied = /^cp -R (.+) "\$target\/"$/m.exec(read('image/build.sh'))?.[1]?.split(' ') ?? []
    assert.ok(copied.includes('embedder'))
    const made = ['dist', 'node_modules']
    for (const name of copied) assert.ok(made.includes(name) || existsSync(join(ROOT, name)), name)
  })

  it('keep what an operator writes his secrets into out of the repository and out of the image', () => {
    for (const [list, root] of [
      ['.gitignore', '/'],
      ['.dockerignore', ''],
    ] as const) {
      const lines = readFileSync(join(ROOT, list), 'utf8').split('\n')
      for (const name of ['.env', `${root}deploy/compose.env`]) assert.ok(lines.includes(name), `${list}: ${name}`)
    }
  })

  it('start existing programs under systemd, without restarts on wrong settings', () => {
    const unit = read('recollect.service')
    const paths = /^ExecStart=\/usr\/bin\/env node (.+)$/m.exec(unit)?.[1]?.split(' ') ?? []
    assert.equal(paths.length, 2)
    for (const path of paths) assert.ok(existsSync(join(ROOT, path)), path)
    assert.equal(/^RestartPreventExitStatus=(\d+)$/m.exec(unit)?.[1], String(CONFIG_EXIT_STATUS))
  })

  it('end a stop after the drain and the 30 s that a stop may take', () => {
    const manifest = read('kubernetes/recollect.yaml')
    const drain = Number(/RECOLLECT_DRAIN_SECONDS: '(\d+)'/.exec(manifest)?.[1])
    for (const [, grace] of manifest.matchAll(/terminationGracePeriodSeconds: (\d+)/g))
      assert.ok(Number(grace) >= drain + 30)
    assert.match(read('compose.yaml'), /stop_grace_period: 60s/)
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(read('recollect.service'))?.[1]) >= 30)
  })

  it('hide the Service variables of Kubernetes from the pods, which no start accepts', () => {
    const manifest = read('kubernetes/recollect.yaml')
    const pods = manifest.match(/^kind: Deployment$/gm)?.length
    assert.equal(manifest.match(/^ {6}enableServiceLinks: false$/gm)?.length, pods)
    assert.throws(() => readConfig({ RECOLLECT_PORT: 'tcp://10.0.0.7:80' }), /RECOLLECT_PORT/)
    assert.throws(() => readConfig({ RECOLLECT_SERVICE_HOST: '10.0.0.7' }), /RECOLLECT_SERVICE_HOST/)
  })

  it('run the service of the image with its usual flags', () => {
    const entrypoint = /^ENTRYPOINT \["\/app\/node", (.+), "\/app\/dist/m.exec(read('Dockerfile'))?.[1]
    assert.equal(entrypoint?.replaceAll('"', ''), NODE_FLAGS.join(', '))
    assert.ok(read('try-in-debian.sh').includes(NODE_FLAGS.join(' ')))
  })

  it('let parser children drop their privileges', () => {
    const unit = read('recollect.service')
    const allowed = [...unit.matchAll(/^SystemCallFilter=([^~].*)$/gm)].flatMap(([, calls]) => calls?.split(' ') ?? [])
    for (const call of ['prctl', 'seccomp', 'landlock_create_ruleset', 'landlock_add_rule', 'landlock_restrict_self'])
      assert.ok(allowed.includes(call), call)
    // V8 generates machine code at run time.
    assert.doesNotMatch(unit, /^MemoryDenyWriteExecute=(?!no)/m)
  })
})
