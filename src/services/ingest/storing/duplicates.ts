import type { Kysely } from 'kysely'
import {
  filterIndexedBands,
  listDocumentsByHash,
  listDocumentsSharingBands,
} from '../../../database/memories/duplicates-table.ts'
import type { Tables } from '../../../database/schema.ts'
import { estimateJaccard, type Fingerprint, readSignature } from '../../../engine/similarity/fingerprint.ts'
import { shareOfEqual } from '../../../engine/similarity/min-hash.ts'

/** Documents with an estimated Jaccard similarity from here on are the same: our choice. */
const NEAR_DUPLICATE_JACCARD = 0.9
/**
 * Documents compared by signature; those that share a band are similar already, the first few
 * decide.
 */
const NEIGHBOURS_COMPARED = 50

/** What tells whether two texts are the same. */
type Comparable = Pick<Fingerprint, 'hash'> & { signature: { value: string; bands: readonly string[] } | null }

/**
 * The document of the memory that this text repeats; `null` when it is new there, or only in
 * documents that are being replaced.
 */
export async function findDuplicate(
  db: Kysely<Tables>,
  memoryId: string,
  { fingerprint, replaced = [] }: { fingerprint: Comparable; replaced?: readonly string[] },
): Promise<string | null> {
  const [stored = null] = await findStoredDuplicates(db, memoryId, { fingerprints: [fingerprint], replaced })
  return stored
}

/**
 * Of each text the document of the memory that it repeats; `null` where it is new there, or only in
 * documents that are being replaced. The database is asked once for every 200 hashes and every
 * 5,000 bands, and once for each text with a band that is known.
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

/**
 * The texts of a request, or of a job, that came before: what a text is held to beside what is
 * stored.
 */
type EarlierTexts = {
  /** The first of them that this text repeats; `null` when there is none. */
  find(fingerprint: Fingerprint): string | null
  add(id: string, fingerprint: Fingerprint): void
}

/**
 * None yet. Each text looks at those alone that may be the same, which among thousands of different
 * ones are none; held to all of them, 10,000 texts are 50 million pairs.
 */
export function createEarlierTexts(): EarlierTexts {
  const ids: string[] = []
  const signatures: (Uint32Array | null)[] = []
  const byHash = new Map<string, number>()
  /** Of each place of a band, those that have it there, the first to come first. */
  const byBand: Map<string, number[]>[] = []

  function isNear(signature: Uint32Array, place: number): boolean {
    const other = signatures[place] ?? null
    return other !== null && shareOfEqual(signature, other) >= NEAR_DUPLICATE_JACCARD
  }

  return {
    find({ hash, signature }) {
      const same = byHash.get(hash) ?? Number.POSITIVE_INFINITY
      // Signatures that are so near have one of their 16 bands in common, since at most 12 places
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

/** What rising lists hold, each number once and in order, as far as it is asked for. */
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
