import { resolve } from 'node:path'
import type { Command } from 'commander'
import { pluralize } from '../../text/pluralize.ts'
import type { Surroundings } from '../surroundings.ts'

/** `recollect backup`. */
export function addBackupCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('backup <folder>')
    .description('copy the data folder, also while the service runs; the copy is a data folder itself')
    .action(async (folder: string) => {
      const to = resolve(folder)
      const { memoryFiles, files } = await surroundings.backup(to)
      const counted = `the database, ${pluralize(memoryFiles, 'memory file')}, ${pluralize(files, 'file')}`
      surroundings.writeError(`Copied to ${to}: ${counted}. To try it, start a service on it (docs/backup.md).\n`)
    })
}
