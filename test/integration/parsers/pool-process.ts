/**
 * A service whose child is in an endless loop. Prints the child's process id, so a test can
 * kill the service.
 */
import { tmpdir } from 'node:os'
import { createParserPool } from '../../../src/parsers/child/parser-pool.ts'

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const tasksModule = new URL('./hostile-tasks.ts', import.meta.url).href
const pool = createParserPool({ size: 1, tasksModule, temporaryDirectory: tmpdir(), log })
const { pid } = (await pool.run('surroundings', null)) as { pid: number }
const hanging = pool.parse(
  { path: 'hang', bytes: 1, filename: null, declaredType: null },
  { format: 'pdf', mimeType: 'application/pdf', encoding: null },
)
await hanging.next()
process.send?.(pid)
for await (const _ of hanging);
