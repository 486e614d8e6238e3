import type { Kysely } from 'kysely'
import { listBandNeighbours, listDocumentsByHash, listKnownBands } from '../../../database/documents/duplicates.ts'
import type { Tables } from '../../../database/schema.ts'
import { estimateJaccard, type Fingerprint } from '../../../engine/similarity/fingerprint.ts'

/** Documents with an estimated Jaccard similarity from here on are the same: our choice. */
export const NEAR_DUPLICATE_JACCARD = 0.9
/** Documents compared by signature; those that share a band are similar already, the first few decide. */
const NEIGHBOURS_COMPARED = 50

/** What tells whether two texts are the same. */
type Comparable = Pick<Fingerprint, 'hash'> & { signature: { value: string; bands: readonly string[] } | null }

/** The document of the memory that this text repeats; `null` when it is new there, or only in documents that are being replaced. */
export async function findDuplicate(
  db: Kysely<Tables>,
  memoryId: string,
  fingerprint: Comparable,
  replaced: readonly string[] = [],
): Promise<string | null> {
  const [stored = null] = await findStoredDuplicates(db, memoryId, [fingerprint], replaced)
  return stored
}

/**
 * Of each text the document of the memory that it repeats; `null` where it is new there, or only in documents that are being replaced. The database is asked once for every 200 hashes and every 5,000
 * bands, and once for each text with a band that is known.
 */
export async function findStoredDuplicates(
  db: Kysely<Tables>,
  memoryId: string,
  fingerprints: readonly Comparable[],
  replaced: readonly string[] = [],
): Promise<(string | null)[]> {
  const hashes = fingerprints.map(({ hash }) => hash)
  const byHash = await listDocumentsByHash(db, memoryId, hashes, replaced)
  const others = fingerprints.filter(({ hash }) => !byHash.has(hash))
  const bands = others.flatMap(({ signature }) => signature?.bands ?? [])
  const known = await listKnownBands(db, memoryId, bands)
  const found: (string | null)[] = []
  for (const { hash, signature } of fingerprints) {
    const isNear = signature?.bands.some((band) => known.has(band)) ?? false
    found.push(
      byHash.get(hash) ?? (signature !== null && isNear ? await findNear(db, memoryId, signature, replaced) : null),
    )
  }
  return found
}

async function findNear(
  db: Kysely<Tables>,
  memoryId: string,
  { value, bands }: NonNullable<Comparable['signature']>,
  except: readonly string[],
): Promise<string | null> {
  const near = await listBandNeighbours(db, { memoryId, bands, limit: NEIGHBOURS_COMPARED, except })
  return near.find((other) => estimateJaccard(value, other.signature) >= NEAR_DUPLICATE_JACCARD)?.id ?? null
}
