import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '../client/client.ts'
import { SETTINGS } from '../config/settings.ts'
import { ConfigError } from '../config.ts'
import type { Surroundings } from './surroundings.ts'

/** Where the service is, the key for it, and where that key came from. */
export type Connection = { baseUrl: string; apiKey: string | null; keyFrom: string }

type Environment = Surroundings['environment']

/**
 * The service that RECOLLECT_URL names, with the key of RECOLLECT_API_KEY, else of the file RECOLLECT_API_KEY_FILE, else of
 * `recollect/key` in the user's configuration folder; none where there is none of them. Other settings are the service's business.
 * Throws {@link ConfigError} for a wrong address, and for a key file that is missing, empty, or readable by others.
 */
export function readConnection(environment: Environment): Connection {
  const url = SETTINGS.RECOLLECT_URL.parse(environment['RECOLLECT_URL'] || SETTINGS.RECOLLECT_URL.default)
  if ('problem' in url) throw new ConfigError([`RECOLLECT_URL ${url.problem}.`])
  const baseUrl = url.value ?? SETTINGS.RECOLLECT_URL.default
  const given = environment['RECOLLECT_API_KEY']
  if (given) return { baseUrl, apiKey: given.trim(), keyFrom: 'RECOLLECT_API_KEY' }
  const named = environment['RECOLLECT_API_KEY_FILE']
  const path = named || join(environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'recollect', 'key')
  const apiKey = readKeyFile(path)
  if (apiKey === null && named) throw new ConfigError([`RECOLLECT_API_KEY_FILE names ${named}, which is not there.`])
  return { baseUrl, apiKey, keyFrom: apiKey === null ? 'nowhere' : path }
}

/** A client of the service of {@link readConnection}; `send` stands in for the usual fetch. Throws as that does. */
export function openClient({ environment, fetch }: Surroundings, send: typeof globalThis.fetch = fetch): Client {
  const { baseUrl, apiKey } = readConnection(environment)
  return createClient({ baseUrl, apiKey, fetch: send })
}

/** Bits of a file's mode that let others than its owner do anything. */
const OTHERS = 0o077

function readKeyFile(path: string): string | null {
  try {
    // Windows has no such modes; its profile folders are the user's own.
    if ((statSync(path).mode & OTHERS) !== 0 && process.platform !== 'win32') {
      throw new ConfigError([`The key file ${path} can be read by others. Run: chmod 600 ${path}`])
    }
    const key = readFileSync(path, 'utf8').trim()
    if (key === '' || /\s/.test(key)) throw new ConfigError([`The key file ${path} must hold a key and nothing else.`])
    return key
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new ConfigError([`The key file ${path} cannot be read: ${message}.`])
  }
}
