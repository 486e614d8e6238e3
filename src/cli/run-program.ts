import { CommanderError } from 'commander'
import { CONFIG_EXIT_STATUS, ConfigError } from '../config.ts'
import { ApiError } from '../errors.ts'
import { createProgram } from './program.ts'
import { FAILED, type Surroundings, WRONG_USAGE } from './surroundings.ts'

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
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
    surroundings.writeError(`${describe(error)}\n`)
    return error instanceof ConfigError ? CONFIG_EXIT_STATUS : FAILED
  }
}

function describe(error: unknown): string {
  if (error instanceof ApiError) return `${error.message} ${error.remedy}`
  return error instanceof Error ? error.message : String(error)
}
