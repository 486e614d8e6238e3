/** A titled table in Markdown. */
export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [`### ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A titled Markdown list, with "none" for an empty list. Long items are cut. */
export function list(title: string, items: readonly string[]): string {
  const shown = items.map((item) => `- ${item.replace(/\s+/g, ' ').slice(0, 300)}`)
  return [`### ${title}`, '', ...(shown.length === 0 ? ['None.'] : shown)].join('\n')
}

/** Writes a section of a report to standard output. */
export function print(section: string): void {
  process.stdout.write(`${section}\n\n`)
}

/** Megabytes in the format of tables. */
export function megabytes(value: number | null): string {
  return value === null ? 'unknown' : `${value} MB`
}
