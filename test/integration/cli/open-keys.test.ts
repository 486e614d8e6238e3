import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { backUp } from '../../../src/cli/installation/copy-data-folder.ts'
import { openKeys } from '../../../src/cli/installation/open-keys.ts'
import { migrateMetadata } from '../../../src/cli/installation/open-metadata.ts'
import { insertOrganization } from '../../../src/database/account/organizations-table.ts'
import { migrate } from '../../../src/database/migrations.ts'
import { openSqlite } from '../../../src/database/sqlite/open-sqlite.ts'
import { dataFolder } from '../../../src/files/data-folder.ts'
import { newId } from '../../../src/ids.ts'
import { createLog } from '../../../src/observability/log.ts'
import { createKeysService } from '../../../src/services/account/keys-service.ts'
import { asAnotherUser } from '../../support/as-another-user.ts'
import { NO_RESERVE } from '../database/temporary-store.ts'

const root = mkdtempSync(join(tmpdir(), 'recollect-cli-'))
const log = createLog({ level: 'silent', secrets: [], pretty: false })
const now = () => new Date()
const open = (dataDir: string) => openKeys({ environment: { RECOLLECT_DATA_DIR: dataDir }, log, now })

after(() => rmSync(root, { recursive: true, force: true }))

describe('migrating', () => {
  it('makes the tables, says so, and does nothing when repeated', async () => {
    const environment = { RECOLLECT_DATA_DIR: join(root, 'migrated') }
    const steps = await migrateMetadata({ environment, log })
    assert.equal(steps[0], '0001-tables')
    assert.deepEqual(await migrateMetadata({ environment, log }), [])
  })

  it('is refused with what to do where the folder cannot be one, or the database is damaged', async () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    const migrateIn = (dataDir: string) => migrateMetadata({ environment: { RECOLLECT_DATA_DIR: dataDir }, log })
    await assert.rejects(migrateIn(join(file, 'data')), /is not a folder .*set RECOLLECT_DATA_DIR to another/)
    const damaged = join(root, 'damaged')
    mkdirSync(damaged)
    writeFileSync(join(damaged, 'recollect.sqlite'), 'no database '.repeat(1000))
    await assert.rejects(migrateIn(damaged), /is damaged .*restore a backup/)
    await assert.rejects(open(damaged), /is damaged .*restore a backup/)
  })
})

describe('keys of the local data folder', () => {
  it('are refused, and nothing is made, where no service was ever started', async () => {
    const dataDir = join(root, 'nothing')
    await assert.rejects(open(dataDir), /There is no service in .*recollect serve/)
    assert.ok(!existsSync(dataDir))
  })

  it('are refused to any user other than that of the service, without revealing whether there are any', async () => {
    const dataDir = join(root, 'anothers')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0)
    const refusal = /This user may not read and write .*anothers\. Run this as the user who runs/
    await asAnotherUser(async () => {
      await assert.rejects(open(dataDir), refusal)
      await assert.rejects(backUp({ RECOLLECT_DATA_DIR: dataDir }, join(root, 'copy')), refusal)
    })
    chmodSync(dataDir, 0o700)
  })

  it('are refused where the first start has not come to an end', async () => {
    const dataDir = join(root, 'empty')
    const { database } = dataFolder(dataDir)
    await (await openSqlite({ path: database })).close()
    await assert.rejects(open(dataDir), /There is no service in/)
  })

  it('are created and revoked beside a running service, which notices immediately', async () => {
    const dataDir = join(root, 'running')
    const service = await openSqlite({ path: dataFolder(dataDir).database })
    await migrate(service)
    const organization = { id: newId('org'), name: 'Organization', plan: 'starter', created_at: now().toISOString() }
    await insertOrganization(service.db, organization)
    const running = createKeysService({ db: service.db, blobs: NO_RESERVE, now, log })

    const { keys, caller, close } = await open(dataDir)
    assert.deepEqual([caller.organizationId, caller.planId], [organization.id, 'starter'])
    const made = await keys.create(caller, { name: 'laptop', memoryIds: null, role: null, expiresAt: null })
    assert.equal((await running.authenticate(made.key))?.keyId, made.id)
    await keys.revoke(caller, made.id, { force: true })
    assert.equal(await running.authenticate(made.key), null)
    await close()
    await service.close()
  })
})
