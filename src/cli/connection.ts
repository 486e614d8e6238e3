import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Project } from '../client/accounts.ts'
import { type Client, createClient } from '../client/client.ts'
import type { Memory } from '../client/resources.ts'
import { SETTINGS } from '../config/settings.ts'
import { ConfigError } from '../config.ts'
import { isId } from '../ids.ts'
import type { CliContext } from './cli-context.ts'
import { UsageError } from './failures.ts'
import { shorten } from './printing.ts'

/** URL of the service, the key for it, and the source of that key. */
export type Connection = { baseUrl: string; apiKey: string | null; keyFrom: string }

type Given = Pick<CliContext, 'environment' | 'given'>

/**
 * Reads the service URL from --url or RECOLLECT_URL. Reads the key from --key, RECOLLECT_API_KEY,
 * the file RECOLLECT_API_KEY_FILE, or `recollect/key` in the user's configuration folder. The key
 * is null if none is set. Ignores other settings, which are for the service. Throws {@link
 * UsageError} or {@link ConfigError} for an invalid address, and for a missing, empty or shared key
 * file.
 */
export function readConnection({ environment, given }: Given): Connection {
  const baseUrl = readUrl({ environment, given })
  if (given.key) return { baseUrl, apiKey: given.key.trim(), keyFrom: '--key' }
  const set = environment['RECOLLECT_API_KEY']
  if (set) return { baseUrl, apiKey: set.trim(), keyFrom: 'RECOLLECT_API_KEY' }
  const named = environment['RECOLLECT_API_KEY_FILE']
  const path = named || join(environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'recollect', 'key')
  const apiKey = readKeyFile(path)
  if (apiKey === null && named) throw new ConfigError([`RECOLLECT_API_KEY_FILE names ${named}, which is not there.`])
  return { baseUrl, apiKey, keyFrom: apiKey === null ? 'nowhere' : path }
}

function readUrl({ environment, given }: Given): string {
  const { parse, default: usual } = SETTINGS.RECOLLECT_URL
  const url = parse(given.url ?? (environment['RECOLLECT_URL'] || usual))
  if (!('problem' in url)) return url.value ?? usual
  if (given.url !== undefined) throw new UsageError(`--url ${url.problem}.`)
  throw new ConfigError([`RECOLLECT_URL ${url.problem}.`])
}

/** True if the user named a service, whose installation may be elsewhere. */
export function isServiceNamed({ environment, given }: Given): boolean {
  return given.url !== undefined || Boolean(environment['RECOLLECT_URL'])
}

/**
 * A client for the service of {@link readConnection}; `send` replaces fetch. Throws as that does.
 */
export function openClient(context: CliContext, send: typeof globalThis.fetch = context.fetch): Client {
  const { baseUrl, apiKey } = readConnection(context)
  return createClient({ baseUrl, apiKey, fetch: send })
}

/** Mode bits that give permissions to users other than the owner. */
const OTHERS = 0o077

function readKeyFile(path: string): string | null {
  try {
    // Windows has no such modes; its profile folders belong to the user.
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

/** Maximum names to list when the user must choose. */
const SHOWN = 10

/**
 * Finds a memory by id or exact name; without a name, the only memory. Rejects with instructions.
 */
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

/** Finds a project by id or exact name. Rejects with instructions. */
export async function requireProject(client: Client, named: string): Promise<Project> {
  for await (const project of client.projects.list()) if (project.id === named || project.name === named) return project
  throw new UsageError(
    `There is no project ${JSON.stringify(shorten(named))}. List them with: recollect projects list.`,
  )
}

/** Node's default timeouts are minutes. */
const HEALTH_TIMEOUT_MS = 10_000

/** Reads the health also from a 503, which a client would treat as a failure. */
export async function readHealth({ fetch, signal }: CliContext, url: string): Promise<unknown> {
  const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(HEALTH_TIMEOUT_MS)]) })
  return answer.json()
}

/** Every memory, newest first. */
export async function listMemories(client: Client): Promise<Memory[]> {
  const memories: Memory[] = []
  for await (const memory of client.memories.list()) memories.push(memory)
  return memories
}

function noMemory(memories: readonly Memory[], named: string | undefined): string {
  if (memories.length === 0) return 'There is no memory yet. Make one with: recollect memories create <name>'
  return `There is no memory ${JSON.stringify(shorten(named ?? ''))}. There are: ${listNames(memories)}.`
}

function listNames(memories: readonly Memory[]): string {
  const names = memories.slice(0, SHOWN).map(({ name }) => JSON.stringify(shorten(name)))
  return names.join(', ') + (memories.length > SHOWN ? ' …' : '')
}
