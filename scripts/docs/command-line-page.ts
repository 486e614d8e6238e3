import { PassThrough } from 'node:stream'
import type { Command } from 'commander'
import { createProgram } from '../../src/cli/program.ts'

const HEAD = `<!-- Printed from the help of src/cli by: npm run check -- --write -->

# Command line

Use Recollect from a shell: add files, search, ask, manage keys, back up. Run \`node_modules/.bin/recollect\` in a project that has the
package, \`recollect\` if it is installed globally, or \`npm run -s cli --\` in a checkout. This page shows the output of \`recollect help\` for each command.
`

/** Columns of the help, independent of the terminal that prints the page. */
const COLUMNS = 100

/** `docs/command-line.md`: the help of the program and of each command. */
export function commandLinePage(): string {
  const program = createProgram(nobody)
  const commands = program.commands.flatMap((command) => [command, ...command.commands])
  return [HEAD, section('recollect', program), ...commands.map((each) => section(pathOf(each), each))].join('\n')
}

function section(title: string, command: Command): string {
  let help = ''
  command.configureOutput({
    writeOut: (text) => {
      help += text
    },
    getOutHelpWidth: () => COLUMNS,
  })
  command.outputHelp()
  return `## ${title}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

const nothing = async () => {
  throw new Error('the help runs no command')
}

/** Dependencies that commands would use if commands ran. */
const nobody: Parameters<typeof createProgram>[0] = {
  writeOut: () => undefined,
  writeError: () => undefined,
  isTerminal: false,
  barStream: null,
  readInput: nothing,
  stdio: { input: new PassThrough(), output: new PassThrough() },
  confirm: nothing,
  environment: {},
  given: {},
  fetch: nothing,
  signal: new AbortController().signal,
  now: () => new Date(0),
  openUrl: nothing,
  serve: nothing,
  migrate: nothing,
  backup: nothing,
  openStorageDoctor: nothing,
  move: nothing,
  openKeys: nothing,
}
