import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeMemory } from '../load.ts'
import { describeMachine } from '../machine.ts'
import { print, table } from '../report.ts'
import { fillMemory } from '../speed/fill-memory.ts'
import { openSentences } from '../speed/open-sentences.ts'
import { formatBlock, startWatchedService, type WatchedService } from '../watched-service.ts'

const FINDS = 100

type Job = { id: string; status: string; message: string }
type Pace = { seconds: number; cpuSeconds: number }

/**
 * `[folder with real texts] [--chunks 20000]`: fills a memory, then re-embeds it with the same
 * model, which costs the same as a similar model. Prints both speeds and the latency of finds
 * meanwhile; true when the job completed.
 */
export async function runReembedBench(args: string[]): Promise<boolean> {
  const options = { chunks: { type: 'string', default: '20000' } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const sentences = openSentences(positionals[0])
  const folder = mkdtempSync(join(tmpdir(), 'recollect-reembed-'))
  const service = await startWatchedService(folder)
  try {
    print(`Texts ${sentences.description}. ${describeMachine()}`)
    const memoryId = await makeMemory(service, 'bench')
    let chunks = 0
    const filled = await measure(service, async () => {
      chunks = (await fillMemory(service, { memoryId, sentences, chunks: Number(values.chunks) })).chunks
    })
    const question = () => find(service, memoryId)
    await takeMedian(question)
    const alone = await takeMedian(question)
    await service.takeBlock()
    let job: Job | null = null
    let beside: number | null = null
    const reembedded = await measure(service, async () => {
      const begun = (await service.send('POST', `/v1/memories/${memoryId}/reembed`, {
        embeddingModel: 'embedded',
      })) as {
        jobId: string
      }
      const ending = waitForEnd(service, begun.jobId)
      beside = await takeMedian(question)
      job = await ending
    })
    const done = job as Job | null
    const pace = (name: string, { seconds, cpuSeconds }: Pace) => [
      name,
      `${Math.round(chunks / seconds)}`,
      `${((1000 * cpuSeconds) / chunks).toFixed(2)} ms`,
    ]
    print(
      table(
        `${chunks} chunks`,
        ['', 'chunks/s', 'processor time a chunk'],
        [pace('added', filled), pace('re-embedded', reembedded)],
      ),
    )
    const share = ((beside ?? 0) / alone).toFixed(2)
    print(
      `A find took ${alone.toFixed(1)} ms alone and ${(beside ?? 0).toFixed(1)} ms beside it, ${share} times as long.`,
    )
    print(`The event loop was held for ${formatBlock(await service.takeBlock())}. ${done?.message ?? ''}`)
    return done?.status === 'completed'
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(service: WatchedService, work: () => Promise<void>): Promise<Pace> {
  const [cpuMs, started] = [service.cpuMs() ?? 0, performance.now()]
  await work()
  return { seconds: (performance.now() - started) / 1000, cpuSeconds: ((service.cpuMs() ?? 0) - cpuMs) / 1000 }
}

async function find(service: WatchedService, memoryId: string): Promise<void> {
  await service.send('POST', `/v1/memories/${memoryId}/find`, { query: 'where is it kept and who has the key' })
}

async function takeMedian(question: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < FINDS; count += 1) {
    const started = performance.now()
    await question()
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)[FINDS / 2] ?? 0
}

async function waitForEnd(service: WatchedService, jobId: string): Promise<Job> {
  for (;;) {
    const job = (await service.send('GET', `/v1/jobs/${jobId}?wait=30`)) as Job
    if (job.status !== 'pending' && job.status !== 'processing') return job
  }
}
