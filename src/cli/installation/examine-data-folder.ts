import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { type Config, ConfigError, readConfig } from '../../config.ts'
import { checkFile } from '../../database/sqlite/check-file.ts'
import { dataFolder } from '../../files/data-folder.ts'
import { readFreeBytes } from '../../files/read-free-bytes.ts'
import { describeUnavailable, listAvailableModels } from '../../models/embedders.ts'
import { findRecognitionData } from '../../models/ocr/language-data.ts'
import { testSandbox } from '../../parsers/child/child.ts'
import { describeSandbox, isFullySandboxed } from '../../parsers/sandbox/sandbox-monitor.ts'
import type { CliContext } from '../cli-context.ts'
import { mayNotRead } from './open-metadata.ts'

/**
 * Below this there is hardly room for a document of 100 MB with text and vectors, and for
 * compacting a memory.
 */
const LOW_DISK_BYTES = 1_000_000_000

/**
 * Checks settings, data folder and disk as a service started here would see them. A missing folder
 * is not an error: the service may run elsewhere. Changes nothing.
 */
export async function examineDataFolder(environment: CliContext['environment']): Promise<CheckResult[]> {
  const config = readSettings(environment)
  if ('state' in config) return [config]
  const settings: CheckResult = { check: 'settings', state: 'ok', detail: 'a service started here would take them' }
  const { dataDir } = config
  if (!existsSync(dataDir)) {
    return [settings, { check: 'data folder', state: 'unknown', detail: `${dataDir} is not there (yet, or not here)` }]
  }
  const access = await examineAccess(dataDir)
  // A lock cannot be checked in an unreadable folder.
  const lock = access.state === 'ok' ? [examineLock(dataDir)] : []
  const database =
    access.state === 'ok' && config.database === null
      ? [...examineDatabaseFile(dataDir), ...examineModels(dataDir, config.search.embedder)]
      : []
  return [settings, access, ...lock, ...database, await examineDisk(dataDir)]
}

function readSettings(environment: CliContext['environment']): Config | CheckResult {
  try {
    return readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { check: 'settings', state: 'trouble', detail: error.problems.join(' ') }
  }
}

async function examineAccess(dataDir: string): Promise<CheckResult> {
  const check = 'data folder'
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return { check, state: 'ok', detail: dataDir }
  } catch {
    return { check, state: 'trouble', detail: mayNotRead(dataDir) }
  }
}

/** The service holds an exclusive lock, which prevents reading the lock file. */
function examineLock(dataDir: string): CheckResult {
  const check = 'lock'
  const { lock } = dataFolder(dataDir)
  if (!existsSync(lock)) return { check, state: 'ok', detail: 'no service has used the folder' }
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(lock, { readOnly: true })
    database.prepare('select count(*) from sqlite_schema').get()
    return { check, state: 'ok', detail: 'no service is using the folder' }
  } catch (error) {
    const isHeld = /locked|busy/i.test((error as Error).message)
    if (isHeld) return { check, state: 'ok', detail: 'a service is using the folder' }
    return { check, state: 'unknown', detail: `${lock} cannot be read: ${(error as Error).message}` }
  } finally {
    database?.close()
  }
}

/** Checks integrity, also beside a running service. */
function examineDatabaseFile(dataDir: string): CheckResult[] {
  const check = 'database file'
  const { database } = dataFolder(dataDir)
  if (!existsSync(database)) return []
  try {
    const [first, ...others] = checkFile(database, 'whole').problems
    if (first === undefined) return [{ check, state: 'ok', detail: 'whole' }]
    const more = others.length === 0 ? '' : `, and ${others.length} more`
    const advice = 'recollect doctor --storage lists what can be repaired and what must be restored from a backup'
    return [{ check, state: 'trouble', detail: `damaged: ${first.detail}${more}; ${advice}` }]
  } catch (error) {
    return [{ check, state: 'unknown', detail: `${database} cannot be checked: ${(error as Error).message}` }]
  }
}

/** Finds memories with an unavailable embedding model, also beside a running service. */
function examineModels(dataDir: string, setting: Config['search']['embedder']): CheckResult[] {
  const check = 'embedding models'
  const { database: path } = dataFolder(dataDir)
  if (!existsSync(path)) return []
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path, { readOnly: true })
    const counts = database.prepare(
      'select embedding_model model, count(*) memories from memories where embedding_model is not null group by 1',
    )
    const available = listAvailableModels(setting)
    const others = (counts.all() as { model: string; memories: number }[]).filter(
      ({ model }) => !available.includes(model),
    )
    const told = describeUnavailable(others)
    return [{ check, state: told === null ? 'ok' : 'trouble', detail: told ?? 'those of all memories are available' }]
  } catch {
    // The check of the file reports the reason.
    return []
  } finally {
    database?.close()
  }
}

async function examineDisk(dataDir: string): Promise<CheckResult> {
  const freeBytes = await readFreeBytes(dataDir)
  const gigabytes = (freeBytes / 1e9).toFixed(1)
  const isLow = freeBytes < LOW_DISK_BYTES
  const detail = `${gigabytes} GB free${isLow ? '; documents are refused when it is full' : ''}`
  return { check: 'disk', state: isLow ? 'trouble' : 'ok', detail }
}

/** Languages that OCR can read in this installation, with the sizes of their data. */
export function examineRecognitionData(): CheckResult {
  const { languages, scripts } = findRecognitionData()
  const size = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  const named = languages.map(({ code, bytes }) => `${code} ${size(bytes)}`)
  const detection = scripts === null ? 'no script detection' : `script detection ${size(scripts.bytes)}`
  const state = languages.length === 0 ? 'trouble' : 'ok'
  return { check: 'OCR languages', state, detail: [...named, detection].join(', ') }
}

/**
 * Restrictions that the system can impose on the child processes that parse files: no network,
 * limited disk. A system without them is not an error: the service runs without, as on every system
 * but Linux.
 */
export async function examineSandbox(): Promise<CheckResult> {
  const report = await testSandbox(tmpdir())
  const check = 'sandbox'
  if (report === null)
    return { check, state: 'trouble', detail: 'the process that was started to try it did not come up' }
  return { check, state: isFullySandboxed(report) ? 'ok' : 'unknown', detail: describeSandbox(report) }
}

/**
 * Result of one check. `unknown` means that it cannot be determined from here, and is not an error.
 */
export type CheckResult = { check: string; state: 'ok' | 'trouble' | 'unknown'; detail: string }
