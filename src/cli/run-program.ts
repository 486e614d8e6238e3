import { type Command, CommanderError } from 'commander'
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
    const program = createProgram(surroundings)
    requireCommand(program, args)
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // commander has printed the help or the mistake itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.wrongUsage
    if (surroundings.signal.aborted) return EXIT.interrupted
    surroundings.writeError(`${describeFailure(error)}\n`)
    return toStatus(error)
  }
}

/** commander shows the help of all where `--help` stands behind a command that there is not; without it, it says so and names the nearest. */
function requireCommand(program: Command, args: readonly string[]): void {
  const [name = ''] = args
  if (name === '' || name.startsWith('-') || program.commands.some((each) => each.name() === name)) return
  program.parse([name], { from: 'user' })
}

function toStatus(error: unknown): number {
  if (error instanceof ConfigError) return EXIT.wrongSettings
  if (error instanceof UsageError) return EXIT.wrongUsage
  return error instanceof ConnectionError ? EXIT.unreachable : EXIT.failed
}
