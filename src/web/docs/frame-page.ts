import { escapeHtml } from '../../text/escape-html.ts'
import { addressOf, NAVIGATION } from './navigation.ts'

/** A page of the documentation before it is framed: `body` is HTML. */
export type Page = { path: string; title: string; body: string }

/** The whole page as HTML, in the console's look. It is complete without its script, which only adds a search and buttons that copy. */
export function framePage({ path, title, body }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Recollect</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/console/console.css">
<link rel="stylesheet" href="/docs/site/docs.css">
<script type="module" src="/docs/site/copy-code.js"></script>
<script type="module" src="/docs/site/search.js"></script>
</head>
<body class="docs">
<a class="skip" href="#page">Skip to the page</a>
<nav class="pages" id="all-pages" tabindex="-1" aria-label="Pages">
<p class="brand"><a href="/docs">Recollect</a> <a class="quiet" href="/">Console</a></p>
${NAVIGATION.map(([heading, pages]) => listPages(heading, pages, path)).join('\n')}
</nav>
<main id="page" tabindex="-1">
<p class="to-pages"><a href="#all-pages">All pages</a> · <a href="/">Console</a></p>
${body}
</main>
</body>
</html>
`
}

function listPages(heading: string, pages: readonly (readonly [string, string])[], current: string): string {
  const items = pages.map(([path, name]) => {
    return `<li><a href="${addressOf(path)}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`
  })
  return `<h2>${heading}</h2>\n<ul>${items.join('')}</ul>`
}
