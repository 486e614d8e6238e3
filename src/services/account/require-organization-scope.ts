import { ApiError } from '../../errors.ts'
import type { Caller } from '../caller.ts'

/** Throws `scope_forbidden` when the caller's key is scoped to one memory. */
export function requireOrganizationScope(caller: Caller): void {
  if (caller.scope === 'memory') throw new ApiError('scope_forbidden')
}
