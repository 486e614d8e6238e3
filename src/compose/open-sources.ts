import type { Config } from '../config.ts'
import type { DocumentFilters } from '../services/filters/document-filters.ts'
import type { IngestService } from '../services/ingest/ingest.ts'
import { createSecretBox, type SecretBox } from '../services/sources/encrypt-secret.ts'
import { createSourceRunner, type ReadSource, type SourceRunner } from '../services/sources/source-runner.ts'
import { readSettings } from '../services/sources/source-settings.ts'
import { createSourcesService, type SourcesService } from '../services/sources/sources-service.ts'
import { findInstallationSecret } from './installation-secret.ts'
import type { SharedDeps } from './open-parts.ts'

/** Management and runs of sources. */
export type Sources = { service: SourcesService; runner: SourceRunner }

/** Creates the sources; nothing runs before the runner starts. */
export function openSources(
  config: Config,
  deps: SharedDeps & { ingest: IngestService; filters: DocumentFilters },
): Sources {
  const { folders } = config.sources
  const secrets = openSecretBox(config)
  const { temporaryDirectory, pages } = deps
  // The parts of a crawler and of S3 would slow down every start.
  const read: ReadSource = async (source, run) => {
    const { type, settings } = readSettings(source)
    if (type === 'folder') {
      const { readFolder } = await import('../services/sources/read-folder.ts')
      return readFolder({ folders, temporaryDirectory }, settings, run)
    }
    if (type === 'website') {
      const { readWebsite } = await import('../services/sources/read-website.ts')
      return readWebsite({ pages, temporaryDirectory }, { source, settings }, run)
    }
    const { readBucket } = await import('../services/sources/read-bucket.ts')
    return readBucket({ secrets, openAgents: pages.openAgents, temporaryDirectory }, { source, settings }, run)
  }
  return {
    service: createSourcesService({ ...deps, secrets, folders }),
    runner: createSourceRunner({ ...deps, read, isOnly: !config.hasPeers }),
  }
}

/** `null` if there is no secret of the installation. */
function openSecretBox(config: Config): SecretBox | null {
  const findSecret = findInstallationSecret(config)
  if (findSecret === null) return null
  let box: SecretBox | null = null
  const open = () => {
    box ??= createSecretBox(findSecret())
    return box
  }
  return { seal: (...given) => open().seal(...given), open: (...given) => open().open(...given) }
}
