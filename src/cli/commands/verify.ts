import type { Command } from 'commander'
import type { Verification } from '../../client/resources.ts'
import { pluralize } from '../../text/pluralize.ts'
import { openClient, requireMemory } from '../connection.ts'
import { asJson, oneLine } from '../printing/printable.ts'
import type { Surroundings } from '../surroundings.ts'

/** `recollect verify`. */
export function addVerifyCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('verify <memory>')
    .description('compare metadata, memory file and objects of a memory, each chunk with its text')
    .option('--json', 'print the answer as JSON')
    .action((named: string, options: { json?: true }) => verify(surroundings, named, options))
}

/** Rejects where something is wrong. */
async function verify(surroundings: Surroundings, named: string, { json }: { json?: true }): Promise<void> {
  const client = openClient(surroundings)
  const { id } = await requireMemory(client, named)
  const answer = await client.memories.verify(id, { signal: surroundings.signal })
  const { ok, documents, chunks, problemsFound, problems } = answer
  if (json) surroundings.writeOut(asJson(answer))
  else {
    for (const problem of problems) surroundings.writeOut(describeProblem(problem))
    if (ok) surroundings.writeOut(`Whole: ${pluralize(documents, 'document')}, ${pluralize(chunks, 'chunk')}.\n`)
  }
  if (ok) return
  const unseen = problemsFound > problems.length ? `, of which the first ${problems.length} are named` : ''
  throw new Error(`${pluralize(problemsFound, 'problem was', 'problems were')} found${unseen}.`)
}

function describeProblem({ code, message, documentId, remedy }: Verification['problems'][number]): string {
  const place = documentId === null ? '' : ` ${documentId}`
  return `${code}${place}: ${oneLine(message)} ${remedy}\n`
}
