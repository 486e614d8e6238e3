import { client } from './session.ts'
import { type Loaded, useLoad } from './use-load.ts'

/** What each memory that the key sees is called, by its identifier, the newest first. */
export function useMemoryNames(): Loaded<ReadonlyMap<string, string>> {
  return useLoad(readNames, [])
}

async function readNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for await (const { id, name } of client.value.memories.list({ limit: 100 }, { signal })) names.set(id, name)
  return names
}
