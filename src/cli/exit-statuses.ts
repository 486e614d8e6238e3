import { CONFIG_EXIT_STATUS } from '../config.ts'

/** Exit statuses; 69 and 78 are `EX_UNAVAILABLE` and `EX_CONFIG` of BSD's sysexits.h, 130 is what shells give a command that ^C ended. */
export const EXIT = {
  failed: 1,
  wrongUsage: 2,
  unreachable: 69,
  wrongSettings: CONFIG_EXIT_STATUS,
  interrupted: 130,
} as const

/** The command was given something that does not go together; the message says what to write instead. */
export class UsageError extends Error {}
