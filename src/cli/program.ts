import { Command } from 'commander'
import { readVersion } from '../version.ts'
import { addKeysCommands } from './keys.ts'
import type { Surroundings } from './surroundings.ts'

const EXAMPLES = `
Examples:
  recollect serve                                        start the service
  recollect migrate                                      prepare the database before the first process of a new version starts
  recollect keys create --name laptop                    a key for everything
  recollect keys create --memory mem_… --expires 90d     a key for one memory, for 90 days
  recollect keys list --json                             every key, for a script
  recollect keys revoke key_…                            refuse a key from now on

The settings are environment variables (RECOLLECT_DATA_DIR, RECOLLECT_PORT …), described in docs/configuration.md.
Exit status: 0 done, 1 did not work, 2 wrong usage, 78 wrong settings.`

/** The command line, not yet run. Wrong usage throws commander's own error instead of ending the process. */
export function createProgram(surroundings: Surroundings): Command {
  const program = new Command('recollect')
    .description('A memory service you own: documents in, passages that can be checked out.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .showHelpAfterError('(--help shows what can be said)')
    .configureOutput({ writeOut: surroundings.writeOut, writeErr: surroundings.writeError })
    .addHelpText('after', EXAMPLES)
  program.command('serve').description('start the service in this terminal; ^C stops it').action(surroundings.serve)
  program
    .command('migrate')
    .description('bring the tables of the database up to this version, and end; every start does it, too')
    .action(async () => {
      const steps = await surroundings.migrate()
      surroundings.writeError(steps.length === 0 ? 'The tables are up to date.\n' : `Done: ${steps.join(', ')}.\n`)
    })
  addKeysCommands(program, surroundings)
  return program
}
