import type { Document } from '../../../database/schema.ts'

/** What the chunks of a document are indexed and embedded under: its title, or the topics of a correction. */
export function headingOf({ title, topics }: { title: string; topics: readonly string[] | null }): string {
  return topics === null ? title : topics.join(', ')
}

/** The same of a stored document. */
export function headingOfRow({ title, topics }: Pick<Document, 'title' | 'topics'>): string {
  return headingOf({ title, topics: topics === null ? null : (JSON.parse(topics) as string[]) })
}
