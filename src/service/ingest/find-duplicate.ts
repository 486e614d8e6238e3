import type { Kysely } from 'kysely'
import { estimateJaccard, type Fingerprint } from '../../engine/similarity/fingerprint.ts'
import { findDocumentByHash, listBandNeighbours } from '../../store/documents/duplicates.ts'
import type { Tables } from '../../store/schema.ts'

/** Documents with an estimated Jaccard similarity from here on are the same (issue of record: docs/decisions). */
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
): Promise<string | null> {
  const same = earlier.find((other) => isDuplicate(fingerprint, other.fingerprint))
  if (same) return same.id
  const byHash = await findDocumentByHash(db, memoryId, fingerprint.hash)
  if (byHash !== null || fingerprint.signature === null) return byHash
  const { value, bands } = fingerprint.signature
  const near = await listBandNeighbours(db, { memoryId, bands, limit: NEIGHBOURS_COMPARED })
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
