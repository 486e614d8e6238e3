import type { Route } from '../route.ts'
import { ACCOUNT_ROUTES } from './account.ts'
import { ARCHIVE_ROUTES } from './archive.ts'
import { ASK_ROUTES } from './ask.ts'
import { CONSOLE_ROUTES } from './console.ts'
import { CORRECTION_ROUTES } from './corrections.ts'
import { DOCS_ROUTES } from './docs.ts'
import { DOCUMENT_CONTENT_ROUTES } from './document-content.ts'
import { DOCUMENT_ROUTES } from './documents.ts'
import { EVALUATE_ROUTES } from './evaluate.ts'
import { EXTRACT_ROUTES } from './extract.ts'
import { HEALTH_ROUTES } from './health.ts'
import { IMAGE_ROUTES } from './images.ts'
import { JOB_ROUTES } from './jobs.ts'
import { KEY_ROUTES } from './keys.ts'
import { createMcpRoute } from './mcp.ts'
import { MEMORY_ROUTES } from './memories.ts'
import { METRICS_ROUTES } from './metrics.ts'
import { PAGE_PICTURE_ROUTES } from './page-picture.ts'
import { PAGES_ROUTES } from './pages.ts'
import { PROJECT_ROUTES } from './projects.ts'
import { REEMBED_ROUTES } from './reembed.ts'
import { SEARCH_ROUTES } from './search.ts'
import { SERVICE_ROUTES } from './service.ts'
import { VERIFY_ROUTES } from './verify.ts'
import { WEBHOOK_ROUTES } from './webhooks.ts'

const API_ROUTES: readonly Route[] = [
  ...HEALTH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...KEY_ROUTES,
  ...MEMORY_ROUTES,
  ...REEMBED_ROUTES,
  ...ARCHIVE_ROUTES,
  ...DOCUMENT_ROUTES,
  ...DOCUMENT_CONTENT_ROUTES,
  ...PAGE_PICTURE_ROUTES,
  ...PAGES_ROUTES,
  ...SEARCH_ROUTES,
  ...ASK_ROUTES,
  ...EVALUATE_ROUTES,
  ...EXTRACT_ROUTES,
  ...IMAGE_ROUTES,
  ...CORRECTION_ROUTES,
  ...JOB_ROUTES,
  ...PROJECT_ROUTES,
  ...WEBHOOK_ROUTES,
  ...VERIFY_ROUTES,
  ...SERVICE_ROUTES,
  ...METRICS_ROUTES,
  ...CONSOLE_ROUTES,
  ...DOCS_ROUTES,
]

/** Every endpoint, in the order of the API document. */
export const ROUTES: readonly Route[] = [...API_ROUTES, createMcpRoute(API_ROUTES)]
