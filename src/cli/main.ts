/** The command `recollect`: this terminal, this environment, this data folder. */
import { createLog } from '../log.ts'
import { openKeys } from './open-keys.ts'
import { migrateMetadata } from './open-metadata.ts'
import { runProgram } from './run-program.ts'

const { env: environment, stdout, stderr } = process
const now = () => new Date()
// Standard output belongs to the results.
const openLog = () => createLog({ level: 'warn', secrets: [], pretty: stderr.isTTY, destination: stderr })

const status = await runProgram(process.argv.slice(2), {
  writeOut: (text) => stdout.write(text),
  writeError: (text) => stderr.write(text),
  now,
  serve: async () => {
    await import('../main.ts')
  },
  migrate: () => migrateMetadata({ environment, log: openLog() }),
  openKeys: () => openKeys({ environment, now, log: openLog() }),
})
// The service says by itself how its start went.
if (status !== 0) process.exitCode = status
