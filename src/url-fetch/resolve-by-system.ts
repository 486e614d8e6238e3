import { lookup } from 'node:dns/promises'

/** All addresses of a name as the system finds them, which knows `/etc/hosts` and search domains. Rejects when there are none. */
export async function resolveBySystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}
