import type { OfficePackage } from './office-package.ts'

/** More characters are no title. */
const MAX_CHARACTERS = 1000

/** What the properties of a file say it is called, as it is written there; `null` when nothing. */
export async function readTitle(pkg: OfficePackage): Promise<string | null> {
  const properties = (await pkg.listRelationships('')).find(({ type }) => type === 'core-properties')
  if (!properties?.part) return null
  let title = ''
  let isInTitle = false
  await pkg.tryFeed(properties.part, {
    open(name) {
      isInTitle = name === 'title'
      return false
    },
    close() {
      isInTitle = false
    },
    text(text) {
      if (isInTitle && title.length < MAX_CHARACTERS) title += text
    },
  })
  return title === '' ? null : title
}
