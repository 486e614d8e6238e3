import { ITEM_MARK } from '../../engine/markup.ts'
import { type Entry, trimSpan } from './entry.ts'
import type { Line } from './split-cells.ts'

const CAREER_TRUST = 0.85
const DAY = String.raw`(?:\p{L}{3,9}\.?\s|\d{1,2}[./])?(?:19|20)\d{2}`
const PRESENT_WORDS = "present|today|now|current|heute|présent|aujourd[’']hui|actualidad|presente|oggi|至今"
/**
 * `2019 – 2022`, `03/2019 – today`, `seit 2019`, with the mark of an item and of emphasis around.
 */
const SINCE = String.raw`(seit|since|depuis|desde|dal)\s${DAY}`
const DATE_RANGE = String.raw`(?:${DAY}\s?(?:[–—-]|to|bis|à|until)\s?(?:${DAY}|(${PRESENT_WORDS}))|${SINCE})`
const DATE_PREFIX = new RegExp(
  String.raw`^\s*(?:${ITEM_MARK}\s+)?[*_]{0,2}(?:${DATE_RANGE}|${DAY})[*_]{0,2}\s?:?[*_]{0,2}[,\s|]+(?=["“(]?\p{L})`,
  'iu',
)
const DATE_RANGE_PATTERN = new RegExp(DATE_RANGE, 'iu')
/** Separators between position and employer: `Engineer, Acme`, `Engineer at Acme`. */
const HALF_SEPARATOR = /,\s+|\s+(?:at|bei|chez)\s+|\s+[–—|]\s+|\s{2,}|\t/u
const MAX_HALF_CHARACTERS = 80
const EXPERIENCE = new RegExp(
  String.raw`^\W*(?:(?:work|professional|relevant)\s)?(?:experience|employment|career|work history|` +
    'berufserfahrung|beruflich|werdegang|berufspraxis|expérience|parcours|experiencia)',
  'iu',
)
const EDUCATION =
  /^\W*(?:education|studies|academic|ausbildung|studium|schul|bildung|formation|études|formación|estudios|educación)/iu
/**
 * Names of employers and schools. If only the first half matches, the order is employer before
 * position.
 */
const INSTITUTION = new RegExp(
  String.raw`(?<!\p{L})(?:Ltd|LLC|Inc|LLP|plc|Corp|GmbH|AG|KG|SARL|S\.A|S\.L|University|College|School|Institute|` +
    String.raw`Universität|Hochschule|Gymnasium|Université|École|Lycée|Universidad|Instituto)(?!\p{L})`,
  'u',
)

/** Labels of the two halves of a career entry, by section. */
const LABELS = {
  experience: {
    role: 'position',
    institution: 'employer',
    roleContext: 'job title role',
    institutionContext: 'company organisation',
  },
  education: {
    role: 'degree',
    institution: 'university',
    roleContext: 'qualification',
    institutionContext: 'school college institution',
  },
} as const

/**
 * Reads the entries of a CV. `2019 – 2022  Engineer, Acme` gives position and employer below an
 * experience heading, degree and university below an education heading.
 */
export function readCareer(text: string, lines: readonly Line[], section: string | null): Entry[] {
  let kind = getSectionKind(section?.split(' > ').at(-1) ?? '')
  return lines.flatMap((line): Entry[] => {
    const before = DATE_PREFIX.exec(line.text)
    if (before === null) {
      if (line.text.trim() !== '') kind = getSectionKind(line.text) ?? (isHeading(line.text) ? null : kind)
      return []
    }
    // A single year is valid for a degree only.
    const isStation = kind === 'education' || DATE_RANGE_PATTERN.test(before[0])
    return kind === null || !isStation ? [] : createCareerEntries(text, line, { kind, before: before[0] })
  })
}

function createCareerEntries(
  text: string,
  line: Line,
  { kind, before }: { kind: keyof typeof LABELS; before: string },
): Entry[] {
  const from = line.start + before.length
  const border = HALF_SEPARATOR.exec(text.slice(from, line.end))
  if (border === null) return []
  const second = from + border.index + border[0].length
  const next = HALF_SEPARATOR.exec(text.slice(second, line.end))
  const first = trimSpan(text, from, from + border.index)
  const last = trimSpan(text, second, next === null ? line.end : second + next.index)
  if (first === null || last === null || Math.max(first.text.length, last.text.length) > MAX_HALF_CHARACTERS) return []
  const isEmployerFirst = INSTITUTION.test(first.text) && !INSTITUTION.test(last.text)
  const [role, institution] = isEmployerFirst ? [last, first] : [first, last]
  const labels = LABELS[kind]
  const [, end, begin] = DATE_RANGE_PATTERN.exec(before) ?? []
  const isOpen = end !== undefined || begin !== undefined
  const years = `${before} ${isOpen ? 'current' : 'previous'}`
  return [
    {
      label: labels.role,
      contextLabel: `${labels.roleContext} ${years}`,
      ...role,
      blockEnd: role.end,
      trust: CAREER_TRUST,
    },
    {
      label: labels.institution,
      contextLabel: `${labels.institutionContext} ${years}`,
      ...institution,
      blockEnd: institution.end,
      trust: CAREER_TRUST,
    },
  ]
}

function getSectionKind(line: string): keyof typeof LABELS | null {
  if (EXPERIENCE.test(line)) return 'experience'
  return EDUCATION.test(line) ? 'education' : null
}

/** Any other heading ends the section. */
function isHeading(line: string): boolean {
  return /^\s*#|^[\p{Lu}\s&]{4,40}$/u.test(line)
}
