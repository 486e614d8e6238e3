import { requirementsOf } from './requirement.ts'

const api = (section: string, part = 1) => ({ source: 'api', section, part }) as const
const contract = (section: string, part = 1) => ({ source: 'contract', section, part }) as const
const project = (section: string) => ({ source: 'project', section, part: 1 }) as const

/** Adding, listing, reading and deleting documents. */
export const documentRequirements = [
  ...requirementsOf(api('What the service does'), {
    'documents.ways': 'Documents are added by file upload and by JSON text.',
    'documents.sync-and-async': 'Small inputs are processed synchronously, large ones by a worker tracked as a job.',
  }),
  ...requirementsOf(api('What the service does', 2), {
    'documents.ways.url': 'Documents are added by a URL the service downloads.',
  }),
  ...requirementsOf(api('Supported document file types'), {
    'documents.types.txt': 'TXT is supported.',
    'documents.types.log': 'LOG is supported.',
    'documents.types.csv': 'CSV is supported.',
    'documents.types.tsv': 'TSV is supported.',
    'documents.types.json': 'JSON is supported.',
    'documents.types.jsonl': 'JSONL/NDJSON is supported.',
    'documents.types.markdown': 'Markdown is supported.',
  }),
  ...requirementsOf(api('Supported document file types', 2), {
    'documents.types.pdf': 'PDF is supported, scanned ones included.',
    'documents.types.docx': 'DOCX is supported.',
    'documents.types.doc': 'DOC is supported, through the same pipeline as DOCX.',
    'documents.types.xlsx': 'XLSX is supported.',
    'documents.types.pptx': 'PPTX is supported.',
    'documents.types.ppt': 'PPT is supported, through the same pipeline as PPTX.',
    'documents.types.html': 'HTML is supported.',
    'documents.types.xml': 'XML is supported.',
    'documents.types.scanned': 'Scanned PDFs are detected automatically and recognised without extra configuration.',
  }),
  ...requirementsOf(api('Ingestion options'), {
    'documents.options.async': 'options.async (bool, default false) forces the background worker.',
    'documents.options.deduplicate': 'options.deduplicate (bool, default false) skips documents with similar content.',
    'documents.options.enable-ocr': 'options.enableOcr is a bool, default true.',
    'documents.options.ocr-max-pages': 'options.ocrMaxPages is an int, default 50, at most 200.',
    'documents.options.store-source':
      'options.storeSource (bool, default false) keeps the original for later retrieval.',
    'documents.options.embedding-model':
      'options.embeddingModel (string, default text-embedding-3-small) is pinned on the first ingest of a memory.',
  }),
  ...requirementsOf(api('Ingestion options', 2), {
    'documents.options.ocr-works':
      'enableOcr recognises text on scanned or image-only PDF pages, ocrMaxPages of them at most.',
  }),
  ...requirementsOf(api('Endpoints: Documents'), {
    'documents.add.multipart':
      'Multipart: part file holds the file, the optional part options a JSON object of options.',
    'documents.add.json':
      'JSON: documents is an array of objects with title, text and tags; options optional alongside.',
    'documents.add.200': '200: processed synchronously and ready to search.',
    'documents.add.202': '202: the work went to the worker; the body has jobId and pollUrl.',
    'documents.async.large-file': 'A file larger than 2 MB goes to the worker.',
    'documents.async.requested': 'options.async true goes to the worker.',
    'documents.list': 'GET /v1/memories/:id/documents answers the list of documents.',
    'documents.delete': 'DELETE /v1/memories/:id/documents/:doc_id answers 204.',
  }),
  ...requirementsOf(api('Endpoints: Documents', 2), {
    'documents.add.url': 'URL: url names a resource to download; options optional alongside.',
    'documents.async.scanned': 'A scanned PDF with more than 5 image-only pages goes to the worker.',
    'documents.sync.scanned': 'A scanned PDF with 5 or fewer image pages is processed synchronously.',
  }),
  ...requirementsOf(contract('Answers: Document'), {
    'documents.fields': 'A document has every field the contract lists.',
    'documents.source-type': 'sourceType is file or text (or correction) by how the document came.',
    'documents.status': 'status is pending, processing, ready, partial or failed.',
    'documents.tags-metadata': 'tags and metadata come back as they were given.',
    'documents.sizes': 'sizeBytes, characterCount, chunkCount and contentHash describe the content.',
    'documents.has-source': 'hasSource says whether the original was kept.',
    'documents.list.status': 'The list filters by status.',
    'documents.list.tag': 'The list filters by tag.',
    'documents.list.source-type': 'The list filters by sourceType.',
    'documents.list.no-corrections': 'Corrections are left out of the list unless asked for.',
    'documents.get.pages': 'GET …/documents/:doc_id adds pages, the report.',
    'documents.source': '…/source streams the stored original with its name and type.',
    'documents.text': '…/text streams the extracted text.',
  }),
  ...requirementsOf(contract('Answers: Document', 2), {
    'documents.pages.methods':
      'Each page, sheet or slide has page, method text, ocr, empty or failed, characters, confidence, message.',
  }),
  ...requirementsOf(contract('Answers: Add documents'), {
    'documents.added.fields':
      'The 200 answer has status completed, documentsAdded, documentsSkipped, chunksCreated, documentIds, totalBytes, processingMs, documents and warnings.',
    'documents.added.entries': 'Each entry of documents has id, title, status, chunkCount, duplicateOf.',
    'documents.added.duplicate':
      'A duplicate under deduplicate is 200 with documentsSkipped 1 and an entry duplicate with duplicateOf.',
    'documents.json.metadata': 'JSON documents take metadata, a flat object whose names have at most 200 characters.',
    'documents.json.external-id': 'Adding an externalId again replaces the document.',
    'documents.json.all-or-nothing': 'A batch is all or nothing: one bad entry is 400 and nothing is stored.',
    'documents.accepted.fields': 'The 202 answer has jobId, pollUrl, status pending, reason, documentIds and job.',
    'documents.accepted.headers': 'The 202 answer has Location and Retry-After: 5.',
    'documents.accepted.reason': 'reason is file_over_sync_threshold or async_requested.',
    'documents.accepted.poll-url': 'pollUrl is the relative path /v1/jobs/….',
    'documents.accepted.readable': 'The job and its document can be read at once.',
  }),
  ...requirementsOf(contract('Answers: Add documents', 2), {
    'documents.accepted.scanned-reason': 'reason is scanned_pages for a scanned PDF.',
  }),
  ...requirementsOf(project('Lists'), {
    'lists.documents':
      'Documents are listed by title, filename, externalId, tag, metadata, status, sourceType and time.',
    'lists.memories': 'Memories are listed by project, name and time.',
    'lists.jobs': 'Jobs are listed by status, memory, type and time.',
    'lists.sort': 'sort lists oldest or newest first, and memories by name; cursors follow the order.',
    'lists.total': 'total counts what the list contains; documentCount of a memory counts searchable documents only.',
    'lists.unknown-parameter': 'An unknown query parameter of a list is ignored and named in warnings.',
  }),
]
