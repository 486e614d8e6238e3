import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { Config } from '../config.ts'
import { dataFolder } from '../files/data-folder.ts'
import type { Log } from '../observability/log.ts'
import type { Caller } from '../services/caller.ts'
import type { SignInService } from '../services/sign-in/sign-in-service.ts'

const KEY_BYTES = 32

/**
 * Returns how to read the secret of the installation, the source of other keys. The first
 * call makes a key in the data folder if none is configured. `null` if several processes could
 * share the database, but no key is set for them.
 */
export function findInstallationSecret({ secretsKey, database, dataDir }: Config): (() => string) | null {
  if (secretsKey !== null) return () => secretsKey
  return database === null ? () => readOrMakeKey(dataFolder(dataDir).secretsKey) : null
}

/** The process has locked the data folder, so no other process creates the file. */
function readOrMakeKey(path: string): string {
  const stored = readKey(path)
  if (stored !== '') return stored
  const key = randomBytes(KEY_BYTES).toString('base64')
  // A kill must not leave an empty file: everyone would know that key.
  const unfinished = `${path}.new`
  rmSync(unfinished, { force: true })
  const file = openSync(unfinished, 'wx', 0o600)
  try {
    writeSync(file, key)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
  return key
}

/** Returns the empty text if there is no key. */
function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/**
 * Opens the sign-in of people in the organization of `local`; `null` without a provider. The first
 * person makes the first request to the provider: an outage never stops a start.
 */
export async function openSignIn(
  config: Config,
  deps: { local: Caller; log: Log; now: () => Date },
): Promise<SignInService | null> {
  const { signIn, role } = config
  const findSecret = findInstallationSecret(config)
  // The settings require a secret with a provider, and workers have no pages.
  if (signIn === null || findSecret === null || role === 'worker') return null
  // The libraries would slow down every other start.
  const { createSignInService } = await import('../services/sign-in/sign-in-service.ts')
  return createSignInService({ ...signIn, installationSecret: findSecret() }, deps)
}
