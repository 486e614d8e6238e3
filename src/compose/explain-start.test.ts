import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { explainStart } from './explain-start.ts'

const settings = { http: { host: '10.0.0.1', port: 80 }, dataDir: '/data', database: null } as Parameters<
  typeof explainStart
>[1]

type Facts = { code?: string; syscall?: string; path?: string; hostname?: string; errcode?: number }

function explained(facts: Facts, dataDir = settings.dataDir): string {
  return explainStart(Object.assign(new Error('said by the system'), facts), { ...settings, dataDir })
}

test('what the system refuses at the start is said in one sentence that names the setting or the file', () => {
  const cases: readonly [Facts, RegExp][] = [
    [{ code: 'EADDRINUSE', syscall: 'listen' }, /^port 80 of 10\.0\.0\.1 is taken; set RECOLLECT_PORT/],
    [{ code: 'EADDRNOTAVAIL', syscall: 'listen' }, /^this machine has no address 10\.0\.0\.1; set RECOLLECT_HOST/],
    [
      { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: '10.0.0.1' },
      /^no address is known for 10\.0\.0\.1; set RECOLLECT_HOST/,
    ],
    [{ code: 'EACCES', syscall: 'listen' }, /^this user may not listen on port 80; set RECOLLECT_PORT to 1024 or more/],
    [
      { code: 'EACCES', syscall: 'mkdir', path: '/data/tmp' },
      /^this user may not write \/data\/tmp; give it .* RECOLLECT_DATA_DIR/,
    ],
    [{ code: 'EROFS', syscall: 'access', path: '/data' }, /^the disk of \/data is mounted to be read only; mount it/],
    [{ code: 'EEXIST', syscall: 'mkdir', path: '/data' }, /^\/data is not a folder .*; set RECOLLECT_DATA_DIR/],
    [{ code: 'EISDIR', path: '/data/recollect.sqlite' }, /^\/data\/recollect\.sqlite is a folder, and must be a file/],
    [{ code: 'ENOSPC' }, /^the disk is full; make room and start it again \(data folder: \/data\)\.$/],
    [{ errcode: 26 }, /^the database in \/data is damaged \(said by the system\); restore a backup/],
    [{ errcode: 14 }, /^this user may not write the database in \/data \(said by the system\); give the folder/],
    [{}, /^said by the system \(data folder: \/data\)$/],
  ]
  for (const [facts, sentence] of cases) assert.match(explained(facts), sentence)
})

test('a folder above the data folder is told as one of its own', () => {
  const facts = { code: 'ENOENT', syscall: 'mkdir', path: '/proc/x' }
  assert.match(explained(facts, '/proc/x/data'), /^\/proc\/x is not a folder and cannot be created/)
  assert.match(explained({ ...facts, path: '/' }, '/data'), /^\/ is not a folder and cannot be created/)
  assert.match(explained({ ...facts, path: '/data/..x' }), /^\/data\/\.\.x is not a folder and cannot be created/)
})

test('what is neither the address nor the data folder is said as the system says it', () => {
  const cases: readonly Facts[] = [
    { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'database.example' },
    { code: 'EADDRNOTAVAIL', syscall: 'connect' },
    { code: 'EACCES', syscall: 'connect' },
    { code: 'ENOENT', syscall: 'open', path: '/models/model.onnx' },
    { code: 'EACCES', syscall: 'open', path: '/data-of-another/model.onnx' },
    { code: 'ENOENT', syscall: 'open', path: 'model.onnx' },
  ]
  for (const facts of cases) assert.equal(explained(facts), 'said by the system (data folder: /data)')
})

test('the data folder is not named where the database is elsewhere', () => {
  const database = { url: 'postgres://db/recollect', maxConnections: 2 }
  const error = new Error('The database in RECOLLECT_DATABASE_URL is not available: no route.')
  assert.equal(explainStart(error, { ...settings, database }), error.message)
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  assert.equal(explainStart(full, { ...settings, database }), 'the disk is full; make room and start it again.')
})

test('what a layer has made an error of the API of is told by its cause', () => {
  const cause = Object.assign(new Error('file is not a database'), { errcode: 26 })
  assert.match(explainStart(new ApiError('service_unavailable', { cause }), settings), /is damaged \(file is not/)
  const unread = Object.assign(new Error('disk I/O error'), { errcode: 266 })
  const error = new ApiError('data_damaged', { cause: unread })
  assert.match(
    explainStart(error, settings),
    /^the database in \/data is damaged \(disk I\/O error\); restore a backup/,
  )
  const database = { url: 'postgres://db/recollect', maxConnections: 2 }
  const elsewhere = 'the database is damaged (disk I/O error); restore it from a backup.'
  assert.equal(explainStart(error, { ...settings, database }), elsewhere)
  assert.match(explainStart(new ApiError('insufficient_storage', { cause }), settings), /^the disk is full/)
})
