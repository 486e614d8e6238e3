import type { Command } from 'commander'
import type { Job } from '../../client/resources.ts'
import { openClient, requireMemory } from '../connection.ts'
import { asJson, oneLine } from '../printing/printable.ts'
import { createProgress, SILENT } from '../progress/create-progress.ts'
import type { Surroundings } from '../surroundings.ts'

type ReembedOptions = { wait: boolean; json?: true }

/** `recollect reembed`. */
export function addReembedCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('reembed <memory> <model>')
    .description('make the vectors of a memory anew with another embedding model; the old ones answer until it is done')
    .option('--no-wait', 'print the id of the job and let it work; recollect jobs watch follows it')
    .option('--json', 'print the job as JSON')
    .action((named: string, model: string, options: ReembedOptions) => reembed(surroundings, named, model, options))
}

async function reembed(
  surroundings: Surroundings,
  named: string,
  model: string,
  { wait, json }: ReembedOptions,
): Promise<void> {
  const { signal, writeOut } = surroundings
  const client = openClient(surroundings)
  const memory = await requireMemory(client, named)
  const { job } = await client.memories.reembed(memory.id, model, { signal })
  if (!wait) return writeOut(json ? asJson(job) : `${job.id}\n`)
  const progress = json ? SILENT : createProgress(surroundings, { tellsSteps: true })
  const task = progress.begin(oneLine(memory.name))
  try {
    const onProgress = ({ progress: percent, message }: Job) => task.update(percent / 100, oneLine(message))
    const ended = await client.jobs.wait(job.id, { onProgress, signal })
    progress.close()
    if (json) writeOut(asJson(ended))
    if (ended.status !== 'completed')
      throw new Error(`The memory was not re-embedded and is as it was: ${oneLine(ended.error ?? ended.message)}`)
    if (!json) writeOut(`${oneLine(ended.message)}\n`)
  } finally {
    progress.close()
  }
}
