import { requirementsOf } from './requirement.ts'

/** Websites, buckets and folders that a memory follows. */
export const sourceRequirements = [
  ...requirementsOf(
    { source: 'project', section: 'Sources', part: 7 },
    {
      'sources.create':
        'POST /v1/memories/:id/sources makes a source and its first run; the list, the source and its report show it.',
      'sources.wrong':
        'A wrong type, settings of another type, or settings without an address are 400 with the field; a body without a change is, too.',
      'sources.change': 'PATCH changes the given fields and keeps the rest.',
      'sources.access':
        'The key of a memory manages the sources of its memory; sources of other memories and organizations are not found.',
      'sources.pause': 'A paused source does not run; resuming starts the run that was due.',
      'sources.interval': 'A run begins again after the interval, and without one only on request.',
      'sources.delete': 'DELETE keeps the documents, and with documents=delete deletes them.',
      'sources.memory': 'The deletion of a memory deletes its sources and ends their runs.',
      'sources.killed':
        'A run that kill -9 ended is repeated after the start; nothing is twice, and nothing that it had read is read again.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Folders as sources', part: 7 },
    {
      'sources.folder': 'A run of a folder adds what is new, replaces what changed, removes what is gone, by path.',
      'sources.folder.unchanged': 'An unchanged file keeps its document, also when only its time changed.',
      'sources.folder.ignored':
        'Hidden files, .recollectignore and exclude leave files out; other types are skipped with the reason.',
      'sources.folder.links': 'No link leads out of the folder.',
      'sources.folder.allowed':
        'Only folders below RECOLLECT_SOURCE_FOLDERS are sources, and without the setting none.',
      'sources.folder.empty': 'A folder that is missing or empty keeps the documents and says why.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Websites as sources', part: 7 },
    {
      'sources.website':
        'A website is read from start URLs and sitemap, below its prefix, up to maxDepth and maxPages.',
      'sources.website.rules': 'robots.txt, noindex, nofollow and canonical links are followed.',
      'sources.website.endless': 'A website that leads to ever further pages without documents ends the run.',
      'sources.website.content': 'With mainContent, navigation, headers and footers are not part of a document.',
      'sources.website.unchanged':
        'A page is asked for with ETag and Last-Modified; an unchanged page keeps its document.',
      'sources.website.gone':
        'A page that is gone or moved loses its document; one that answers with an error keeps it.',
      'sources.website.silent': 'A website that does not answer, or answers 404 to everything, loses no document.',
      'sources.website.guard': 'Addresses that are not public are refused, at the creation and in redirects.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Buckets as sources', part: 7 },
    {
      'sources.s3': 'A run of a bucket adds, replaces and removes by key; an unchanged ETag is not downloaded.',
      'sources.s3.credentials':
        'Credentials are stored encrypted, sign the requests, and are never returned or logged.',
      'sources.s3.anonymous': 'Without credentials the requests are anonymous; those of the service are never used.',
      'sources.s3.failed': 'A listing that fails, or an empty one, removes nothing.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Errors of sources', part: 7 },
    {
      'errors.403.source_limit_reached': 'The twenty-first source of a memory is 403 source_limit_reached.',
      'errors.403.source_not_allowed': 'A folder that sources may not read is 403 source_not_allowed.',
      'errors.404.source_not_found': 'An unknown source is 404 source_not_found.',
      'errors.409.source_paused': 'Running a paused source is 409 source_paused.',
    },
  ),
]
