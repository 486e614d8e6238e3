import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { ConnectionError, RecollectError } from '../client/client-errors.ts'
import { readVersion } from '../config/version.ts'
import { ConfigError } from '../config.ts'
import type { ErrorFacts } from '../mcp/mcp-server.ts'
import { pluralize } from '../text/pluralize.ts'
import { addAddCommand } from './add/add.ts'
import { addSyncCommand } from './add/sync.ts'
import type { CliContext, MoveOptions } from './cli-context.ts'
import { addExportCommand, addImportCommand } from './commands/archive-commands.ts'
import { addCompletionCommand } from './commands/completion-command.ts'
import { addCorrectCommand, addCorrectionsCommand } from './commands/corrections-command.ts'
import { addDocumentsCommands } from './commands/documents-command.ts'
import { addEvaluateCommand } from './commands/evaluate-command.ts'
import { addExtractCommand } from './commands/extract-command.ts'
import { addJobsCommands } from './commands/jobs-command.ts'
import { addKeysCommands, addOrganizationsCommands } from './commands/keys-command.ts'
import { addMemoriesCommands, addReembedCommand, addVerifyCommand } from './commands/memories-command.ts'
import { addProjectsCommands } from './commands/projects-command.ts'
import { addAskCommand, addFindCommand } from './commands/search-commands.ts'
import { addSourcesCommands } from './commands/sources-command.ts'
import { addOpenCommand, addStatusCommand, addUsageCommand } from './commands/status-commands.ts'
import { addWebhooksCommands } from './commands/webhooks-command.ts'
import { openClient } from './connection.ts'
import { addExamples } from './examples.ts'
import { describeFailure, EXIT, toErrorBody, Unanswered, UsageError } from './failures.ts'
import { addDoctorCommand } from './installation/doctor-command.ts'
import { setDefaultMemory } from './options.ts'

/**
 * Creates the command line, without running it. Wrong usage throws commander's error instead of
 * ending the process.
 */
export function createProgram(context: CliContext): Command {
  const program = new Command('recollect')
    .description('Self-hosted memory service: index documents, search them, and get passages with verifiable sources.')
    .version(readVersion(), '-V, --version', 'print the version')
    .option('--url <url>', 'address of the service (default: RECOLLECT_URL)')
    .option('--key <key>', 'API key; other users can see it while the command runs (default: RECOLLECT_API_KEY)')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .showHelpAfterError('(run with --help for usage)')
    .configureOutput({ writeOut: context.writeOut, writeErr: context.writeError })
    .hook('preAction', (_, command) => takeDefaults(context, program, command))
  program.commandsGroup('The service:')
  addServeCommand(program, context)
  addStatusCommand(program, context)
  addOpenCommand(program, context)
  addMigrateCommand(program, context)
  addKeysCommands(program, context)
  addOrganizationsCommands(program, context)
  addDoctorCommand(program, context)
  addBackupCommand(program, context)
  addMoveCommand(program, context)
  addUsageCommand(program, context)
  program.commandsGroup('Memories and what is in them:')
  addMemoriesCommands(program, context)
  addProjectsCommands(program, context)
  addExportCommand(program, context)
  addImportCommand(program, context)
  addAddCommand(program, context)
  addSyncCommand(program, context)
  addSourcesCommands(program, context)
  addDocumentsCommands(program, context)
  addFindCommand(program, context)
  addAskCommand(program, context)
  addEvaluateCommand(program, context)
  addExtractCommand(program, context)
  addCorrectCommand(program, context)
  addCorrectionsCommand(program, context)
  addReembedCommand(program, context)
  addVerifyCommand(program, context)
  addJobsCommands(program, context)
  addWebhooksCommands(program, context)
  addMcpCommand(program, context)
  program.commandsGroup('This shell:')
  addCompletionCommand(program, context)
  addHelpCommand(program)
  addExamples(program)
  return program
}

/** Options of the program, which may follow a command, and the memory of the environment. */
function takeDefaults({ given, environment }: CliContext, program: Command, command: Command): void {
  Object.assign(given, program.opts())
  const memory = environment['RECOLLECT_MEMORY']?.trim()
  if (memory) setDefaultMemory(command, memory)
}

/** `recollect serve`. */
function addServeCommand(program: Command, context: CliContext): void {
  program
    .command('serve')
    .description('start the service in this terminal; stop it with ^C')
    // src/main.ts reads it from the arguments, since the service also starts without a command.
    .option('--verbose', 'show a line for each request also on a terminal')
    .action(() => context.serve())
}

/** `recollect migrate`. */
function addMigrateCommand(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .description('migrate the database to this version and exit; every start also migrates')
    .action(async () => {
      const steps = await context.migrate()
      context.writeError(steps.length === 0 ? 'The tables are up to date.\n' : `Done: ${steps.join(', ')}.\n`)
    })
}

/**
 * Replaces commander's `help`, which for an unknown command prints the general help without an
 * error.
 */
