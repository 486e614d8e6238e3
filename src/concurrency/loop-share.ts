/**
 * Lets works that hold the event loop go on in slices: each asks before a step, and goes on at once where such works have held this turn of the loop for less
 * than `sliceMs`, else in a later turn, one of those that wait a turn, the first to ask first. What is ready in one turn would otherwise be done in that turn, however
 * much it is, and everybody else would wait. `nowMs` is a clock of the machine.
 */
export function createLoopShare(sliceMs: number, nowMs = () => performance.now()): () => Promise<void> {
  const waiting: (() => void)[] = []
  let beganMs: number | null = null

  function begin(): void {
    beganMs = nowMs()
    setImmediate(endTurn)
  }

  function endTurn(): void {
    beganMs = null
    const wakeNext = waiting.shift()
    if (wakeNext === undefined) return
    begin()
    wakeNext()
  }

  return async () => {
    if (beganMs === null) return begin()
    if (nowMs() - beganMs < sliceMs) return
    const woken = Promise.withResolvers<void>()
    waiting.push(woken.resolve)
    await woken.promise
  }
}
