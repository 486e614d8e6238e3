import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '../client/client.ts'
import type { Memory } from '../client/resources.ts'
import { SETTINGS } from '../config/settings.ts'
import { ConfigError } from '../config.ts'
import { isId } from '../ids.ts'
import { UsageError } from './failures.ts'
import { oneLine } from './printing.ts'
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

/** Names that are shown where one has to be chosen. */
const SHOWN = 10

/** The memory of this id or exact name; the only one where none is named. Rejects with what to write instead. */
export async function requireMemory(client: Client, named: string | undefined): Promise<Memory> {
  if (named !== undefined && isId('mem', named)) return client.memories.get(named)
  const memories = await listMemories(client)
  const fitting = named === undefined ? memories : memories.filter(({ name }) => name === named)
  const [memory, another] = fitting
  if (memory === undefined) throw new Error(noMemory(memories, named))
  if (another === undefined) return memory
  throw new UsageError(
    named === undefined
      ? `There are ${memories.length} memories; name one with --memory: ${listNames(memories)}.`
      : `${fitting.length} memories have this name; use an id: ${fitting.map(({ id }) => id).join(', ')}.`,
  )
}

/** Every memory, newest first. */
export async function listMemories(client: Client): Promise<Memory[]> {
  const memories: Memory[] = []
  for await (const memory of client.memories.list()) memories.push(memory)
  return memories
}

function noMemory(memories: readonly Memory[], named: string | undefined): string {
  if (memories.length === 0) return 'There is no memory yet. Make one with: recollect memories create <name>'
  return `There is no memory ${JSON.stringify(named)}. There are: ${listNames(memories)}.`
}

function listNames(memories: readonly Memory[]): string {
  const names = memories.slice(0, SHOWN).map(({ name }) => JSON.stringify(oneLine(name)))
  return names.join(', ') + (memories.length > SHOWN ? ' …' : '')
}
