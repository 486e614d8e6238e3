/** A link to a guide of the documentation; `of` says what more there is. */
export function Guide({ name, of }: { name: string; of: string }) {
  return <a href={`/docs/guides/${name}`}>More on {of}</a>
}
