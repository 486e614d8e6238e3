import type { Route } from './route.ts'
import { ACCOUNT_ROUTES } from './routes/account.ts'
import { CORRECTION_ROUTES } from './routes/corrections.ts'
import { DOCUMENT_CONTENT_ROUTES } from './routes/document-content.ts'
import { DOCUMENT_ROUTES } from './routes/documents.ts'
import { HEALTH_ROUTES } from './routes/health.ts'
import { JOB_ROUTES } from './routes/jobs.ts'
import { KEY_ROUTES } from './routes/keys.ts'
import { MEMORY_ROUTES } from './routes/memories.ts'
import { PROJECT_ROUTES } from './routes/projects.ts'
import { SEARCH_ROUTES } from './routes/search.ts'
import { SERVICE_ROUTES } from './routes/service.ts'

/** Every endpoint, in the order of the API document. */
export const ROUTES: readonly Route[] = [
  ...HEALTH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...KEY_ROUTES,
  ...MEMORY_ROUTES,
  ...DOCUMENT_ROUTES,
  ...DOCUMENT_CONTENT_ROUTES,
  ...SEARCH_ROUTES,
  ...CORRECTION_ROUTES,
  ...JOB_ROUTES,
  ...PROJECT_ROUTES,
  ...SERVICE_ROUTES,
]
