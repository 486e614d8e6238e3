import { globSync, writeFileSync } from 'node:fs'
import { requirePrograms } from './installed-programs.ts'

/** The clock of a machine, for the processes that are started with its settings. */
export type SettableClock = {
  settings: Readonly<Record<string, string>>
  /** Sets it so many seconds before or behind the time. */
  set(seconds: number): void
}

/** Where distributions put the library that answers in place of the system. */
const LIBRARIES = '/usr/lib/*/faketime/libfaketimeMT.so.1'

/** Why there can be none here, a sentence; `null` when there can. Installs faketime where that is allowed. */
export function whyNoSettableClock(): string | null {
  const reason = requirePrograms(['faketime'], ['faketime'])
  return findLibrary() === null ? (reason ?? 'libfaketimeMT.so.1 not found') : null
}

/** Makes one that shows the time, by a file at `path`. Only the time of day can be set, as on real machines, never the monotonic clock. */
export function makeSettableClock(path: string): SettableClock {
  const set = (seconds: number) => writeFileSync(path, `${seconds < 0 ? '' : '+'}${seconds}`)
  set(0)
  return {
    settings: {
      LD_PRELOAD: findLibrary() ?? '',
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    set,
  }
}

function findLibrary(): string | null {
  return globSync(LIBRARIES)[0] ?? null
}
