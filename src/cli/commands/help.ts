import type { Command } from 'commander'

/** `recollect help`, in place of commander's own, which for a command that there is not shows the help of all and does not say why. */
export function addHelpCommand(program: Command): void {
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
