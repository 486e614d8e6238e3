import { Command } from 'commander'
import { readVersion } from '../config/version.ts'
import { addAddCommand } from './add/add.ts'
import { addBackupCommand } from './backup/backup.ts'
import { addAskCommand } from './commands/ask.ts'
import { addCompletionCommand } from './commands/completion.ts'
import { addCorrectCommand } from './commands/correct.ts'
import { addCorrectionsCommand } from './commands/corrections.ts'
import { addDocumentsCommands } from './commands/documents.ts'
import { addEvaluateCommand } from './commands/evaluate.ts'
import { addExportCommand } from './commands/export.ts'
import { addExtractCommand } from './commands/extract.ts'
import { addFindCommand } from './commands/find.ts'
import { addHelpCommand } from './commands/help.ts'
import { addImportCommand } from './commands/import.ts'
import { addJobsCommands } from './commands/jobs.ts'
import { addKeysCommands } from './commands/keys.ts'
import { addMcpCommand } from './commands/mcp.ts'
import { addMemoriesCommands } from './commands/memories.ts'
import { addOrganizationsCommands } from './commands/organizations.ts'
import { addReembedCommand } from './commands/reembed.ts'
import { addVerifyCommand } from './commands/verify.ts'
import { addWebhooksCommands } from './commands/webhooks.ts'
import { addDoctorCommand } from './doctor/doctor.ts'
import { addExamples } from './examples.ts'
import { addMoveCommand } from './move/move.ts'
import type { Surroundings } from './surroundings.ts'

/** The command line, not yet run. Wrong usage throws commander's own error instead of ending the process. */
export function createProgram(surroundings: Surroundings): Command {
  const program = new Command('recollect')
    .description('A memory service you own: documents in, passages that can be checked out.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .showHelpAfterError('(--help shows what can be said)')
    .configureOutput({ writeOut: surroundings.writeOut, writeErr: surroundings.writeError })
  program.commandsGroup('The service:')
  program.command('serve').description('start the service in this terminal; ^C stops it').action(surroundings.serve)
  program
    .command('migrate')
    .description('bring the tables of the database up to this version, and end; every start does it, too')
    .action(async () => {
      const steps = await surroundings.migrate()
      surroundings.writeError(steps.length === 0 ? 'The tables are up to date.\n' : `Done: ${steps.join(', ')}.\n`)
    })
  addKeysCommands(program, surroundings)
  addOrganizationsCommands(program, surroundings)
  addDoctorCommand(program, surroundings)
  addBackupCommand(program, surroundings)
  addMoveCommand(program, surroundings)
  program.commandsGroup('Memories and what is in them:')
  addMemoriesCommands(program, surroundings)
  addExportCommand(program, surroundings)
  addImportCommand(program, surroundings)
  addAddCommand(program, surroundings)
  addDocumentsCommands(program, surroundings)
  addFindCommand(program, surroundings)
  addAskCommand(program, surroundings)
  addEvaluateCommand(program, surroundings)
  addExtractCommand(program, surroundings)
  addCorrectCommand(program, surroundings)
  addCorrectionsCommand(program, surroundings)
  addReembedCommand(program, surroundings)
  addVerifyCommand(program, surroundings)
  addJobsCommands(program, surroundings)
  addWebhooksCommands(program, surroundings)
  addMcpCommand(program, surroundings)
  program.commandsGroup('This shell:')
  addCompletionCommand(program, surroundings)
  addHelpCommand(program)
  addExamples(program)
  return program
}
