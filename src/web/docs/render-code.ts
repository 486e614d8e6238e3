import { escapeHtml } from '../../text/escape-html.ts'

/** Code with the name of its language; keyboards reach it, since it may be wider than the page. */
export function renderCode(text: string, language: string): string {
  const [name = ''] = language.split(' ')
  return `<pre tabindex="0" data-language="${escapeHtml(name)}"><code>${escapeHtml(text)}</code></pre>\n`
}
