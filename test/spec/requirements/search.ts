import { requirementsOf } from './requirement.ts'

const api = (section: string) => ({ source: 'api', section, part: 1 }) as const
const contract = (section: string) => ({ source: 'contract', section, part: 1 }) as const
const project = (section: string) => ({ source: 'project', section, part: 1 }) as const

/** Find, search and corrections. */
export const searchRequirements = [
  ...requirementsOf(api('What the service does'), {
    'search.two-forms': 'Search comes as a hybrid search (semantic and keyword with reranking) and a simple search.',
    'corrections.first': 'Corrections are priority-boosted statements that surface first in search results.',
  }),
  ...requirementsOf(api('Endpoints: Search'), {
    'find.query': 'find: query is a required string.',
    'find.top-k': 'find: topK is an int, default 10.',
    'find.mode': 'find: options.mode is hybrid, semantic, lexical or auto, default auto.',
    'find.limit': 'find: options.limit is an int, default 10.',
    'find.highlight': 'find: options.highlight is a bool, default false; true wraps matches in mark tags.',
    'search.query': 'search: query is a string.',
    'search.limit': 'search: limit is an int.',
    'search.defaults': 'search: other defaults are chosen by the service.',
  }),
  ...requirementsOf(contract('Rules: find limits'), {
    'find.limit-over-top-k': 'find takes options.limit over topK over 10.',
    'find.limit-max': 'find gives at most 100.',
  }),
  ...requirementsOf(contract('Answers: find'), {
    'find.fields': 'The answer has query, mode, totalHits, tookMs, hits and warnings.',
    'find.hit-fields': 'A hit has every field the contract lists.',
    'find.score': 'score is in 0..1 and falls with rank.',
    'find.scores': 'scores holds lexical, semantic, fused, rerank and boost, null where a part did not run.',
    'find.mark-in-snippet': '<mark> stands in snippet only; text is clean.',
    'find.snippet-escaped': 'Everything else in snippet is HTML-escaped.',
    'find.offsets': 'Offsets are UTF-16 code units into the extracted text, and text is exactly that slice.',
    'find.mode-ran': 'mode is the one that ran; auto decides.',
    'find.corrections-first': 'Corrections that match have kind correction and come first.',
    'find.filter.tags': 'options.filter.tags filters by tags.',
    'find.filter.document-ids': 'options.filter.documentIds filters by documents.',
    'find.filter.metadata': 'options.filter.metadata filters by metadata.',
    'find.fall-back-warned': 'A fall-back to another mode says why in warnings.',
    'find.terms-optional': 'A natural-language question must find: terms are optional, never all required.',
  }),
  ...requirementsOf(project('Hits that say what they are worth'), {
    'find.min-score': 'options.minScore, 0 to 1, leaves out documents with a lower score, also of totalHits.',
    'find.collapse-duplicates':
      'Copies of a passage are one hit with their number in duplicates; options.collapseDuplicates false returns each.',
    'find.copies-hide-nothing': 'However many copies of a passage match, other passages that match are found.',
    'find.nothing-found': 'A query that nothing in the memory matches has totalHits 0.',
    'find.date-forms': 'A date or period finds its other forms, exact form first.',
  }),
  ...requirementsOf(project('Filters'), {
    'filter.operators': 'Metadata compares with $eq, $ne, $in, $nin, $gt, $gte, $lt, $lte and $exists.',
    'filter.groups': '$and, $or and $not combine conditions on metadata.',
    'filter.typed': 'Numbers compare with numbers, ISO 8601 dates with dates, other strings with strings.',
    'filter.created': 'createdAfter and createdBefore filter by the time at which a document was added.',
    'filter.source-type': 'sourceType filters by the source of a document.',
    'filter.unknown-operator': 'An unknown operator is 400; the message names it and lists the known ones.',
    'filter.limits': 'A filter over the limits of depth, conditions or values is 400 and names the place.',
    'filter.everywhere': 'find, search, ask, extract and evaluate take the same options.filter.',
    'filter.exact': 'However few documents pass a filter, all their passages are searched, and no others.',
    'filter.fresh': 'A filter sees every acknowledged change at once.',
    'filter.none-passes': 'A filter that no document meets gives no hits and a warning.',
    'filter.corrections': 'Filters apply to corrections as to documents; the topics of a correction are its tags.',
  }),
  ...requirementsOf(project('Several memories'), {
    'several.find': 'POST /v1/find searches up to 20 memoryIds; each hit has the memoryId of its memory.',
    'several.ask': 'POST /v1/ask answers from several memories; citations and sources have their memoryId.',
    'several.project': 'projectId stands for the memories of a project.',
    'several.scores': 'Hits are sorted by score, which a passage has in its memory alone as well.',
    'several.corrections': 'A correction replaces statements of its own memory only.',
    'several.scope': 'A memory that the key may not see is 404, and nothing is counted.',
    'several.counted-once': 'A search of several memories counts as one query.',
    'several.limit': 'Either memoryIds or projectId is required, with at most 20 memories.',
  }),
  ...requirementsOf(contract('Answers: search'), {
    'search.fields':
      'search answers query, hits with rank, score, documentId, chunkId, title, text, snippet, page, totalHits and tookMs.',
  }),
  ...requirementsOf(api('Resources: Correction'), {
    'corrections.fields': 'A correction has statement (string), topics (array of strings), boost (number).',
    'corrections.ranked-ahead': 'Corrections are ranked ahead of other content in search results.',
  }),
  ...requirementsOf(api('Endpoints: Corrections'), {
    'corrections.correct': 'POST /v1/memories/:id/correct takes statement, topics, boost.',
    'corrections.batch':
      'POST /v1/memories/:id/corrections takes corrections, an array of objects with statement and topics.',
  }),
  ...requirementsOf(contract('Answers: correct'), {
    'corrections.answer': 'correct answers 201 with id, memoryId, statement, topics, boost, createdAt.',
    'corrections.boost': 'boost defaults to 2, range (0, 10].',
    'corrections.batch-answer': 'corrections answers 201 with corrections, ids and count.',
    'corrections.batch-all-or-nothing': 'corrections is all or nothing.',
    'corrections.document':
      'A correction is a document of sourceType correction: listed so, deleted by DELETE document.',
  }),
]
