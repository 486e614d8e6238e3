import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What npm sets for its scripts, a test among them, would turn an installation inside out; how the registry is reached stays. */
export const OUTSIDE_OF_NPM: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      /^npm_config_(registry|cache|userconfig|cafile|\w*proxy)$/i.test(name) ||
      !/^(npm_|node_options$|recollect_)/i.test(name),
  ),
)

/** Runs npm as anybody would, in a folder. HOME is where it finds its registry. */
export function npm(args: readonly string[], cwd: string): Promise<{ stdout: string }> {
  return run('npm', args, { cwd, env: OUTSIDE_OF_NPM, maxBuffer: 64 * 1024 * 1024 })
}

/** Why nothing can be installed here; `false` where it can. */
export function missingRegistry(cwd: string): string | false {
  const ping = ['ping', '--fetch-retries=0', '--fetch-timeout=20000']
  const { status } = spawnSync('npm', ping, { cwd, timeout: 60_000 })
  return status === 0 ? false : 'npm does not reach its registry, so nothing can be installed'
}
