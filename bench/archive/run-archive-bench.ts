import { createWriteStream, mkdtempSync, openAsBlob, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { makeMemory } from '../load.ts'
import { describeMachine } from '../machine.ts'
import { print, table } from '../report.ts'
import type { Service } from '../service.ts'
import { fillMemory } from '../speed/fill-memory.ts'
import { openSentences } from '../speed/open-sentences.ts'
import { type Seen, watchProcesses } from '../watch-processes.ts'
import { formatBlock, startWatchedService, type WatchedService } from '../watched-service.ts'

const MB = 1_000_000
const LOOK_EVERY_MS = 50

/** The cost of a transfer; `unpacked` counts the bytes of all entries. */
type Transfer = { seconds: number; cpuSeconds: number; seen: Seen; block: string }
type Job = { status: string; message: string; memoryId: string; result?: { totalBytes: number } }

/**
 * `[folder with real texts] [--chunks 100000]`: measures the export and import of a memory. Prints;
 * true when the imported memory is complete.
 */
export async function runArchiveBench(args: string[]): Promise<boolean> {
  const options = { chunks: { type: 'string', default: '100000' } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const sentences = openSentences(positionals[0])
  const folder = mkdtempSync(join(tmpdir(), 'recollect-archive-'))
  try {
    print(`Texts ${sentences.description}. ${describeMachine()}`)
    const first = await startWatchedService(join(folder, 'from'))
    const memoryId = await makeMemory(first, 'bench')
    const { chunks } = await fillMemory(first, { memoryId, sentences, chunks: Number(values.chunks) })
    const file = join(folder, 'memory.tar.gz')
    const before = first.rss()
    const exported = await measure(first, () => download(first, memoryId, file))
    await first.stop()
    const second = await startWatchedService(join(folder, 'to'))
    let job: Job | null = null
    const idle = second.rss()
    const imported = await measure(second, async () => {
      job = await upload(second, file)
    })
    await second.stop()
    const done = job as Job | null
    const unpacked = done?.result?.totalBytes ?? 0
    print(report({ chunks, packed: statSync(file).size, unpacked }, { exported, imported, before, idle }))
    if (done?.status !== 'completed') print(`The import ended so: ${done?.message ?? 'without a job'}`)
    return done?.status === 'completed'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(service: WatchedService, work: () => Promise<void>): Promise<Transfer> {
  await service.takeBlock()
  const watching = watchProcesses(service)
  const [cpuMs, started] = [service.cpuMs() ?? 0, performance.now()]
  await work()
  const seconds = (performance.now() - started) / 1000
  const cpuSeconds = ((service.cpuMs() ?? 0) - cpuMs) / 1000
  return { seconds, cpuSeconds, seen: watching.stop(), block: formatBlock(await service.takeBlock()) }
}

async function download({ door }: Service, memoryId: string, file: string): Promise<void> {
  const answer = await fetch(`${door.address}/v1/memories/${memoryId}/export`, { headers: door.headers })
  if (answer.status !== 200) throw new Error(`the export answered ${answer.status}`)
  await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(file))
}

async function upload({ door, send }: Service, file: string): Promise<Job> {
  const form = new FormData()
  form.append('options', '{"async":true}')
  form.append('file', await openAsBlob(file), 'memory.tar.gz')
  const sent = { method: 'POST', headers: door.headers, body: form }
  const answer = await fetch(`${door.address}/v1/memories/import`, sent)
  const { jobId } = (await answer.json()) as { jobId: string }
  for (;;) {
    const job = (await send('GET', `/v1/jobs/${jobId}?wait=30`)) as Job
    if (job.status !== 'pending' && job.status !== 'processing') return job
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

type Sizes = { chunks: number; packed: number; unpacked: number }
type Measured = { exported: Transfer; imported: Transfer; before: number | null; idle: number | null }

function report({ chunks, packed, unpacked }: Sizes, { exported, imported, before, idle }: Measured): string {
  const row = (name: string, { seconds, cpuSeconds, seen, block }: Transfer, beforeMb: number | null) => [
    name,
    `${seconds.toFixed(1)} s`,
    `${(unpacked / MB / seconds).toFixed(1)} MB/s`,
    `${(chunks / seconds).toFixed(0)} chunks/s`,
    `${cpuSeconds.toFixed(1)} s`,
    `${seen.serviceMb ?? '?'} MB (before ${beforeMb ?? '?'} MB)`,
    block,
  ]
  const title = `${chunks} chunks, ${(unpacked / MB).toFixed(0)} MB in an archive of ${(packed / MB).toFixed(0)} MB`
  const head = ['', 'time', 'of what is in it', 'chunks', 'processor time', 'most memory', 'longest block']
  return table(title, head, [row('export', exported, before), row('import, with upload and checks', imported, idle)])
}
