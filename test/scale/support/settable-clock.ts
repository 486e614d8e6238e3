import { globSync, writeFileSync } from 'node:fs'
import { requirePrograms } from './installed-programs.ts'

/** A machine clock for processes started with these settings. */
export type SettableClock = {
  settings: Readonly<Record<string, string>>
  /** Sets the clock so many seconds ahead of or behind the time. */
  set(seconds: number): void
}

/** The library paths of distributions. */
const LIBRARIES = '/usr/lib/*/faketime/libfaketimeMT.so.1'

/**
 * The reason why this machine has no settable clock; `null` where possible. Installs faketime where
 * allowed.
 */
export function whyNoSettableClock(): string | null {
  const reason = requirePrograms(['faketime'], ['faketime'])
  return findLibrary() === null ? (reason ?? 'libfaketimeMT.so.1 not found') : null
}

/**
 * Creates a clock with the current time, controlled by a file at `path`. Only the time of day can
 * be set, as on real machines, never the monotonic clock.
 */
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
