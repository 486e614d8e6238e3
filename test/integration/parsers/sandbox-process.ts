/**
 * Runs the attempts of a child on {@link Targets}, JSON in the first argument; prints the log and
 * the attempts.
 */
import { tmpdir } from 'node:os'
import { createParserPool } from '../../../src/parsers/child/parser-pool.ts'

const said: string[] = []
const say = (...facts: unknown[]) => void said.push(String(facts.at(-1)))
const pool = createParserPool({
  size: 1,
  tasksModule: new URL('./sandboxed-tasks.ts', import.meta.url).href,
  temporaryDirectory: tmpdir(),
  log: { debug: say, info: say, warn: say, error: say },
})
const tried = await pool.run('try', JSON.parse(process.argv[2] ?? ''))
await pool.close()
process.stdout.write(JSON.stringify({ said, tried }))
