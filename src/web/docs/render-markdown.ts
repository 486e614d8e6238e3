import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../../text/escape-html.ts'
import { headingId } from './heading-id.ts'
import { START_PATH } from './navigation.ts'
import { renderCode } from './render-code.ts'

/** Where files of the project have an address of their own; other files of the source have none. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'README.md': '/docs',
  [`docs/${START_PATH}.md`]: '/docs',
  'ARCHITECTURE.md': '/docs/architecture',
  'CHANGELOG.md': '/docs/changelog',
  'openapi.json': '/openapi.json',
  'docs/decisions': '/docs/decisions/README',
}

/**
 * A page of the project as HTML, with its first heading as the title. `source` is its path in the project, from which its links are resolved:
 * those to other pages lead to them, those to files that are not served are left as text. HTML in the Markdown is not carried over.
 */
export function renderMarkdown(markdown: string, source: string): { title: string; body: string } {
  const marked = new Marked({
    renderer: {
      html: () => '',
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${escapeHtml(headingId(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const address = resolveLink(href, source)
        const text = this.parser.parseInline(tokens)
        return address === null ? text : `<a href="${escapeHtml(address)}">${text}</a>`
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(resolveLink(href, source) ?? '')}" alt="${escapeHtml(text)}">`
      },
      code: ({ text, lang }: Tokens.Code) => renderCode(text, lang ?? ''),
    },
  })
  const body = marked
    .parse(markdown, { async: false })
    // Wide tables are scrolled by keyboards, too; a corner without a word heads no column.
    .replace(/<table>[\s\S]*?<\/table>/g, '<div class="table" tabindex="0">$&</div>')
    .replaceAll('<th></th>', '<td></td>')
  return { title: /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? source, body }
}

function resolveLink(href: string, source: string): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, '')
  const address = ADDRESSES[target] ?? addressOf(target)
  if (address === null) return null
  return anchor === undefined ? address : `${address}#${anchor}`
}

function addressOf(target: string): string | null {
  if (!target.startsWith('docs/')) return null
  return `/${target.replace(/\.md$/, '')}`
}
