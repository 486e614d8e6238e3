import type { Kysely } from 'kysely'
import { estimateJaccard, type Fingerprint } from '../../../engine/similarity/fingerprint.ts'
import { listBandNeighbours, listDocumentsByHash, listKnownBands } from '../../../store/documents/duplicates.ts'
import type { Tables } from '../../../store/schema.ts'

/** Documents with an estimated Jaccard similarity from here on are the same: our choice. */
const NEAR_DUPLICATE_JACCARD = 0.9
/** Documents compared by signature; those that share a band are similar already, the first few decide. */
const NEIGHBOURS_COMPARED = 50

/** What tells whether two texts are the same. */
type Comparable = Pick<Fingerprint, 'hash'> & { signature: { value: string; bands: readonly string[] } | null }

/** A document that is being added beside the stored ones, in the same request. */
export type Fingerprinted = { id: string; fingerprint: Fingerprint }

/** The document of the memory, or of the same request, that this text repeats; `null` when it is new. */
export async function findDuplicate(
  db: Kysely<Tables>,
  memoryId: string,
  fingerprint: Comparable,
  earlier: readonly Fingerprinted[],
  replaced: readonly string[] = [],
): Promise<string | null> {
  const same = findEarlier(fingerprint, earlier)
  if (same !== null) return same
  const [stored = null] = await findStoredDuplicates(db, memoryId, [fingerprint], replaced)
  return stored
}

/** The document of the same request that this text repeats; `null` when there is none. */
export function findEarlier(fingerprint: Comparable, earlier: readonly Fingerprinted[]): string | null {
  return earlier.find((other) => isDuplicate(fingerprint, other.fingerprint))?.id ?? null
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

function isDuplicate(one: Comparable, other: Comparable): boolean {
  if (one.hash === other.hash) return true
  if (one.signature === null || other.signature === null) return false
  // Signatures that are so near have one of their 16 bands in common, since at most 12 places differ, which is told in a fraction of the time.
  const { bands } = other.signature
  if (!one.signature.bands.some((band, place) => band === bands[place])) return false
  return estimateJaccard(one.signature.value, other.signature.value) >= NEAR_DUPLICATE_JACCARD
}
