import { KEY_ROLES, type KeyRole } from '../../api/key.ts'

/** Values of the claim that give each role. */
export type RoleValues = Readonly<Record<KeyRole, readonly string[]>>

/** Claims of a person, as the provider sent them. */
export type Claims = Readonly<Record<string, unknown>>

/**
 * Returns the highest role that a claim gives, `null` for none. The claim is a text or a list of
 * texts; every other value gives no role.
 */
export function findRole(claims: Claims, claim: string, values: RoleValues): KeyRole | null {
  const given = readClaim(claims, claim)
  const texts: readonly unknown[] = Array.isArray(given) ? given : [given]
  return KEY_ROLES.find((role) => values[role].some((value) => texts.includes(value))) ?? null
}

/**
 * Returns the value of a claim, `undefined` if absent. Names may contain dots themselves, such as
 * `https://acme.example/roles`; otherwise dots separate the names of a path.
 */
export function readClaim(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim]
  let value: unknown = claims
  for (const name of claim.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Claims)[name]
  }
  return value
}
