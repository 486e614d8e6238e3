import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The environment without npm's script variables, which would confuse a nested installation;
 * registry settings stay.
 */
export const OUTSIDE_OF_NPM: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      /^npm_config_(registry|cache|userconfig|cafile|\w*proxy)$/i.test(name) ||
      !/^(npm_|node_options$|recollect_)/i.test(name),
  ),
)

/** Runs npm in a folder. HOME holds the registry settings. */
export function npm(args: readonly string[], cwd: string): Promise<{ stdout: string }> {
  return run('npm', args, { cwd, env: OUTSIDE_OF_NPM, maxBuffer: 64 * 1024 * 1024 })
}

/** The reason why packages cannot be installed; `false` where possible. */
export function missingRegistry(cwd: string): string | false {
  const ping = ['ping', '--fetch-retries=0', '--fetch-timeout=20000']
  const { status } = spawnSync('npm', ping, { cwd, timeout: 60_000 })
  return status === 0 ? false : 'npm does not reach its registry, so nothing can be installed'
}
