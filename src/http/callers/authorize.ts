import { ApiError } from '../../errors.ts'
import type { Caller } from '../../services/caller.ts'
import type { Route } from '../route.ts'

const ADMIN_KEY_NEEDED =
  'Only the admin key of the installation may do this: the setting RECOLLECT_ADMIN_KEY. At the machine ' +
  'itself, use recollect organizations.'

/**
 * Throws unless the caller's key may call the route: `scope_forbidden` for a memory-scoped key outside of memories,
 * and for every key of an organization at what is the installation's, `memory_not_found` for one at another memory than its own. Jobs are looked up by the caller, who sees only his.
 */
export function authorize(
  caller: Caller,
  route: Pick<Route, 'access' | 'url'>,
  params: Readonly<Record<string, string>>,
): void {
  if (route.access === 'installation') throw new ApiError('scope_forbidden', { message: ADMIN_KEY_NEEDED })
  if (caller.scope === 'organization') return
  if (route.access === 'organization') throw new ApiError('scope_forbidden')
  const isUnderMemory = route.url.startsWith('/v1/memories/:id')
  if (isUnderMemory && params['id'] !== caller.memoryId) throw new ApiError('memory_not_found')
}
