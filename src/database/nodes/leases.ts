import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'

/** Work that one process at a time does, and which process asks. */
export type WorkLease = { name: string; owner: string }

/** Takes a piece of work, or keeps it, until `leaseMs` from now; `false` while another process has it. */
export async function takeLease(
  db: Kysely<Tables>,
  { name, owner, now, leaseMs }: WorkLease & { now: Date; leaseMs: number },
): Promise<boolean> {
  const expires_at = new Date(now.getTime() + leaseMs).toISOString()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('leases')
    .values({ name, owner, expires_at })
    .onConflict((held) =>
      held
        .column('name')
        .doUpdateSet({ owner, expires_at })
        .where((lease) =>
          lease.or([lease('leases.owner', '=', owner), lease('leases.expires_at', '<', now.toISOString())]),
        ),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Gives a piece of work back, if it is this process's. */
export async function dropLease(db: Kysely<Tables>, { name, owner }: WorkLease): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute()
}
