import type { Migration } from './migration.ts'

/** How far work has come that is done once for all there is, as after an update. */
export const marks: Migration = {
  name: '0014-marks',
  statements: (dialect) => {
    const text = dialect === 'sqlite' ? 'text' : 'text collate "C"'
    return [`create table marks (name ${text} not null primary key, version integer not null, reached ${text})`]
  },
}
