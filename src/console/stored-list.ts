/** Lists of names that this browser keeps, also after the sign-out. */

/** Returns the stored list; empty if there is none, or if it cannot be read. */
export function readStoredList(name: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

/** Stores a list in place of the one before. */
export function storeList(name: string, entries: Iterable<string>): void {
  localStorage.setItem(name, JSON.stringify([...entries]))
}
