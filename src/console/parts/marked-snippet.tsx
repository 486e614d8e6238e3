const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** A snippet of the service, whose only tags are marks: it is taken apart, and never set as HTML. */
export function MarkedSnippet({ snippet }: { snippet: string }) {
  const parts = snippet.split(/<mark>([\s\S]*?)<\/mark>/)
  return (
    <p class="snippet" dir="auto">
      {parts.map((part, index) => (index % 2 === 1 ? <mark>{plain(part)}</mark> : plain(part)))}
    </p>
  )
}

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}
