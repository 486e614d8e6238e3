import { CommanderError } from 'commander'
import { ConnectionError } from '../client/client-errors.ts'
import { ConfigError } from '../config.ts'
import { EXIT, UsageError } from './exit-statuses.ts'
import { describeFailure } from './printing/describe-failure.ts'
import { createProgram } from './program.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * Runs the command line on the arguments after the command's name. Resolves with the exit status; what went wrong has then been
 * said on standard error, in a sentence and with what to do about it.
 */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    await createProgram(surroundings).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // commander has printed the help or the mistake itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.wrongUsage
    if (surroundings.signal.aborted) return EXIT.interrupted
    surroundings.writeError(`${describeFailure(error)}\n`)
    return toStatus(error)
  }
}

function toStatus(error: unknown): number {
  if (error instanceof ConfigError) return EXIT.wrongSettings
  if (error instanceof UsageError) return EXIT.wrongUsage
  return error instanceof ConnectionError ? EXIT.unreachable : EXIT.failed
}
