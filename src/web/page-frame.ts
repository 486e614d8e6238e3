import { escapeHtml } from '../text/escape-html.ts'
import { NAVIGATION, pageUrl, REFERENCE_PATH } from './navigation.ts'
import type { Heading } from './render-markdown.ts'

/**
 * Page of the documentation without its frame. `body` is HTML. The reference has the links of its
 * endpoints as `endpoints`, which are shown below its name in the navigation.
 */
export type Page = { path: string; title: string; body: string; headings: readonly Heading[]; endpoints?: string }

/** Icons of Lucide by name: the outlines, and other shapes. Scripts refer to them, too. */
const ICONS: Readonly<Record<string, { path: readonly string[]; shapes?: string }>> = {
  menu: { path: ['M4 5h16M4 12h16M4 19h16'] },
  list: { path: ['M3 5h.01M3 12h.01M3 19h.01M8 5h13M8 12h13M8 19h13'] },
  copy: {
    path: ['M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2'],
    shapes: '<rect width="14" height="14" x="8" y="8" rx="2"/>',
  },
  check: { path: ['M20 6 9 17l-5-5'] },
  x: { path: ['M18 6 6 18M6 6l12 12'] },
  monitor: { path: ['M8 21h8M12 17v4'], shapes: '<rect width="20" height="14" x="2" y="3" rx="2"/>' },
  sun: {
    path: [
      'M12 2v2M12 20v2M2 12h2M20 12h2M4.93 4.93l1.41 1.41',
      'M17.66 17.66l1.41 1.41M6.34 17.66l-1.41 1.41M19.07 4.93l-1.41 1.41',
    ],
    shapes: '<circle cx="12" cy="12" r="4"/>',
  },
  moon: {
    path: [
      'M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803',
      'a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401',
    ],
  },
  search: { path: ['M21 21l-4.34-4.34'], shapes: '<circle cx="11" cy="11" r="8"/>' },
  key: {
    path: [
      'M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1',
      'a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z',
    ],
    shapes: '<circle cx="16.5" cy="7.5" r=".5" fill="currentColor"/>',
  },
  previous: { path: ['M12 19l-7-7 7-7M19 12H5'] },
  next: { path: ['M5 12h14M12 5l7 7-7 7'] },
}

/**
 * Renders the complete HTML page in three columns: navigation, text, contents of the page. On
 * narrow screens buttons open the navigation and the contents, without a script as well. Scripts
 * add the search, the theme, tabs and the tools of the code.
 */
export function framePage({ path, title, body, headings, endpoints = '' }: Page): string {
  const isReference = path === REFERENCE_PATH
  const groups = NAVIGATION.map(([heading, pages]) => listPages(heading, pages, { path, endpoints }))
  const group = NAVIGATION.find(([, pages]) => pages.some(([each]) => each === path))?.[0]
  const hasContents = headings.length > 1
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Recollect</title>
<script src="/docs/site/appearance.js"></script>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/console/console.css">
<link rel="stylesheet" href="/docs/site/docs.css">
<link rel="stylesheet" href="/docs/site/text.css">
<script type="module" src="/docs/site/code.js"></script>
<script type="module" src="/docs/site/frame.js"></script>
<script type="module" src="/docs/site/search.js"></script>
</head>
<body class="docs${isReference ? ' wide' : ''}">
<a class="skip" href="#page">Skip to the page</a>
${renderBar()}
<div class="columns">
<nav class="pages" id="all-pages" popover aria-label="Pages">
${groups.join('\n')}
</nav>
<main id="page" tabindex="-1">
<div class="page-head">${group === undefined ? '' : `<p>${group}</p>`}
${hasContents ? TO_CONTENTS : ''}</div>
<article>
${body}
</article>
${renderNeighbours(path)}
</main>
${hasContents ? renderContents(headings) : ''}
</div>
</body>
</html>
`
}

/** Opens the contents of the page on narrow screens. */
const TO_CONTENTS = `<button type="button" class="small to-contents"
popovertarget="on-this-page">${renderIcon('list')} On this page</button>`

function renderBar(): string {
  const symbols = Object.entries(ICONS).map(
    ([name, { path, shapes = '' }]) =>
      `<symbol id="icon-${name}" viewBox="0 0 24 24"><path d="${path.join('')}"/>${shapes}</symbol>`,
  )
  return `<header class="docs-bar"><svg class="sprite" aria-hidden="true">${symbols.join('')}</svg>
<div class="bar-inner">
<button type="button" class="quiet square to-pages"
popovertarget="all-pages" aria-label="All pages">${renderIcon('menu')}</button>
<a class="brand" href="/docs"><img src="/console/icon.svg" alt="" width="20" height="20">
Recollect <span>Docs</span></a>
<div class="bar-search"></div>
<div class="bar-end"><a href="/docs/${REFERENCE_PATH}">API reference</a> <a href="/">Console</a></div>
</div></header>`
}

function renderIcon(name: string): string {
  return `<svg class="icon" aria-hidden="true"><use href="#icon-${name}"></use></svg>`
}

type Pages = (typeof NAVIGATION)[number][1]

function listPages(heading: string, pages: Pages, current: { path: string; endpoints: string }): string {
  const items = pages.map(([path, name]) => {
    const isCurrent = path === current.path
    const mark = isCurrent ? ' aria-current="page"' : ''
    return `<li><a href="${pageUrl(path)}"${mark}>${escapeHtml(name)}</a>${isCurrent ? current.endpoints : ''}</li>`
  })
  return `<p>${heading}</p>\n<ul>${items.join('')}</ul>`
}

function renderContents(headings: readonly Heading[]): string {
  const items = headings.map(
    ({ id, depth, text }) =>
      `<li${depth > 2 ? ' class="inner"' : ''}><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="on-page" id="on-this-page" popover aria-label="On this page">
<p>On this page</p>
<ul>${items.join('')}</ul>
</nav>`
}

/** Links to the pages before and after this one. */
function renderNeighbours(path: string): string {
  const pages = NAVIGATION.flatMap(([, listed]) => listed)
  const at = pages.findIndex(([each]) => each === path)
  if (at === -1) return ''
  const link = (page: Pages[number] | undefined, kind: 'previous' | 'next') => {
    if (page === undefined) return ''
    const label = kind === 'next' ? 'Next' : 'Previous'
    const name = `<span>${label}</span> ${renderIcon(kind)}<strong>${escapeHtml(page[1])}</strong>`
    return `<a class="${kind}" href="${pageUrl(page[0])}">${name}</a>`
  }
  return `<nav class="neighbours" aria-label="Previous and next page">
${link(pages[at - 1], 'previous')}${link(pages[at + 1], 'next')}
</nav>`
}
