/** Formats a number with a noun: `1 document`, `12 documents`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
