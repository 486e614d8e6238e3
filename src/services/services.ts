import type { AccountService } from './account/account-service.ts'
import type { KeysService } from './account/keys-service.ts'
import type { OrganizationsService } from './account/organizations-service.ts'
import type { ProjectsService } from './account/projects-service.ts'
import type { UsageService } from './account/usage-service.ts'
import type { ArchiveService } from './archive/archive-service.ts'
import type { AskService } from './ask/ask-service.ts'
import type { CorrectionChangesService } from './corrections/change-correction.ts'
import type { CorrectionsService } from './corrections/corrections-service.ts'
import type { VerifyService } from './doctor/verify-service.ts'
import type { DocumentChangesService } from './documents/change-document.ts'
import type { ChunksService } from './documents/chunks-service.ts'
import type { DocumentsService } from './documents/documents-service.ts'
import type { PagePicturesService } from './documents/page-pictures-service.ts'
import type { ExtractService } from './extract/extract-service.ts'
import type { HealthService } from './health/health-service.ts'
import type { MetricsService } from './health/metrics-service.ts'
import type { IngestService } from './ingest/ingest.ts'
import type { JobsService } from './jobs/jobs-service.ts'
import type { MemoriesService } from './memories/memories-service.ts'
import type { ReembedService } from './memories/reembed-service.ts'
import type { IdempotencyService } from './nodes/idempotency-service.ts'
import type { EvaluateService } from './search/evaluate-service.ts'
import type { SearchService } from './search/search.ts'
import type { SourcesService } from './sources/sources-service.ts'
import type { WebhooksService } from './webhooks/webhooks-service.ts'

/**
 * The services for routes, worker and command line. Functions take the caller first and restrict
 * their queries to the caller's organization. They reject with `ApiError` and return API resources:
 * flat, camelCase, `null` for absent values (contract, "Answers, endpoint by endpoint").
 */
export type Services = {
  account: AccountService
  archive: ArchiveService
  ask: AskService
  chunks: ChunksService
  correctionChanges: CorrectionChangesService
  corrections: CorrectionsService
  documents: DocumentsService
  documentChanges: DocumentChangesService
  evaluate: EvaluateService
  extract: ExtractService
  health: HealthService
  idempotency: IdempotencyService
  ingest: IngestService
  jobs: JobsService
  keys: KeysService
  memories: MemoriesService
  metrics: MetricsService
  organizations: OrganizationsService
  pagePictures: PagePicturesService
  projects: ProjectsService
  reembed: ReembedService
  search: SearchService
  sources: SourcesService
  usage: UsageService
  verify: VerifyService
  webhooks: WebhooksService
}
