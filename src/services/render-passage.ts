/** What a model is shown of a passage. `title`, `section` and `header` are `null` where there are none. */
type ShownPassage = { title: string | null; section: string | null; header: string | null; text: string }

/** A passage with what is known of where it stands: rows of a table say little without the header above them. */
export function renderPassage({ title, section, header, text }: ShownPassage): string {
  const place = [
    title === null ? [] : `Title: ${oneLine(title)}`,
    section === null ? [] : `Section: ${oneLine(section)}`,
    header ?? [],
  ]
  return [...place.flat(), text].join('\n')
}

/** A text that takes one line of a prompt, whatever it says. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
