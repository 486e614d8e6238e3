import { resolve } from 'node:path'
import type { Command } from 'commander'
import { pluralize } from '../../text/pluralize.ts'
import type { MoveOptions, Surroundings } from '../surroundings.ts'

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

/** `recollect move`. */
export function addMoveCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('move')
    .description('copy the data folder of a stopped service into PostgreSQL and an S3 bucket, which must be empty')
    .option('--to-database <url>', 'postgres://…; RECOLLECT_DATABASE_URL unless given')
    .option('--to-objects <url>', 's3://bucket/prefix; RECOLLECT_OBJECT_STORE_URL unless given')
    .action(async (options: MoveOptions) => {
      const { files, sent, rows, damages } = await surroundings.move(options)
      const documents = rows['documents'] === undefined ? 'rows were there' : pluralize(rows['documents'], 'document')
      surroundings.writeError(
        `Moved: ${pluralize(files, 'file')} (${sent} sent, all compared by hash), ${documents}. ` +
          'The folder is as it was.\n',
      )
      surroundings.writeError(
        'Start the service with RECOLLECT_DATABASE_URL and RECOLLECT_OBJECT_STORE_URL, ' +
          'on an empty RECOLLECT_DATA_DIR.\n',
      )
      if (damages.length === 0) return
      throw new Error(
        `What was moved has ${damages.length} damages; see recollect doctor --storage:\n` +
          damages.slice(0, 20).join('\n'),
      )
    })
}
