/** Who is signed in. The key stands in the session storage of this tab, and nowhere else. */
import { computed, signal } from '@preact/signals'
import { type Client, createClient } from '../client/client.ts'
import { RecollectError } from '../client/client-errors.ts'
import { watchedFetch } from './connection.ts'

const STORED = 'recollect-key'

/** `null`: nobody; the empty text: no key is needed. */
export const apiKey = signal<string | null>(sessionStorage.getItem(STORED))

/** The scope of the key; known once it was tried. */
export const scope = signal<'organization' | 'memory' | null>(null)

/** The client of whoever is signed in. */
export const client = computed<Client>(() => clientWith(apiKey.value ?? ''))

/** Tries a key, or none, and keeps it where it opens the door. Rejects with what the service says. */
export async function signIn(key: string): Promise<void> {
  scope.value = await readScope(clientWith(key))
  sessionStorage.setItem(STORED, key)
  apiKey.value = key
}

/** Forgets the key. The next one starts at the beginning. */
export function signOut(): void {
  forgetKey()
  location.hash = ''
}

/** Forgets a key that opens nothing any more; who signs in again is where they were. */
function forgetKey(): void {
  sessionStorage.removeItem(STORED)
  apiKey.value = null
  scope.value = null
}

function clientWith(key: string): Client {
  return createClient({ baseUrl: location.origin, apiKey: key === '' ? null : key, fetch: checkedFetch })
}

/** A key may be revoked while it is used. */
const checkedFetch: typeof fetch = async (...request) => {
  const answer = await watchedFetch(...request)
  if (answer.status === 401 && apiKey.value !== null) forgetKey()
  return answer
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
