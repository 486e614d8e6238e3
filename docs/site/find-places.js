// Ranks the places of the documentation for a query. A place is a section of a page. Words match by
// their beginning.

const WEIGHTS = { heading: 8, title: 6, intro: 3 }
const MAX_TEXT_SCORE = 3
const WHOLE_WORD_FACTOR = 1.5
/** Share of the page's own score in the score of each of its sections. */
const PAGE_SHARE = 1.5
const REFERENCE_FACTOR = 0.5
/** Guides first, then references, then pages on how the project is built. */
const PAGE_FACTORS = [
  [/^\/docs\/(?:decisions\/|internals\/|architecture|changelog|licences|relevance)/, 0.3],
  [/^\/docs\/(?:reference|command-line|benchmarks)/, REFERENCE_FACTOR],
]
const STOP_WORDS = new Set(
  'a an and are as at be by can do does for from how i in is it my of on or that the this to up was what when where which with you'.split(
    ' ',
  ),
)
const ENDING = /(?:ations?|ions?|ings?|ies|es|ed|ly|s|e|y)$/
const MIN_STEM_LETTERS = 4
const EXCERPT = { before: 50, after: 130 }

let loading = null
/** The places of all pages; fetched once, and again where that failed. */
export function loadPlaces() {
  loading ??= fetchPlaces().catch((error) => {
    loading = null
    throw error
  })
  return loading
}

async function fetchPlaces() {
  const answer = await fetch('/docs/site/search-index.gz')
  if (!answer.ok) throw new Error(`${answer.status}`)
  return openPlaces(await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).json())
}

/**
 * Prepares the pages of the index for searching. The first section of a page is the page itself.
 * @param {{ href: string, title: string, sections: [string, string, string][] }[]} pages
 */
export function openPlaces(pages) {
  return pages.flatMap(({ href, title, sections }) => {
    const factor = PAGE_FACTORS.find(([pattern]) => pattern.test(href))?.[1] ?? 1
    return sections.map(([id, heading, text], index) => ({
      href: id === '' || heading === title ? href : `${href}#${id}`,
      page: href,
      isFirst: index === 0,
      factor,
      title,
      heading,
      text,
      words: { heading: heading.toLowerCase(), text: text.toLowerCase() },
    }))
  })
}

/**
 * Returns the best places for a query, the best first, each with an excerpt in which every second
 * piece is a match.
 * @param {ReturnType<typeof openPlaces>} places
 * @param {string} query
 * @param {number} limit
 */
export function findPlaces(places, query, limit) {
  const terms = readTerms(query)
  const matched = places.map((place) => ({ place, terms: terms.map((term) => matchTerm(term, place)) }))
  const pages = groupByPage(matched).map(joinSections)
  const pageScores = scoreAll(pages, scorePage)
  const ofPage = new Map(pages.map(({ page }, index) => [page, pageScores[index]]))
  const sectionScores = scoreAll(matched, scoreSection)
  return places
    .map((place, index) => ({
      place,
      score:
        sectionScores[index] === 0
          ? 0
          : pageFactor(place, terms) * (sectionScores[index] + PAGE_SHARE * ofPage.get(place.page)),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ place }) => ({ ...place, excerpt: cutExcerpt(place.text, terms) }))
}

/** A reference page whose title has the whole query counts in full. */
function pageFactor({ heading, title, words, factor }, terms) {
  const isNamed = heading === title && terms.every(({ prefix }) => words.heading.match(prefix) !== null)
  return isNamed && factor === REFERENCE_FACTOR ? 1 : factor
}

function matchTerm(term, { words }) {
  return { heading: countMatches(term, words.heading), text: countMatches(term, words.text) }
}

function countMatches({ prefix, word }, text) {
  const found = text.match(prefix) ?? []
  return { count: found.length, hasWord: found.includes(word) }
}

