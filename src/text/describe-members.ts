/** Result for a member, as in a response of the API. */
type MemberResult = { filename: string; status: string; message: string | null }

/** Further members are counted only: a line of a terminal holds a few. */
const MAX_NAMED = 5

/**
 * Describes the members of a ZIP archive that were not added, with the reasons; `null` if all were.
 * Folders, empty files and files of the operating system are not documents and do not count.
 */
export function describeMembers(members: readonly MemberResult[] = []): string | null {
  const left = members.filter(({ status }) => status === 'unsupported' || status === 'failed')
  if (left.length === 0) return null
  const named = left.slice(0, MAX_NAMED).map(({ filename, message }) => `${filename}: ${message ?? 'not added.'}`)
  const others = left.length - named.length
  const rest = others > 0 ? [`${others} more.`] : []
  return [`${left.length} of ${members.length} members were not added.`, ...named, ...rest].join(' ')
}
