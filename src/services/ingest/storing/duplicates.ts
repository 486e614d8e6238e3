import type { Kysely } from 'kysely'
import {
  filterIndexedBands,
  listDocumentsByHash,
  listDocumentsSharingBands,
} from '../../../database/memories/duplicates-table.ts'
import type { Tables } from '../../../database/schema.ts'
import { estimateJaccard, type Fingerprint, readSignature } from '../../../engine/similarity/fingerprint.ts'
import { shareOfEqual } from '../../../engine/similarity/min-hash.ts'

/** Documents with at least this estimated Jaccard similarity are duplicates: our choice. */
const NEAR_DUPLICATE_JACCARD = 0.9
/**
 * Maximum documents compared by signature; documents that share a band are already similar, so the
 * first few decide.
 */
const NEIGHBOURS_COMPARED = 50

type Comparable = Pick<Fingerprint, 'hash'> & { signature: { value: string; bands: readonly string[] } | null }

/** The stored duplicate of a text, or `null`. Documents being replaced do not count. */
export async function findDuplicate(
  db: Kysely<Tables>,
  memoryId: string,
  { fingerprint, replaced = [] }: { fingerprint: Comparable; replaced?: readonly string[] },
): Promise<string | null> {
  const [stored = null] = await findStoredDuplicates(db, memoryId, { fingerprints: [fingerprint], replaced })
  return stored
}

/**
 * The stored duplicate of each text, or `null`. Documents being replaced do not count. Costs a
 * query per 200 hashes, a query per 5,000 bands, and a query per text with a known band.
 */
export async function findStoredDuplicates(
  db: Kysely<Tables>,
  memoryId: string,
  { fingerprints, replaced = [] }: { fingerprints: readonly Comparable[]; replaced?: readonly string[] },
): Promise<(string | null)[]> {
  const hashes = fingerprints.map(({ hash }) => hash)
  const byHash = await listDocumentsByHash(db, memoryId, { hashes, except: replaced })
  const others = fingerprints.filter(({ hash }) => !byHash.has(hash))
  const bands = others.flatMap(({ signature }) => signature?.bands ?? [])
  const known = await filterIndexedBands(db, memoryId, bands)
  const found: (string | null)[] = []
  for (const { hash, signature } of fingerprints) {
    const isNear = signature?.bands.some((band) => known.has(band)) ?? false
    found.push(
      byHash.get(hash) ??
        (signature !== null && isNear ? await findNear(db, memoryId, { signature, except: replaced }) : null),
    )
  }
  return found
}

async function findNear(
  db: Kysely<Tables>,
  memoryId: string,
  {
    signature: { value, bands },
    except,
  }: { signature: NonNullable<Comparable['signature']>; except: readonly string[] },
): Promise<string | null> {
  const near = await listDocumentsSharingBands(db, { memoryId, bands, limit: NEIGHBOURS_COMPARED, except })
  return near.find((other) => estimateJaccard(value, other.signature) >= NEAR_DUPLICATE_JACCARD)?.id ?? null
}

/** Earlier texts of the same request or job. */
export type EarlierTexts = {
  /** The first earlier duplicate of this text, or `null`. */
  find(fingerprint: Fingerprint): string | null
  add(id: string, fingerprint: Fingerprint): void
}

/**
 * Compares each text only with candidates that share a hash or a band: comparing all pairs of
 * 10,000 texts would be 50 million comparisons.
 */
export function createEarlierTexts(): EarlierTexts {
  const ids: string[] = []
  const signatures: (Uint32Array | null)[] = []
  const byHash = new Map<string, number>()
  /** Per band position: texts by band value, in order of arrival. */
  const byBand: Map<string, number[]>[] = []

  function isNear(signature: Uint32Array, place: number): boolean {
    const other = signatures[place] ?? null
    return other !== null && shareOfEqual(signature, other) >= NEAR_DUPLICATE_JACCARD
  }

  return {
    find({ hash, signature }) {
      const same = byHash.get(hash) ?? Number.POSITIVE_INFINITY
      // Near-duplicate signatures share at least one of their 16 bands, since at most 12 positions
      // differ.
      const lists = signature?.bands.map((band, place) => byBand[place]?.get(band) ?? []) ?? []
      const own = signature === null ? null : readSignature(signature.value)
      for (const place of mergeInOrder(lists)) {
        if (place >= same) break
        if (own !== null && isNear(own, place)) return ids[place] ?? null
      }
      return ids[same] ?? null
    },

    add(id, { hash, signature }) {
      const place = ids.push(id) - 1
      signatures.push(signature === null ? null : readSignature(signature.value))
      if (!byHash.has(hash)) byHash.set(hash, place)
      for (const [at, band] of signature?.bands.entries() ?? []) {
        byBand[at] ??= new Map()
        const sharing = byBand[at].get(band)
        if (sharing === undefined) byBand[at].set(band, [place])
        else sharing.push(place)
      }
    },
  }
}

/** Merges sorted lists lazily, without duplicates. */
function* mergeInOrder(lists: readonly (readonly number[])[]): Generator<number> {
  const places = lists.map(() => 0)
  for (;;) {
    const next = lists.reduce(
      (least, list, index) => Math.min(least, list[places[index] ?? 0] ?? Number.POSITIVE_INFINITY),
      Number.POSITIVE_INFINITY,
    )
    if (next === Number.POSITIVE_INFINITY) return
    for (const [index, list] of lists.entries()) {
      const at = places[index] ?? 0
      if (list[at] === next) places[index] = at + 1
    }
    yield next
  }
}