function groupByPage(matched) {
  const sections = new Map()
  for (const one of matched) sections.set(one.place.page, [...(sections.get(one.place.page) ?? []), one])
  return [...sections.values()]
}

/** The matches of a page: those of its title and introduction, and of all its sections together. */
function joinSections(sections) {
  const first = sections.find(({ place }) => place.isFirst)
  return {
    page: first.place.page,
    terms: first.terms.map(({ heading: title, text: intro }, index) => {
      const all = sections.flatMap(({ terms }) => [terms[index].heading, terms[index].text])
      const count = all.reduce((sum, matches) => sum + matches.count, 0)
      return { title, intro, text: { count, hasWord: all.some(({ hasWord }) => hasWord) } }
    }),
  }
}

/** Scores each item: the weighted sum over the terms, times the covered share of the query. */
function scoreAll(items, scoreTerm) {
  const scores = items.map(({ terms }) => terms.map(scoreTerm))
  const weights = (scores[0] ?? []).map((_, term) => {
    const matching = scores.filter((of) => of[term] > 0).length
    return Math.log(1 + items.length / (1 + matching))
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return scores.map((of) => {
    const covered = weights.reduce((sum, weight, term) => sum + (of[term] > 0 ? weight : 0), 0)
    const score = weights.reduce((sum, weight, term) => sum + of[term] * weight, 0)
    return total === 0 ? 0 : score * (covered / total)
  })
}

function scorePage({ title, intro, text }) {
  return points(text, textScore) + points(title, () => WEIGHTS.title) + points(intro, () => WEIGHTS.intro)
}

function scoreSection({ heading, text }) {
  return points(text, textScore) + points(heading, () => WEIGHTS.heading)
}

function textScore(count) {
  return Math.min(MAX_TEXT_SCORE, Math.log2(1 + count))
}

function points({ count, hasWord }, scoreOf) {
  return count === 0 ? 0 : scoreOf(count) * (hasWord ? WHOLE_WORD_FACTOR : 1)
}

/** The words of a query without stop words, unless there are no others. */
function readTerms(query) {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])]
  const content = words.filter((word) => !STOP_WORDS.has(word))
  return (content.length > 0 ? content : words).map((word) => ({ word, prefix: new RegExp(toPattern(word), 'gu') }))
}

/** Matches words that begin with the stem of this word; one or two letters match themselves only. */
function toPattern(word) {
  const stem = word.replace(ENDING, '')
  // An abbreviation such as "https" has no ending to remove.
  const prefix = stem.length >= MIN_STEM_LETTERS && /[aeiou]/.test(stem) ? stem : word
  return `(?<![\\p{L}\\p{N}])${prefix}${word.length > 2 ? '[\\p{L}\\p{N}]*' : ''}(?![\\p{L}\\p{N}])`
}

/** Cuts the text around the first place with the most terms; every second piece is a match. */
function cutExcerpt(text, terms) {
  const matches = terms.flatMap(({ prefix }, term) =>
    [...text.toLowerCase().matchAll(prefix)].map(({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
      term,
    })),
  )
  matches.sort((a, b) => a.start - b.start)
  const near = (from) =>
    new Set(matches.filter(({ start }) => start >= from && start < from + EXCERPT.after).map(({ term }) => term)).size
  const best = matches.reduce((most, { start }) => (near(start) > near(most) ? start : most), matches[0]?.start ?? 0)
  const from = best <= EXCERPT.before ? 0 : text.indexOf(' ', best - EXCERPT.before) + 1
  const to = from + EXCERPT.before + EXCERPT.after
  const pieces = []
  let at = from
  for (const { start, end } of matches) {
    if (start < at || end > to) continue
    pieces.push(text.slice(at, start), text.slice(start, end))
    at = end
  }
  pieces.push(text.slice(at, to) + (to < text.length ? ' …' : ''))
  if (from > 0) pieces[0] = `… ${pieces[0]}`
  return pieces
}
