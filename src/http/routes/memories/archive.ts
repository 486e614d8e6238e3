import { invalid } from '../../../errors.ts'
import { MAX_ARCHIVE_BYTES } from '../../../limits.ts'
import type { ImportedMemory } from '../../../services/archive/archives.ts'
import type { AcceptedDocuments } from '../../../services/ingest/ingest.ts'
import type { Warning } from '../../../services/warning.ts'
import { accepted, created } from '../../answers/answers.ts'
import { contentDisposition } from '../../answers/file-name.ts'
import { type Answer, defineRoute, type Route } from '../../route.ts'
import { ARCHIVE_FORM, ImportedMemorySchema, ImportFieldsSchema } from '../../schemas/archive.ts'
import { AcceptedDocumentsSchema } from '../../schemas/ingest.ts'
import { readBody } from '../../schemas/read-value.ts'
import { pathParameter } from '../path-parameter.ts'

/** Room for the form around the archive. */
const FORM_BYTES = 1024 * 1024

function answerImported(imported: ImportedMemory | AcceptedDocuments, warnings: readonly Warning[]): Answer {
  const body = { ...imported, warnings: [...warnings, ...imported.warnings] }
  return 'pollUrl' in imported ? accepted(imported.pollUrl, body) : created(`/v1/memories/${imported.id}`, body)
}

/** Contract, "Export and import". */
export const ARCHIVE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/export',
    operationId: 'exportMemory',
    summary: 'Download a memory as one archive',
    tag: 'Memories',
    access: 'memory',
    answers: {
      200: { description: 'The archive, a .tar.gz that is made while it is read.', contentType: 'application/gzip' },
    },
    errors: ['memory_not_found', 'memory_too_large'],
    handle: async ({ services, caller, params }) => {
      const { content, filename } = await services.archive.export(caller, pathParameter(params, 'id'))
      const headers = { 'content-type': 'application/gzip', 'content-disposition': contentDisposition(filename) }
      return { status: 200, headers, body: content }
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/import',
    operationId: 'importMemory',
    summary: 'Make a memory of an archive',
    tag: 'Memories',
    access: 'organization',
    form: ARCHIVE_FORM,
    maxBodyBytes: MAX_ARCHIVE_BYTES + FORM_BYTES,
    answers: {
      201: { description: 'The new memory, whole.', schema: ImportedMemorySchema },
      202: { description: 'A background job makes it.', schema: AcceptedDocumentsSchema },
    },
    errors: [
      'invalid_archive',
      'project_not_found',
      'memory_limit_reached',
      'storage_quota_exceeded',
      'queue_full',
      'insufficient_storage',
    ],
    handle: async ({ services, caller, upload, signal, keepAs }) => {
      if (upload === null) throw invalid('file', 'is required and must be a file part of a form')
      const { value, warnings: unread } = readBody(ImportFieldsSchema, upload.fields)
      const warnings = [...upload.warnings, ...unread]
      const { name = null, projectId = null, options = {} } = value
      const toAnswer = (imported: ImportedMemory | AcceptedDocuments) => answerImported(imported, warnings)
      const work = { signal, keep: keepAs(toAnswer) }
      const wanted = { name, projectId, async: options.async ?? false }
      return toAnswer(await services.archive.import(caller, upload.file, wanted, work))
    },
  }),
]
