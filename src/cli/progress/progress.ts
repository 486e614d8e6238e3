/** Something under way. */
export type Task = {
  /** How far it is, from 0 to 1, and what it does. */
  update(fraction: number, doing: string): void
  /** It has ended, and this line says how. */
  end(line: string): void
}

/** Shows what is under way. */
export type Progress = {
  begin(name: string): Task
  /** Takes away what is still drawn. */
  close(): void
}

/** No progress at all, for results that are JSON. */
export const SILENT: Progress = {
  begin: () => ({ update: () => undefined, end: () => undefined }),
  close: () => undefined,
}
