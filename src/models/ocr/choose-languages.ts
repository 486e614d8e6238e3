import { describeMissingLanguage, findCode } from './language-names.ts'

/**
 * Installed languages for the hints, in order, and a warning for each ignored hint; `fallback` if
 * none is left. A hint is the engine's name (`deu`), an ISO 639 code (`de`, `ger`), a tag (`de-AT`)
 * or an English name (`German`).
 */
export function chooseLanguages(
  hints: readonly string[],
  { installed, fallback }: { installed: readonly string[]; fallback: readonly string[] },
): { languages: string[]; warnings: string[] } {
  const chosen = new Set<string>()
  const warnings: string[] = []
  for (const hint of new Set(hints)) {
    const code = findInstalled(hint, installed)
    if (code !== null && chosen.size < MAX_LANGUAGES) chosen.add(code)
    else if (code === null) warnings.push(describeIgnored(hint, installed))
    else if (!chosen.has(code))
      warnings.push(`The language hint ${quote(hint)} is ignored: at most ${MAX_LANGUAGES} are used.`)
  }
  return { languages: chosen.size === 0 ? [...fallback] : [...chosen], warnings }
}

/** The installed language of a hint or ISO 639 code, by the engine's name; `null` without one. */
export function findInstalled(hint: string, installed: readonly string[]): string | null {
  return findCode(hint, (code) => installed.includes(code)) ?? null
}

/** Each language multiplies time and memory. */
export const MAX_LANGUAGES = 3
/** Maximum characters of a hint quoted in a warning. */
const MAX_QUOTED = 40

function describeIgnored(hint: string, installed: readonly string[]): string {
  const reason = describeMissingLanguage(hint) ?? `installed are ${installed.join(', ')}.`
  return `The language hint ${quote(hint)} is ignored: ${reason}`
}

function quote(hint: string): string {
  return JSON.stringify(hint.length > MAX_QUOTED ? `${hint.slice(0, MAX_QUOTED)}…` : hint)
}
