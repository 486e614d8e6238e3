import type { Setting } from '../../src/config/setting.ts'
import { SETTING_GROUPS } from '../../src/config/setting-groups.ts'
import { SETTINGS } from '../../src/config/settings.ts'

const HEAD = `# Settings of Recollect, each with its default. Printed by: npm run check -- --write
# To use it: cp .env.example .env, edit, then: set -a; . ./.env; set +a; npm start
# The shell reads this file: put values with a space or with & ; $ # in single quotes.`

/** `.env.example`: every usable setting, commented out, with the default. */
export function envExample(): string {
  const settings: Record<string, Setting<unknown>> = SETTINGS
  const groups = SETTING_GROUPS.map(({ title, names }) => {
    const entries = names.flatMap((name) => {
      const setting = settings[name]
      return setting === undefined || isForLater(setting) ? [] : [envEntry(name, setting)]
    })
    return entries.length === 0 ? [] : [`# --- ${title} ---`, ...entries]
  })
  return `${[HEAD, ...groups.flat()].join('\n\n')}\n`
}

function envEntry(name: string, setting: Setting<unknown>): string {
  const lines = [setting.meaning, `Allowed: ${setting.allowed}.`]
  if (setting.default === null) lines.push(`Default: ${setting.defaultMeaning ?? 'none'}.`)
  const comments = lines.map((line) => `# ${line.replaceAll('`', '')}`)
  return [...comments, `# ${name}=${setting.default ?? ''}`].join('\n')
}

/** True for a setting that this version reads but cannot use. */
function isForLater(setting: Setting<unknown>): boolean {
  return setting.allowed === 'nothing' || setting.meaning.startsWith('Not used yet')
}
