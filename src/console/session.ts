import { computed, effect, signal } from '@preact/signals'
import { type Client, createClient } from '../client/client.ts'
import { RecollectError } from '../client/client-errors.ts'
import { forgetQueries } from './route.ts'

/** Whether the service answers. A lost connection is said once, above everything, and looked after until it is back. */
/** Long enough for a service that is starting, short enough for who waits. */
const LOOK_AGAIN_MS = 1500

/** True from a request that got no answer until one gets an answer again. */
export const isLost = signal(false)

/** Counts up when the service is back: what could not be read is read then. */
export const returns = signal(0)

/** `fetch` that notices when there is no answer. */
const watchedFetch: typeof fetch = async (...request) => {
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

/** Who is signed in. The key stands in the session storage of this tab, and nowhere else. */
const STORED = 'recollect-key'

/** `null`: nobody; the empty text: no key is needed. */
export const apiKey = signal<string | null>(sessionStorage.getItem(STORED))

/** The scope of the key; known once it was tried. */
export const scope = signal<'organization' | 'memory' | null>(null)

/** True from a request whose key was refused until a key is accepted: a key may be revoked while it is used. */
export const isRefused = signal(false)

/** The client of whoever is signed in. */
export const client = computed<Client>(() => clientWith(apiKey.value ?? ''))

/** Tries a key, or none, and keeps it where it opens the door. Rejects with what the service says. */
export async function signIn(key: string): Promise<void> {
  scope.value = await readScope(clientWith(key))
  sessionStorage.setItem(STORED, key)
  apiKey.value = key
  if (!isRefused.value) return
  isRefused.value = false
  returns.value += 1
}

/** Signs in with the key that was kept from before. One that opens nothing any more is forgotten; without an answer the views say so themselves. */
export async function signInAgain(): Promise<void> {
  if (apiKey.value !== null) await signIn(apiKey.value).catch(() => undefined)
  if (isRefused.value) forgetKey()
}

/** Forgets the key. The next one starts at the beginning. */
export function signOut(): void {
  forgetKey()
  forgetQueries()
  location.hash = ''
}

function forgetKey(): void {
  sessionStorage.removeItem(STORED)
  apiKey.value = null
  scope.value = null
  isRefused.value = false
}

function clientWith(key: string): Client {
  const checkedFetch: typeof fetch = async (...request) => {
    const answer = await watchedFetch(...request)
    checkKey(answer.status, key)
    return answer
  }
  return createClient({ baseUrl: location.origin, apiKey: key === '' ? null : key, fetch: checkedFetch })
}

/** Notices by the status of an answer that the key it was asked with is refused; of one that is in use no more that tells nothing. */
export function checkKey(status: number, key: string): void {
  if (status === 401 && key === apiKey.value) isRefused.value = true
}

/** A key of one memory may not read the account; that it is told so shows that it is one. */
async function readScope(tried: Client): Promise<'organization' | 'memory'> {
  try {
    await tried.account()
    return 'organization'
  } catch (error) {
    if (error instanceof RecollectError && error.code === 'scope_forbidden') return 'memory'
    throw error
  }
}
