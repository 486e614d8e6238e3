import { parentPort } from 'node:worker_threads'

/**
 * In a thread that `startThread` started: answers one question after the other, and those that came in one message in one. `buffersOf`: what of an answer
 * changes hands instead of being copied.
 */
export function answerMessages<Request, Reply>(
  answer: (request: Request) => Reply | Promise<Reply>,
  buffersOf: (reply: Reply) => ArrayBuffer[] = () => [],
): void {
  let last: Promise<void> = Promise.resolve()

  async function answerAll(requests: readonly Request[]): Promise<void> {
    const replies: Reply[] = []
    for (const request of requests) replies.push(await answer(request))
    parentPort?.postMessage(replies, replies.flatMap(buffersOf))
  }

  parentPort?.on('message', (requests: readonly Request[]) => {
    last = last.then(() => answerAll(requests))
  })
}
