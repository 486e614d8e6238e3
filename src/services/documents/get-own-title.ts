import { UNTITLED } from '../../api/fields.ts'

/** The title of a document; `null` where it has none, or nothing but the name of its file, which says little of what stands in it. */
export function getOwnTitle({ title, filename }: { title: string; filename: string | null }): string | null {
  return title === UNTITLED || filename?.startsWith(title) ? null : title
}
