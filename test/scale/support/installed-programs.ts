import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Folders outside PATH where distributions install servers. */
const FURTHER_FOLDERS = ['/usr/sbin', '/usr/local/sbin']
const INSTALL_MS = 300_000

/**
 * Ensures that the programs exist: as root on a Debian-like system, missing packages are installed.
 * Returns `null`, or a sentence with the missing programs.
 */
export function requirePrograms(programs: readonly string[], packages: readonly string[]): string | null {
  if (missing(programs).length > 0 && process.getuid?.() === 0) install(packages)
  const absent = missing(programs)
  return absent.length === 0
    ? null
    : `${absent.join(', ')} not found; on Debian as root: apt-get install ${packages.join(' ')}`
}

/**
 * The option of tests that need the program named in `lacking`. Such tests are skipped, except in
 * the project's own checks.
 */
export function unlessLacking(lacking: string | null): { skip: string | false } {
  return { skip: process.env['RECOLLECT_SCALE'] === 'required' ? false : (lacking ?? false) }
}

function missing(programs: readonly string[]): string[] {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FURTHER_FOLDERS]
  return programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
}

function install(packages: readonly string[]): void {
  // Without the policy, the packages start servers.
  const script = `
    command -v apt-get >/dev/null || exit 0
    export DEBIAN_FRONTEND=noninteractive
    policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then printf '#!/bin/sh\\nexit 101\\n' > $policy; chmod +x $policy; trap 'rm -f $policy' EXIT; fi
    wait=DPkg::Lock::Timeout=200
    apt-get -o $wait update -qq; apt-get -o $wait install -y -qq --no-install-recommends ${packages.join(' ')}`
  spawnSync('sh', ['-c', script], { stdio: 'ignore', timeout: INSTALL_MS })
}
