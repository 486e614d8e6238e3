import { computed, effect, signal } from '@preact/signals'
import type { OwnKey } from '../client/accounts.ts'
import { type Client, createClient } from '../client/client.ts'
import { RecollectError } from '../client/client-errors.ts'
import { forgetQueries } from './route.ts'

/** Availability of the service. A lost connection is shown once, and checked until the return. */
/** Interval between checks: long enough for a starting service, and short enough for a person. */
const LOOK_AGAIN_MS = 1500

/** True after a request without a response, until a request succeeds. */
export const isLost = signal(false)

/** Increases when the service is back, so that failed loads run again. */
export const returns = signal(0)

/** `fetch` that detects missing responses. */
const watchedFetch: typeof fetch = async (...request) => {
  try {
    const answer = await fetch(...request)
    found()
    return answer
  } catch (error) {
    // Requests aborted by leaving a view do not count.
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

/** Signed-in user. The key is only stored in the session storage of the tabs. */
const STORED = 'recollect-key'

/** Maximum time for another tab to hand over its key. */
const OTHER_TAB_MS = 120

/**
 * Channel between the tabs of this browser. A new tab asks for the key of an open one. A sign-in
 * reaches the pages of the documentation, and a sign-out ends all tabs.
 */
const tabs = new BroadcastChannel('recollect')
tabs.addEventListener('message', ({ data }: MessageEvent<{ ask?: true; signedOut?: true }>) => {
  const key = apiKey.peek()
  if (data.ask === true && key !== null && key !== '') tabs.postMessage({ key })
  if (data.signedOut === true && key !== null) forgetKey()
})

/** Takes the key of another open tab, if there is one. */
async function askOtherTabs(): Promise<string | null> {
  const asking = new BroadcastChannel('recollect')
  const key = await new Promise<string | null>((resolve) => {
    setTimeout(() => resolve(null), OTHER_TAB_MS)
    asking.addEventListener('message', ({ data }: MessageEvent<{ key?: string }>) => {
      if (typeof data.key === 'string') resolve(data.key)
    })
    asking.postMessage({ ask: true })
  })
  asking.close()
  return key
}

/** `null` if signed out; empty if no key is required. */
export const apiKey = signal<string | null>(sessionStorage.getItem(STORED))

/** Name of the person with a session at a sign-in provider; `null` for a key. */
export const person = signal<string | null>(null)

/** Address of single sign-on; `null` if the service has no provider. */
export const signInUrl = signal<string | null>(null)

/** The key of the requests; `null` before the first check, and for a service without keys. */
export const ownKey = signal<OwnKey | null>(null)

/** Scope of the key, known after the first check. */
export const scope = signal<OwnKey['scope'] | null>(null)

/** Digest of the user, to keep apart what several users store in a browser. Not reversible. */
export function userDigest(): string {
  let digest = 0
  const user = `${apiKey.peek() ?? ''} ${person.peek() ?? ''}`
  for (const letter of user) digest = (Math.imul(digest, 31) + letter.charCodeAt(0)) | 0
  return digest.toString(36)
}

/** False for a key that only reads. */
export const mayWrite = computed(() => ownKey.value?.role !== 'reader')

/** True for keys that create and delete memories and projects. */
export const mayOrganize = computed(() => scope.value === 'organization' && mayWrite.value)

/** True for keys that manage keys and webhooks. */
export const mayAdminister = computed(
  () => scope.value === 'organization' && (ownKey.value === null || ownKey.value.role === 'admin'),
)

/**
 * True after a request with a rejected key, until a key is accepted. A key can be revoked while in
 * use.
 */
export const isRefused = signal(false)

/** Client of the signed-in user. */
export const client = computed<Client>(() => clientWith(apiKey.value ?? ''))

/** Hands the key of a sign-in to the open pages of the documentation. */
export function announceKey(): void {
  tabs.postMessage({ key: apiKey.peek(), signedIn: true })
}

/**
 * Checks a key, or access without one by a session or open service, and stores a valid key. Rejects
 * with the service's error.
 */
export async function signIn(key: string): Promise<void> {
  const found = await readOwnKey(clientWith(key))
  scope.value = found?.scope ?? 'organization'
  person.value = found?.id.startsWith('usr_') === true ? found.name : null
  ownKey.value = found
  // An empty key is asked for again: the session may have ended.
  if (key === '') sessionStorage.removeItem(STORED)
  else sessionStorage.setItem(STORED, key)
  apiKey.value = key
  if (!isRefused.value) return
  isRefused.value = false
  returns.value += 1
}

/**
 * Signs in with the stored key, and deletes it if it is invalid. Without a response, the views show
 * the error.
 */
export async function signInAgain(): Promise<void> {
  const key = apiKey.value ?? (await askOtherTabs())
  if (key !== null) await signIn(key).catch(() => undefined)
  if (isRefused.value) forgetKey()
}

/** Asks whether the service has single sign-on. Keeps the last answer if there is no response. */
export async function findSignIn(): Promise<void> {
  const answer = await fetch('/', { headers: { accept: 'application/json' } })
  const { links } = (await answer.json()) as { links: { signIn?: string } }
  signInUrl.value = links.signIn ?? null
}

/** Deletes the key or the session, and all view states. A session ends at its provider, too. */
export async function signOut(): Promise<void> {
  const provider = person.value === null ? null : await endSession()
  forgetKey()
  tabs.postMessage({ signedOut: true })
  forgetQueries()
  if (provider === null) location.hash = ''
  else location.assign(provider)
}

/** Returns the address at which the provider signs out, if it has one. */
async function endSession(): Promise<string | null> {
  const answer = await watchedFetch('/auth/sign-out', { method: 'POST' })
  // The cookie would sign in again with the next page.
  if (!answer.ok) throw new Error(`The sign-out failed with status ${answer.status}.`)
  return ((await answer.json()) as { location: string | null }).location
}

function forgetKey(): void {
  sessionStorage.removeItem(STORED)
  apiKey.value = null
  person.value = null
  scope.value = null
  ownKey.value = null
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

/**
 * Detects by the response status that the current key was rejected. Responses to an earlier key do
 * not count.
 */
export function checkKey(status: number, key: string): void {
  if (status === 401 && key === apiKey.value) isRefused.value = true
}

/**
 * Reads JSON from a path that the client has no method for, such as the list of models. Rejects
 * with the status of an error.
 */
export async function readJson<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  const key = apiKey.value ?? ''
  const answer = await watchedFetch(path, { signal, headers: key === '' ? {} : { authorization: `Bearer ${key}` } })
  checkKey(answer.status, key)
  // A service that is not ready reports it with status 503 and the reasons.
  if (!answer.ok && answer.status !== 503) throw new Error(`${path} answered with status ${answer.status}.`)
  return answer.json() as Promise<Answer>
}

/** Reads the key of the requests; `null` for a service without keys. */
async function readOwnKey(tried: Client): Promise<OwnKey | null> {
  try {
    return await tried.keys.getOwn()
  } catch (error) {
    if (error instanceof RecollectError && error.code === 'key_not_found') return null
    throw error
  }
}
