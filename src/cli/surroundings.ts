import type { Readable, Writable } from 'node:stream'
import type { KeysService } from '../services/account/keys-service.ts'
import type { OrganizationsService } from '../services/account/organizations-service.ts'
import type { Caller } from '../services/caller.ts'
import type { Copied } from './installation/copy-data-folder.ts'
import type { Moved } from './installation/move-installation.ts'
import type { StorageDoctor } from './installation/open-storage-doctor.ts'

/** Where to move; what is absent is in the settings. */
export type MoveOptions = { toDatabase?: string; toObjects?: string }

/** Keys and organizations of the installation, open. */
export type OpenKeys = {
  keys: Pick<KeysService, 'create' | 'list' | 'revoke'>
  organizations: OrganizationsService
  /** The owner of the organization that was named, at the machine itself. */
  caller: Caller
  close(): Promise<void>
}

/** What the commands touch of the world; handed in, so that a test can stand in for terminal, network, service and data folder. */
export type Surroundings = {
  /** Results: what a script wants to read. */
  writeOut(text: string): void
  /** Everything said to the person: notes, errors. */
  writeError(text: string): void
  /** True where standard output is a terminal. */
  isTerminal: boolean
  /** Where bars are drawn; `null` where standard error is no terminal. */
  barStream: NodeJS.WritableStream | null
  /** All of standard input. */
  readInput(): Promise<Uint8Array>
  /** Both ends of a program that speaks a protocol with this one. */
  stdio: { input: Readable; output: Writable }
  /** The answer to a question that is answered with yes or no; `null` where nobody can be asked. */
  confirm(question: string): Promise<boolean | null>
  environment: Readonly<Record<string, string | undefined>>
  fetch: typeof fetch
  /** Aborted by ^C. */
  signal: AbortSignal
  now: () => Date
  /** Starts the service; resolves when it listens. */
  serve(): Promise<void>
  /** Brings the tables of the database up to this version; resolves with the steps that were taken. */
  migrate(): Promise<string[]>
  /** Copies the data folder to another. Rejects where it is not there, or does not hold everything. */
  backup(folder: string): Promise<Copied>
  /** Opens database, objects and memory files. Rejects where a service uses the data folder, and where one cannot be opened. */
  openStorageDoctor(): Promise<StorageDoctor>
  /** Moves the data folder into a database and a bucket. Rejects as `moveInstallation` does. */
  move(options: MoveOptions): Promise<Moved>
  /**
   * Opens keys and organizations of the installation, for the organization with this identifier (absent: the first one). Rejects with a sentence that says what
   * to do when there is no data yet, or no such organization.
   */
  openKeys(organizationId?: string): Promise<OpenKeys>
}
