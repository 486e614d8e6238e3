import type { Logger } from 'kysely'
import { type ApiError, isDamage } from '../errors.ts'

/** What Kysely tells of every statement, and who is told of those that met damage. */
export type DamageListener = { log: Logger; onDamage(listener: (damage: ApiError) => void): void }

/** Nobody is told before the first listener is there. */
export function createDamageListener(): DamageListener {
  let tell: ((damage: ApiError) => void) | null = null
  return {
    log(event) {
      if (event.level === 'error' && isDamage(event.error)) tell?.(event.error)
    },
    onDamage(listener) {
      tell = listener
    },
  }
}
