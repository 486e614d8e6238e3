import { requirementsOf } from './requirement.ts'

const beyond = (part: number) => ({ source: 'contract', section: 'Beyond the document', part }) as const

/** Features beyond the API document. */
export const beyondRequirements = [
  ...requirementsOf(beyond(1), {
    'beyond.same-rules': 'The same rules hold for endpoints the API document does not have.',
    'beyond.openapi': 'GET /openapi.json answers the OpenAPI document.',
  }),
  ...requirementsOf(beyond(6), {
    'beyond.docs': 'GET /docs is a reading page.',
    'beyond.console': 'GET / is the console.',
    'beyond.metrics':
      'GET /metrics is Prometheus text, with an organization key, or without where RECOLLECT_METRICS_PUBLIC=true.',
    'beyond.mcp': 'POST /mcp is the Model Context Protocol over streamable HTTP with the same keys.',
    'beyond.page-picture':
      'GET …/pages/:page.png?highlight= renders the page of a stored PDF or image with the span marked; 404 source_not_stored.',
  }),
  ...requirementsOf(beyond(7), {
    'openai.models': 'GET /v1/models lists the embedding models and the memories that the key may see, as models.',
    'openai.chat':
      'POST /v1/chat/completions answers the last question of the user from the memory that model names by ID or name.',
    'openai.chat.citations': 'The answer has its citation marks as annotations, and the citations of ask.',
    'openai.chat.stream': 'With stream, the answer comes as chunks that add up to it, with [DONE] last.',
    'openai.chat.declined': 'A question without an answer is declined in the message, with answered false.',
    'openai.chat.invalid':
      'A name of several memories, a last message that is no question, and parts that are no text are 400.',
    'openai.embeddings': 'POST /v1/embeddings embeds texts with a model of the server; another model is 404.',
    'openai.store-search': 'POST /v1/vector_stores/:id/search finds passages of the memory with that ID.',
    'openai.scope': 'A key of a memory sees no other memory through these endpoints.',
    'openai.folder':
      'With npm start, memories create and sync, a client of OpenAI chats over a folder: at most five commands and three minutes.',
    'openai.client': 'The openai package for Node lists models, answers, streams, embeds and searches.',
    'beyond.export':
      'GET /v1/memories/:id/export streams one .tar.gz with manifest, documents, corrections, vectors and stored originals.',
    'beyond.import':
      'POST /v1/memories/import makes a new memory from an archive: 201 with the memory or 202 with a memoryimport job.',
    'beyond.import.hashes':
      'Import checks every hash before anything shows and neither parses nor embeds again where the embedder is the same.',
    'beyond.export.manifest':
      'The manifest has the format version, the embedder, counts, and the SHA-256 of every entry.',
    'beyond.export.nothing-else': 'An archive holds no key and no identifier of the installation it came from.',
    'beyond.export.scope': 'A key of a memory exports that memory; only an organization key imports.',
    'beyond.import.same':
      'An imported memory gives the same hits with the same scores, texts, facts and originals, under new identifiers.',
    'beyond.import.options': 'name and projectId of an import are optional; the archive names the memory otherwise.',
    'beyond.import.job': 'An archive of more than 2 MB, or options.async, is imported by a memoryimport job.',
    'beyond.import.job.memory':
      'memoryId of an import job is null until the job is completed, and that of the new memory then.',
    'beyond.import.as-added':
      'Texts, chunks and originals that are not what the archive says of them are 422; documents that the export found damaged come as they are, with a warning.',
    'beyond.import.retry':
      'An import job that failed cannot be retried, since its archive is not kept: 409 says to send it again.',
    'beyond.import.whole':
      'An imported memory shows at once whole or not at all, also where the process is killed meanwhile.',
    'beyond.import.invalid': 'A damaged or foreign archive is 422 invalid_archive and leaves nothing.',
    'beyond.import.fields':
      'The fields of an archive have the limits of requests: 422 invalid_archive names the entry and the field; names of files are cleaned.',
    'beyond.deleted-bytes':
      'The bytes of a deleted document or memory leave disk and store within 15 minutes, old versions, caches and kept answers too.',
    'beyond.reembed': 'POST /v1/memories/:id/reembed answers 202 with a reembedding job, whose progress counts chunks.',
    'beyond.reembed.switch':
      'The old vectors answer until one atomic switch, which every process sees: a question is never compared with the vectors of another model.',
    'beyond.reembed.meanwhile':
      'Adds, corrections and deletions during a re-embedding are neither lost nor undone by it, and do not wait for it.',
    'beyond.reembed.broken':
      'A re-embedding that is cancelled, fails or dies at any step leaves the memory as it was, and nothing of its own.',
    'beyond.reembed.unknown-model':
      'A model that is not configured is refused with the names of those that are, never replaced.',
    'beyond.reembed.once': 'While a memory is re-embedded another re-embedding of it is 409 reembedding_in_progress.',
    'beyond.reembed.same-model':
      'The model that the memory has is taken, too: all vectors are made anew, and the model is asked for each of them.',
    'beyond.reembed.access': "A memory's key may have that memory re-embedded, with any model that is configured.",
    'beyond.deleted-bytes.full-disk':
      'On a full disk deleted documents make room for adds within 15 minutes, also where it is full to the last byte, and without a restart.',
    'beyond.deleted-bytes.counted': 'GET /metrics counts what waits of deletions.',
    'beyond.pages':
      'GET /v1/memories/:id/pages counts the pages of all documents by what became of them: text, ocr, empty, failed; corrections are left out, a document without pages counts as one.',
    'beyond.pages.failed': 'It names the 20 documents of which most pages failed, the worst first.',
    'beyond.pages.access': "It takes the memory's key or the organization's; another memory is not found.",
    'beyond.verify': 'GET /v1/memories/:id/verify compares metadata, memory file and objects.',
    'beyond.verify.access': "Verify takes the memory's key or the organization's.",
    'beyond.verify.damage':
      'Each kind of damage is found, named, and mended where possible by recollect doctor --storage --fix.',
    'beyond.damage.database':
      'A database that answers with damage, at the start or later, turns readiness 503 until a check finds it whole.',
    'beyond.damage.memory-files': 'A memory file that is gone turns readiness 503 until it is back.',
    'beyond.damage.answers':
      'What needs damaged or missing data is 500 data_damaged without Retry-After, and says that a backup is needed.',
    'beyond.damage.rows':
      'A value that changed within a row of the database is named by verify and by the doctor, which mends nothing else before that.',
    'beyond.damage.doctor':
      'recollect doctor names damage of the database, and makes indexes again where nothing else is damaged.',
    'beyond.evaluate': 'POST /v1/memories/:id/evaluate answers ndcg, recall, mrr, precision and meanMs by mode.',
    'beyond.evaluate.free': 'Evaluate costs no query quota.',
    'beyond.evaluate.figures':
      'The figures are those of the documents in the order of their best passages, the first topK of them; a missed question has rank null and counts 0.',
    'beyond.evaluate.external-ids': 'Documents of a question may be named by externalIds too.',
    'beyond.evaluate.unknown': 'Documents that are not in the memory are 400, and every one is named.',
    'beyond.evaluate.bound': 'Evaluate takes 1 to 500 questions, topK of 1 to 100 and the modes of find.',
    'beyond.evaluate.corrections': 'Corrections count in an evaluation only where a question names them.',
    'beyond.explain':
      'options.explain of find gives the parts of every score in words and numbers, and nothing where it is not asked for.',
    'beyond.explain.adds-up': 'The points of the parts add up to the score that is shown.',
    'beyond.explain.scales':
      'Each part has the figure it comes from and the ends of its scale, from which its share can be had; top says why the best passage has its score.',
    'beyond.explain.bounded':
      'The terms of an explanation are those that stand in the passage, and no more than 20 that do not.',
    'beyond.bounds.query-words':
      'The first 256 different words of a query are looked up; the warning query_shortened of find, ask and evaluate says how many were not.',
    'beyond.bounds.hits':
      'The hits of a find end where the answer would be larger than 4 MB, with the warning hits_left_out.',
    'beyond.bounds.pages':
      'A page of a list ends where it would be larger than 4 MB, and its cursor goes on behind it.',
    'beyond.bounds.metadata': 'The metadata of a document has at most 32,768 characters in all names and values.',
    'beyond.explain.document':
      'options.explainDocumentId says where a document stands among the hits, or why it does not, with its own scores and those it would need; a document of another memory is not found.',
    'beyond.corrections.outranks':
      'A correction shows at its creation the passages it contradicts or outranks: at most five, nearest by both legs, copies once and none that has nothing to do with it, for the first 20 of a request; include=outranks of the list shows those of now.',
    'beyond.corrections.identifiers':
      'A correction about other identifiers than those of the query does not come first, and keeps no document that has them off the page.',
    'beyond.find.word-before-title':
      'For a query of one word, passages that have it stand before those that have it in their title alone.',
    'beyond.corrections.last-outranked':
      'The list of corrections says of each what it last stood before, and when: at most five passages, without those that are gone.',
    'beyond.corrections.created-by':
      'A correction has createdBy, the key that made it; a key of one memory sees no other key.',
    'beyond.corrections.expires':
      'expiresAt lies in the future; from then on the correction is neither found nor asked, and is listed as expired.',
    'beyond.corrections.in-answers':
      'Answers name a correction: "corrected on …" in quotes, and correction in citations and sources.',
    'beyond.corrections.list': 'GET /v1/memories/:id/corrections lists the corrections.',
    'beyond.webhooks': 'Webhooks are made, listed, read, deleted and tested; secret is shown once.',
    'beyond.webhooks.events': 'Webhook events are job.completed, job.failed and job.partial.',
    'beyond.webhooks.signed': 'Webhooks are signed as the Standard Webhooks specification says.',
    'beyond.webhooks.delivery':
      'Webhooks are delivered at least once, retried with growing pauses for 24 h, through the guard of URL ingest.',
    'beyond.webhooks.deliveries': 'GET /v1/webhooks/:id/deliveries lists the attempts.',
    'beyond.webhooks.keys': 'Webhooks are for organization keys alone; the key of a memory is 403 scope_forbidden.',
    'beyond.webhooks.ends':
      'Webhooks hear of every way in which a job ends, cancelled and deleted with its memory too.',
    'beyond.webhooks.killed': 'A webhook message survives kill -9, and comes again under the same webhook-id.',
    'beyond.webhooks.test': 'POST /v1/webhooks/:id/test sends a signed message at once and answers how it went.',
    'beyond.webhooks.disabled':
      'A webhook is disabled with the reason by 410 Gone or a run of failures; a test that arrives enables it again.',
    'beyond.webhooks.guard':
      'The URL of a webhook passes the guard of URL ingest when it is made and at every sending.',
    'beyond.webhooks.limit': 'An organization has 20 webhooks at most: 403 webhook_limit_reached.',
  }),
]
