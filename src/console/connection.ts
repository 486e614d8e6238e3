/** Whether the service answers. A lost connection is said once, above everything, and looked after until it is back. */
import { effect, signal } from '@preact/signals'

/** Long enough for a service that is starting, short enough for who waits. */
const LOOK_AGAIN_MS = 1500

/** True from a request that got no answer until one gets an answer again. */
export const isLost = signal(false)

/** Counts up when the service is back: what could not be read is read then. */
export const returns = signal(0)

/** `fetch` that notices when there is no answer. */
export const watchedFetch: typeof fetch = async (...request) => {
  try {
    const answer = await fetch(...request)
    found()
    return answer
  } catch (error) {
    // Who leaves a view stops its requests; that is no loss.
    if (request[1]?.signal?.aborted !== true) isLost.value = true
    throw error
  }
}

function found(): void {
  if (!isLost.value) return
  isLost.value = false
  returns.value += 1
}

effect(() => {
  if (!isLost.value) return
  const timer = setInterval(() => void fetch('/health').then(found, () => undefined), LOOK_AGAIN_MS)
  return () => clearInterval(timer)
})
