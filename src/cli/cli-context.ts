import type { Readable, Writable } from 'node:stream'
import type { KeysService } from '../services/account/keys-service.ts'
import type { OrganizationsService } from '../services/account/organizations-service.ts'
import type { Caller } from '../services/caller.ts'
import type { CopyResult } from './installation/copy-data-folder.ts'
import type { MoveResult } from './installation/move-installation.ts'
import type { StorageDoctor } from './installation/open-storage-doctor.ts'

/** Targets of the move; absent ones come from the settings. */
export type MoveOptions = { toDatabase?: string; toObjects?: string }

/** Opened keys and organizations of the installation. */
export type OpenKeys = {
  keys: Pick<KeysService, 'create' | 'list' | 'rename' | 'revoke'>
  organizations: OrganizationsService
  /** Owner of the named organization, acting on the machine itself. */
  caller: Caller
  close(): Promise<void>
}

/**
 * Effects available to commands, so that tests can replace terminal, network, service and data
 * folder.
 */
export type CliContext = {
  /** Writes results, for scripts. */
  writeOut(text: string): void
  /** Writes notes and errors, for the user. */
  writeError(text: string): void
  /** True if standard output is a terminal. */
  isTerminal: boolean
  /** Stream for progress bars; `null` if standard error is not a terminal. */
  barStream: NodeJS.WritableStream | null
  /** Reads all of standard input. */
  readInput(): Promise<Uint8Array>
  /** Streams of a protocol with the parent program. */
  stdio: { input: Readable; output: Writable }
  /** Asks a yes-or-no question; `null` without a terminal to ask at. */
  confirm(question: string): Promise<boolean | null>
  environment: Readonly<Record<string, string | undefined>>
  /** Service and key of the options --url and --key, which override the environment. */
  given: { url?: string; key?: string }
  fetch: typeof fetch
  /** Aborted by ^C. */
  signal: AbortSignal
  now: () => Date
  /** Opens a URL in the user's browser. Resolves with false if that is not possible. */
  openUrl(url: string): Promise<boolean>
  /** Starts the service; resolves when it is listening. */
  serve(): Promise<void>
  /** Migrates the database to this version; returns the steps taken. */
  migrate(): Promise<string[]>
  /** Copies the data folder. Rejects if it is missing or incomplete. */
  backup(folder: string): Promise<CopyResult>
  /**
   * Opens database, objects and memory files. Rejects if a service uses the data folder, or a store
   * cannot be opened.
   */
  openStorageDoctor(): Promise<StorageDoctor>
  /** Moves the data folder into a database and a bucket. Rejects as `moveInstallation` does. */
  move(options: MoveOptions): Promise<MoveResult>
  /**
   * Opens keys and organizations, for the organization with this id or the first one. Rejects with
   * instructions if there is no data or no such organization.
   */
  openKeys(organizationId?: string): Promise<OpenKeys>
}
