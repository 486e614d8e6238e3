/** The title of a document; `null` where it is nothing but the name of its file, which says little of what stands in it. */
export function getOwnTitle({ title, filename }: { title: string; filename: string | null }): string | null {
  return filename?.startsWith(title) ? null : title
}