function addHelpCommand(program: Command): void {
  program.helpCommand(false)
  program
    .command('help [command...]')
    .description('show the help of a command')
    .action((names: string[]) => names.reduce(findCommand, program).help())
}

function findCommand(group: Command, name: string): Command {
  const found = group.commands.find((each) => each.name() === name)
  return found ?? group.error(`error: unknown command '${name}'`, { code: 'commander.unknownCommand' })
}

/**
 * Runs the command line with the arguments after the command's name. Resolves with the exit status;
 * errors are printed to standard error, with their remedy.
 */
export async function runProgram(args: readonly string[], context: CliContext): Promise<number> {
  const wantsJson = args.includes('--json')
  try {
    const program = createProgram(context)
    if (wantsJson) silenceUsageErrors(program)
    requireCommand(program, args)
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    const status = toStatus(error, context.signal)
    // commander has already printed the help.
    if (status === 0 || status === EXIT.unanswered || status === EXIT.interrupted) return status
    if (wantsJson) context.writeError(`${JSON.stringify(toErrorBody(error, status))}\n`)
    else if (!(error instanceof CommanderError)) context.writeError(`${describeFailure(error)}\n`)
    return status
  }
}

/** With --json, an error is one line of JSON; commander would print its own lines before it. */
function silenceUsageErrors(command: Command): void {
  command.configureOutput({ outputError: () => undefined }).showHelpAfterError(false)
  for (const each of command.commands) silenceUsageErrors(each)
}

/**
 * For an unknown command with `--help`, commander would print the general help. Without `--help` it
 * reports the error and the closest command.
 */
function requireCommand(program: Command, args: readonly string[]): void {
  const [name = ''] = args
  if (name === '' || name.startsWith('-') || program.commands.some((each) => each.name() === name)) return
  program.parse([name], { from: 'user' })
}

function toStatus(error: unknown, signal: AbortSignal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.wrongUsage
  if (signal.aborted) return EXIT.interrupted
  if (error instanceof Unanswered) return EXIT.unanswered
  if (error instanceof ConfigError) return EXIT.wrongSettings
  if (error instanceof UsageError) return EXIT.wrongUsage
  return error instanceof ConnectionError ? EXIT.unreachable : EXIT.failed
}

/** `recollect mcp`. */
function addMcpCommand(program: Command, context: CliContext): void {
  program
    .command('mcp')
    .description('serve the Model Context Protocol on standard input and output')
    .action(() => serveMcp(context))
}

/** Ends when standard input does. */
async function serveMcp(context: CliContext): Promise<void> {
  const { stdio, signal } = context
  const { input, output } = stdio
  const client = openClient(context)
  // Loading the protocol takes time, which other commands should not pay.
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const { createMcpServer } = await import('../mcp/mcp-server.ts')
  const server = createMcpServer({ call: client.call, version: readVersion(), describeError: describeForModel })
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.connect(new StdioServerTransport(input, output))
  await ended
  await server.close()
}

function describeForModel(error: unknown): ErrorFacts {
  if (!(error instanceof RecollectError) || error.status === 0 || error.status === 401) {
    return { code: 'service_unavailable', message: describeFailure(error), remedy: '', details: [] }
  }
  const { code, message, remedy, details } = error
  return { code, message, remedy, details }
}

/** `recollect backup`. */
function addBackupCommand(program: Command, context: CliContext): void {
  program
    .command('backup <folder>')
    .description('copy the data folder, also while the service runs; the copy is a usable data folder')
    .action(async (folder: string) => {
      const to = resolve(folder)
      const { memoryFiles, files } = await context.backup(to)
      const counted = `the database, ${pluralize(memoryFiles, 'memory file')}, ${pluralize(files, 'file')}`
      context.writeError(`Copied to ${to}: ${counted}. To try it, start a service on it (docs/backup.md).\n`)
    })
}

/** `recollect move`. */
function addMoveCommand(program: Command, context: CliContext): void {
  program
    .command('move')
    .description('copy the data folder of a stopped service into PostgreSQL and an S3 bucket, which must be empty')
    .option('--to-database <url>', 'postgres://… (default: RECOLLECT_DATABASE_URL)')
    .option('--to-objects <url>', 's3://bucket/prefix (default: RECOLLECT_OBJECT_STORE_URL)')
    .action(async (options: MoveOptions) => {
      const { files, sent, rows, damages } = await context.move(options)
      const documents = rows['documents'] === undefined ? 'rows were there' : pluralize(rows['documents'], 'document')
      context.writeError(
        `Moved: ${pluralize(files, 'file')} (${sent} sent, all compared by hash), ${documents}. ` +
          'The folder is unchanged.\n',
      )
      context.writeError(
        'Start the service with RECOLLECT_DATABASE_URL and RECOLLECT_OBJECT_STORE_URL, ' +
          'on an empty RECOLLECT_DATA_DIR.\n',
      )
      if (damages.length === 0) return
      throw new Error(
        `The moved data has ${damages.length} damages; see recollect doctor --storage:\n` +
          damages.slice(0, 20).join('\n'),
      )
    })
}
