import { Worker } from 'node:worker_threads'
import type { ThreadProcess } from './idle-thread.ts'

/** What a thread runs. */
export type ThreadStart<Request> = {
  /** The module beside `beside`, without its ending: `./indexing-thread-main`. */
  main: string
  /** `import.meta.url` of the one who starts it. */
  beside: string
  /** Handed over as `workerData`. */
  data?: unknown
  maxHeapMb: number
  /** How many small questions one is worth; 1 where absent. */
  weightOf?: (request: Request) => number
}

/**
 * Small questions of one message: each message costs either side some 20 us, as much as what is asked of a short text. Few enough that the thread is at work
 * on some while others are made; what is worth as much goes alone, and at once.
 */
const ENOUGH_TOGETHER = 8

/** Starts a thread, some 0.1 s, that answers by `answerMessages`, what is asked in one turn of the event loop together. It knows nothing of the environment. */
export function startThread<Request, Reply>({
  main,
  beside,
  data,
  maxHeapMb,
  weightOf = () => 1,
}: ThreadStart<Request>): ThreadProcess<Request, Reply> {
  // Sources run as they are, packed code is JavaScript.
  const ending = beside.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`${main}.${ending}`, beside), {
    workerData: data,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  const waiting: PromiseWithResolvers<Reply>[] = []
  let unsent: Request[] = []
  let unsentWeight = 0
  let death: Error | null = null
  const fail = (error: Error) => {
    death ??= error
    for (const question of waiting.splice(0)) question.reject(death)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread has ended')))
  // Answers come in the order of the questions.
  worker.on('message', (replies: readonly Reply[]) => {
    for (const reply of replies) waiting.shift()?.resolve(reply)
    if (waiting.length === 0) worker.unref()
  })
  const send = () => {
    const requests = unsent
    unsent = []
    unsentWeight = 0
    if (requests.length > 0) worker.postMessage(requests)
  }
  return {
    async ask(request) {
      if (death !== null) throw death
      const question = Promise.withResolvers<Reply>()
      waiting.push(question)
      worker.ref()
      unsent.push(request)
      if (unsent.length === 1) setImmediate(send)
      unsentWeight += weightOf(request)
      if (unsentWeight >= ENOUGH_TOGETHER) send()
      return question.promise
    },
    end: async () => void (await worker.terminate()),
  }
}
