import { requirementsOf } from './requirement.ts'

/** What callers say of documents, and change of what is stored. */
export const changeRequirements = [
  ...requirementsOf(
    { source: 'project', section: 'Answers that say what happened', part: 7 },
    {
      'told.unknown-fields': 'search and the creation of a memory name unknown fields in warnings, also in a replay.',
      'find.cursor':
        'nextCursor of a find continues after its hits, up to a few hundred, in the same order; a cursor of another request is 400 invalid_cursor.',
      'told.search-kind': 'A hit of search has its kind.',
      'told.total-hits': 'totalHitsRelation is eq if totalHits is exact, and gte if further passages match.',
      'told.model-ignored': 'A model that is named and does not answer is warned of with model_ignored.',
      'told.ask-once-replay': 'ask-once replays its answer to an Idempotency-Key from memory, and stores nothing.',
      'told.two-keys': 'A request with two different keys is 401 with a message that says so.',
      'told.deleted-document': 'The job of a document that is deleted while it runs fails with document_not_found.',
      'told.excluded-pages':
        'A scan with enableOcr false ends as completed, with a warning, in a request and in a job.',
      'told.first-key': 'A start that fails, such as on a port that is taken, makes no key; the next start prints it.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Fields of files and URLs', part: 7 },
    {
      'changes.fields.form':
        'title, tags, metadata and externalId are parts of an upload: tags repeated, comma-separated or a JSON array, metadata JSON.',
      'changes.fields.url': 'title, tags, metadata and externalId stand beside url.',
      'changes.fields.options': 'The fields count in options, too, before those beside it.',
      'changes.fields.ocr': 'POST …/ocr takes the fields in both formats.',
      'changes.fields.empty-title': 'An empty title of a file or URL is none: the title of the file is used.',
      'changes.fields.replaces':
        'A file with an externalId replaces the document that has it, also by a job and under deduplicate.',
      'changes.fields.job': 'A job keeps the fields: a given title stands before a heading of the file.',
      'changes.fields.archive':
        'The members of an archive have its tags and metadata; a title or an externalId of an archive is 400.',
      'changes.fields.wrong':
        'A field of a wrong type or length is 400 and named, with options. where it stands there.',
      'changes.fields.texts': 'Beside documents the fields are ignored and named in warnings: each text has its own.',
      'changes.job-text': 'The result of a job of a picture has its text, until its document is deleted.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'URLs in jobs', part: 7 },
    {
      'url-jobs.answer': 'A URL with async is answered with 202 before the download, which the job makes.',
      'url-jobs.document':
        'The document gets name, type, size and title from the download, and keeps the given fields.',
      'url-jobs.failures':
        'A failed download, a redirect to a private address, a type that is not supported and an archive fail the job with the code.',
      'url-jobs.refused': 'A URL that is wrong in itself is refused in the request, as without async.',
      'url-jobs.retry': 'A retry of a failed job downloads the URL again.',
      'url-jobs.replaces':
        'The document of an externalId is replaced once the job has succeeded, and stays if it fails.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Changes of memories and keys', part: 7 },
    {
      'changes.memory':
        'PATCH /v1/memories/:id changes name, description (null: none) and projectId (null: none), and keeps what is not sent.',
      'changes.memory.wrong':
        'A wrong value, or a body without a field to change, is 400; an unknown project is 404 and changes nothing.',
      'changes.memory.access':
        'The key of a memory changes its description, not its name and project; another memory is not found.',
      'changes.key': 'PATCH /v1/keys/:id changes the name of a key, which goes on to work.',
      'changes.key.access': 'Only an organization key renames keys; an unknown, revoked or foreign key is 404.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Changes of documents', part: 7 },
    {
      'changes.document':
        'PATCH …/documents/:doc_id changes title, tags and metadata, and keeps what is not sent, text, identifier and chunks included.',
      'changes.document.filters': 'Filters and lists go by the changed tags and metadata when the answer arrives.',
      'changes.document.title': 'A changed title is found, by words and by meaning, and the earlier one is not.',
      'changes.document.enabled':
        'enabled false hides a document from find, search, ask and extract at once, in every process; true shows it again.',
      'changes.document.enabled.kept':
        'A new version of a hidden document, by its externalId, is hidden; a hidden document is no duplicate of a new one.',
      'changes.delete.unknown': 'An unknown field of documents/delete is 400, and nothing is deleted.',
      'changes.document.enabled.others': 'Hidden documents take no places from the others.',
      'changes.document.wrong':
        'A wrong value, or a body without a field to change, is 400; a foreign document is 404.',
      'changes.document.correction': 'Of a correction, PATCH of the document changes enabled alone.',
      'changes.document.job': 'Changes of a document that a job is reading are kept, and hold when the job has ended.',
      'changes.document.archive': 'An import keeps hidden documents hidden.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Deletion of several documents', part: 7 },
    {
      'changes.delete.ids':
        'POST …/documents/delete deletes the documents of ids, corrections too, and names those that are not found.',
      'changes.delete.filter':
        'With filter it deletes every document that meets the filter, hidden ones too; corrections only with a sourceType.',
      'changes.delete.dry-run': 'dryRun tells how many documents there are, and deletes nothing.',
      'changes.delete.wrong': 'Both or neither of ids and filter, and a filter without a condition, are 400.',
      'changes.delete.access': 'Documents of another memory are not found, whoever names them.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Chunks', part: 7 },
    {
      'chunks.list': 'GET …/documents/:doc_id/chunks lists the chunks in order with text, offsets, page and section.',
      'chunks.slices': 'The text of a chunk is the slice of the extracted text between its offsets, as in hits.',
      'chunks.pages': 'Chunks come in pages of limit, with cursor and total.',
      'chunks.none': 'A document has no chunks until it is searchable; a foreign document is 404.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Sizes of chunks', part: 7 },
    {
      'chunking.memory': 'chunking of a new memory is part of the memory from then on; null is the default.',
      'chunking.wrong':
        'maxCharacters below 200 or over 4,000, and an overlap of more than half of it, are 400 and create nothing.',
      'chunking.bound':
        'No chunk has more than maxCharacters, however its document came: text, file, job, archive or URL.',
      'chunking.overlap':
        'A chunk of prose begins with whole sentences of the one before, at most overlap characters; offsets stay exact.',
      'chunking.archive':
        'An export and its import keep chunking, and documents added later have it; wrong sizes are 422.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Changes of corrections', part: 7 },
    {
      'changes.correction':
        'PATCH …/corrections/:doc_id changes statement, topics, boost and expiresAt (null: never) under the same identifier.',
      'changes.correction.search':
        'A changed statement is found and answers when the response arrives, the earlier one not.',
      'changes.correction.wrong': 'A wrong value is 400 and changes nothing; what is no correction here is 404.',
    },
  ),
]
