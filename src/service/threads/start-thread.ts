import { Worker } from 'node:worker_threads'
import type { ThreadProcess } from './idle-thread.ts'

/** What a thread runs. */
export type ThreadStart = {
  /** The module beside `beside`, without its ending: `./indexing-thread-main`. */
  main: string
  /** `import.meta.url` of the one who starts it. */
  beside: string
  /** Handed over as `workerData`. */
  data?: unknown
  maxHeapMb: number
}

/** Starts a thread, some 0.1 s, that answers one message after the other. It knows nothing of the environment. */
export function startThread<Request, Reply>({
  main,
  beside,
  data,
  maxHeapMb,
}: ThreadStart): ThreadProcess<Request, Reply> {
  // Sources run as they are, packed code is JavaScript.
  const ending = beside.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`${main}.${ending}`, beside), {
    workerData: data,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  const waiting: PromiseWithResolvers<Reply>[] = []
  let death: Error | null = null
  const fail = (error: Error) => {
    death ??= error
    for (const question of waiting.splice(0)) question.reject(death)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread has ended')))
  // Answers come in the order of the questions.
  worker.on('message', (reply: Reply) => {
    waiting.shift()?.resolve(reply)
    if (waiting.length === 0) worker.unref()
  })
  return {
    async ask(request) {
      if (death !== null) throw death
      const question = Promise.withResolvers<Reply>()
      waiting.push(question)
      worker.ref()
      worker.postMessage(request)
      return question.promise
    },
    end: async () => void (await worker.terminate()),
  }
}
