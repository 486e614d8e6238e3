/** True when that moment has come; `null` is never. A correction that has expired stands before nothing. */
export function hasExpired(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now.toISOString()
}
