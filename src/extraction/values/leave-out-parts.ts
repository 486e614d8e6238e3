import { findValues } from './find-values.ts'
import { createOverlaps } from './overlaps.ts'
import type { Conventions, FoundValue, ValueType } from './value.ts'

/** The values that share nothing with a value of other types in the text: the 800 of `0800 555 0133` is no number. */
export function leaveOutParts(
  values: readonly FoundValue[],
  text: string,
  { of, conventions }: { of: readonly ValueType[]; conventions: Conventions },
): FoundValue[] {
  if (values.length === 0) return []
  const isPart = createOverlaps(of.flatMap((type) => findValues(text, type, conventions)))
  return values.filter((value) => !isPart(value))
}
