/** A real OpenID Connect provider on a loopback address, and a browser's cookies. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** Client of the service at the provider. */
export const CLIENT = { id: 'recollect', secret: 'a-secret-of-the-client-at-the-provider' }

/** Roles of the people, by login name. */
const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  ada: ['staff', 'recollect-admin'],
  will: ['recollect-writer'],
  rita: ['recollect-reader'],
  nora: ['staff'],
}

export type TestProvider = { issuer: string; stop(): Promise<void> }

/** Returns a free port of the loopback address. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the provider for a service at this origin. Everyone signs in with any password. */
export async function startProvider(origin: string, port: number): Promise<TestProvider> {
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${origin}/auth/callback`],
        post_logout_redirect_uris: [`${origin}/`],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'roles'] },
    cookies: { keys: ['a key of the cookies of the provider'] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, name: `${sub} <b>Tester</b>`, roles: PEOPLE[sub] }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const server = createServer(provider.callback()).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    issuer,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A browser without scripts: keeps cookies by host and follows redirects step by step. */
export function openCookieJar() {
  const jar = new Map<string, Map<string, string>>()

  async function request(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url)
    const cookies = jar.get(host) ?? new Map<string, string>()
    jar.set(host, cookies)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...(init.headers as Record<string, string>), cookie }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  /** Follows redirects until an address with the beginning `until`, without the last request. */
  async function follow(url: string, until: string): Promise<string> {
    let next = url
    for (let steps = 0; steps < 10 && !next.startsWith(until); steps += 1) {
      const response = await request(next)
      const location = response.headers.get('location')
      if (location === null) return signInAt(response, next, until)
      next = new URL(location, next).href
    }
    assert.ok(next.startsWith(until), next)
    return next
  }

  let login = ''
  /** Fills the form of the provider. */
  async function signInAt(response: Response, url: string, until: string): Promise<string> {
    const form = /<form[^>]*action="([^"]+)"/.exec(await response.text())
    assert.ok(form?.[1] !== undefined, `no form at ${url}`)
    const body = new URLSearchParams({ prompt: 'login', login, password: 'any' })
    const sent = await request(new URL(form[1], url).href, { method: 'POST', body })
    return follow(new URL(sent.headers.get('location') ?? '', url).href, until)
  }

  return {
    request,
    cookies: (url: string) => jar.get(new URL(url).host) ?? new Map<string, string>(),
    /** Begins to sign in, up to the callback address. */
    async reachCallback(origin: string, name: string): Promise<string> {
      login = name
      return follow(`${origin}/auth/sign-in`, `${origin}/auth/callback`)
    },
    /** Signs in, and returns the response of the service to the callback. */
    async signIn(origin: string, name: string): Promise<Response> {
      return request(await this.reachCallback(origin, name))
    },
  }
}
