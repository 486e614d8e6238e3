import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Config } from '../config.ts'
import { dataFolder } from '../files/data-folder.ts'
import type { DocumentFilters } from '../services/filters/document-filters.ts'
import type { IngestService } from '../services/ingest/ingest.ts'
import { createSecretBox, type SecretBox } from '../services/sources/encrypt-secret.ts'
import { createSourceRunner, type ReadSource, type SourceRunner } from '../services/sources/source-runner.ts'
import { readSettings } from '../services/sources/source-settings.ts'
import { createSourcesService, type SourcesService } from '../services/sources/sources-service.ts'
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

/** `null` if several processes could share the database, but no key is set for them. */
function openSecretBox({ sources: { secretsKey }, database, dataDir }: Config): SecretBox | null {
  if (secretsKey !== null) return createSecretBox(secretsKey)
  if (database !== null) return null
  let box: SecretBox | null = null
  const open = () => {
    box ??= createSecretBox(readOrMakeKey(dataFolder(dataDir).secretsKey))
    return box
  }
  return { seal: (...given) => open().seal(...given), open: (...given) => open().open(...given) }
}

const KEY_BYTES = 32

/** The process has locked the data folder, so no other process creates the file. */
function readOrMakeKey(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const key = randomBytes(KEY_BYTES).toString('base64')
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, key)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return key
}
