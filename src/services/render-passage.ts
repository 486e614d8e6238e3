/** A passage for a model. `title`, `section` and `header` are `null` if absent. */
type ShownPassage = { title: string | null; section: string | null; header: string | null; text: string }

/** Renders a passage with its title, section and table header, which table rows need. */
export function renderPassage({ title, section, header, text }: ShownPassage): string {
  const place = [
    title === null ? [] : `Title: ${oneLine(title)}`,
    section === null ? [] : `Section: ${oneLine(section)}`,
    header ?? [],
  ]
  return [...place.flat(), text].join('\n')
}

/** Joins a text to one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
