// Finds places of the documentation: sections whose heading, page or text has the words, or words that begin with them.

const IN_HEADING = 8
const IN_TITLE = 5
const MOST_IN_TEXT = 3
const WHOLE_WORD = 1.5
/** Pages that tell how something came to be, after those that tell how to do it. */
const ASIDE = /^\/docs\/(?:decisions\/|architecture|changelog|benchmarks|relevance)/
const EVERYWHERE = new Set(
  'a an and are as at be by can do does for from how i in is it my of on or that the this to up was what when where which with you'.split(
    ' ',
  ),
)
const ENDING = /(?:ies|es|s|ed|ing)$/
const BEFORE = 50
const AFTER = 130

/**
 * The pages as the index has them, ready to be looked through.
 * @param {{ href: string, title: string, sections: [string, string, string][] }[]} pages
 */
export function openPlaces(pages) {
  return pages.flatMap(({ href, title, sections }) =>
    sections.map(([id, heading, text]) => ({
      // The first heading is the page itself.
      href: id === '' || heading === title ? href : `${href}#${id}`,
      title,
      heading,
      text,
      worth: ASIDE.test(href) ? 0.5 : 1,
      words: {
        heading: heading.toLowerCase(),
        title: heading === title ? '' : title.toLowerCase(),
        text: text.toLowerCase(),
      },
    })),
  )
}

/**
 * The best places for a query, the best first: each with where it is, and a piece of its text in which every second part is a match.
 * @param {ReturnType<typeof openPlaces>} places
 * @param {string} query
 * @param {number} limit
 */
export function findPlaces(places, query, limit) {
  const terms = readTerms(query)
  const scores = terms.map((term) => places.map(({ words, worth }) => scoreOf(term, words, worth)))
  const weights = scores.map((of) => Math.log(1 + places.length / (1 + of.filter((score) => score > 0).length)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return places
    .map((place, index) => ({
      place,
      score: weigh(
        scores.map((of) => of[index]),
        weights,
        total,
      ),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ place }) => ({ ...place, excerpt: cutExcerpt(place.text, terms) }))
}

/** A place that has more of what was asked for goes before one that has a part of it often. */
function weigh(scores, weights, total) {
  const covered = weights.reduce((sum, weight, index) => sum + (scores[index] > 0 ? weight : 0), 0)
  const score = scores.reduce((sum, one, index) => sum + one * weights[index], 0)
  return score * (covered / total)
}

/** What is looked up of a query: its words but those that stand everywhere, unless there are no others. */
function readTerms(query) {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])]
  const telling = words.filter((word) => !EVERYWHERE.has(word))
  return (telling.length > 0 ? telling : words).map((word) => ({ word, begun: new RegExp(patternOf(word), 'gu') }))
}

/** Words that begin with the stem of this one; of a short one, which begins many, the word alone. */
function patternOf(word) {
  const [stem, more] =
    word.length > 2 ? [word.length > 4 ? word.replace(ENDING, '') : word, '[\\p{L}\\p{N}]*'] : [word, '']
  return `(?<![\\p{L}\\p{N}])${stem}${more}(?![\\p{L}\\p{N}])`
}

function scoreOf({ begun, word }, { heading, title, text }, worth) {
  const score = (part, points) => {
    const found = part.match(begun) ?? []
    if (found.length === 0) return 0
    return points(found.length) * (found.includes(word) ? WHOLE_WORD : 1)
  }
  const inText = score(text, (count) => Math.min(MOST_IN_TEXT, Math.log2(1 + count)))
  return worth * (inText + score(heading, () => IN_HEADING) + score(title, () => IN_TITLE))
}

/** The text around the first place where most of the terms are, in pieces: every second one is a match. */
function cutExcerpt(text, terms) {
  const matches = terms.flatMap(({ begun }, term) =>
    [...text.toLowerCase().matchAll(begun)].map(({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
      term,
    })),
  )
  matches.sort((a, b) => a.start - b.start)
  const near = (from) =>
    new Set(matches.filter(({ start }) => start >= from && start < from + AFTER).map(({ term }) => term)).size
  const best = matches.reduce((most, { start }) => (near(start) > near(most) ? start : most), matches[0]?.start ?? 0)
  const from = best <= BEFORE ? 0 : text.indexOf(' ', best - BEFORE) + 1
  const to = from + BEFORE + AFTER
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
