import type { Migration } from './migration.ts'

/** The attempts at jobs that may still write, and the job that a removal has to wait for. */
export const jobRuns: Migration = {
  name: '0012-job-runs',
  statements: (dialect) => {
    const text = dialect === 'sqlite' ? 'text' : 'text collate "C"'
    return [
      `create table job_runs (
        id ${text} not null primary key,
        job_id ${text} not null,
        memory_id ${text} not null,
        owner ${text} not null)`,
      'create index job_runs_by_job on job_runs (job_id)',
      `alter table removals add column job_id ${text}`,
      'create index removals_by_job on removals (job_id) where job_id is not null',
    ]
  },
}
