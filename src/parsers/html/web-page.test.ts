import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWebPage } from './web-page.ts'

const URL_OF_PAGE = 'https://example.com/guide/a.html'
const LONG = 'The museum has many halls with pictures, sculptures and coins from four centuries. '.repeat(4)

test('links are absolute, without fragments, each once, and only of http and https', async () => {
  const html = `<base href="/other/"><a href="b.html#x">B</a><a href="b.html#y">B</a><a href="mailto:a@b.example">M</a>
    <a href="c.html" rel="nofollow">C</a><area href="//host.example/d"><meta http-equiv="refresh" content="0; url=e">
    <a href="javascript:void 0">J</a><a href="http://[">?</a><script>var a = '<a href="f.html">'</script>
    <link rel="canonical" href="https://example.com/guide/">`
  const { links, canonical } = await readWebPage(html, URL_OF_PAGE)
  assert.deepEqual(links, ['https://example.com/other/b.html', 'https://host.example/d', 'https://example.com/other/e'])
  assert.equal(canonical, 'https://example.com/guide/')
})

test('the instructions for crawlers are read', async () => {
  const read = async (content: string, name = 'robots') => {
    const { noIndex, noFollow } = await readWebPage(`<meta name="${name}" content="${content}">`, URL_OF_PAGE)
    return [noIndex, noFollow]
  }
  assert.deepEqual(await read('NOINDEX, follow'), [true, false])
  assert.deepEqual(await read('none'), [true, true])
  assert.deepEqual(await read('nofollow', 'recollect'), [false, true])
  assert.deepEqual(await read('noindex', 'otherbot'), [false, false])
})

test('the main element is kept with the title, without what surrounds it', async () => {
  const html = `<html><head><title>Halls</title></head><body><header>Logo</header><nav><nav>x</nav>Menu</nav>
    <main><aside>Ad</aside><h1>Halls</h1><p>${LONG}</p><div role="navigation">Next <div>page</div></div></main>
    <footer>Imprint</footer></body></html>`
  const { mainContent } = await readWebPage(html, URL_OF_PAGE)
  assert.match(mainContent, /<title>Halls<\/title>/)
  assert.match(mainContent, /<h1>Halls<\/h1><p>The museum/)
  for (const word of ['Logo', 'Menu', 'Ad', 'Next', 'Imprint']) assert.ok(!mainContent.includes(word), word)
})

test('without a main element, frames are cut, and headers of articles stay', async () => {
  const html = `<body><header>Logo</header><article><header><h1>Halls</h1></header><p>${LONG}</p></article></body>`
  const { mainContent } = await readWebPage(html, URL_OF_PAGE)
  assert.ok(mainContent.includes('<h1>Halls</h1>') && !mainContent.includes('Logo'))
})

test('a page that would lose all its text, or does not close its menu, is kept', async () => {
  for (const html of ['<nav><p>Only a menu.</p></nav>', `<p>${LONG}</p><nav>Menu`, `<header>${LONG}</header>`])
    assert.ok((await readWebPage(html, URL_OF_PAGE)).mainContent.includes('nu') || html.startsWith('<header'), html)
})

test('deep nesting and pieces of any size are read in linear time', async () => {
  const depth = 200_000
  const html = `${'<div><nav>'.repeat(depth)}${'</nav></div>'.repeat(depth)}<main>${LONG}</main><a href="x">x</a>`
  const startedMs = performance.now()
  const { links } = await readWebPage(html, URL_OF_PAGE)
  assert.deepEqual(links, ['https://example.com/guide/x'])
  assert.ok(performance.now() - startedMs < 10_000)
})

test('a page of many regions takes time in proportion to its length', async () => {
  const count = 40_000
  const main = `<main>The opening hours<nav>menu</nav> of the museum</main><nav>outside</nav>`
  const startedMs = performance.now()
  const { mainContent } = await readWebPage(main.repeat(count), 'https://example.com/')
  const ms = performance.now() - startedMs
  assert.equal(mainContent.match(/<main>The opening hours of the museum<\/main>/g)?.length, count)
  assert.ok(!mainContent.includes('menu') && !mainContent.includes('outside'))
  // Comparing all regions with each other takes a minute.
  assert.ok(ms < 15_000, `${ms} ms`)
})
