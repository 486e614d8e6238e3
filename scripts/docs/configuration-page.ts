import type { Setting } from '../../src/config/setting.ts'
import { SETTING_GROUPS } from '../../src/config/setting-groups.ts'
import { SETTINGS } from '../../src/config/settings.ts'

const HEAD = `<!-- Printed from src/config/settings.ts by: npm run check -- --write -->

# Configuration

Configure Recollect with environment variables: port, data folder, authentication, database, models and more. All settings are optional and are
read once at the start. An empty value counts as unset. If a value is invalid or a \`RECOLLECT_\` name is unknown, the service does not
start: the message lists each of them with the allowed values, and the exit status is 78.
`

/** `docs/configuration.md`: every setting with default, allowed values and meaning. */
export function configurationPage(): string {
  const settings: Record<string, Setting<unknown>> = SETTINGS
  const groups = SETTING_GROUPS.map(({ title, names }) => {
    const rows = names.map((name) => row(name, settings[name]))
    return `\n## ${title}\n\n| setting | default | allowed | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return HEAD + groups.join('')
}

function row(name: string, setting: Setting<unknown> | undefined): string {
  if (setting === undefined) throw new Error(`${name} is listed under a heading but is not a setting`)
  const byDefault = setting.defaultMeaning ?? (setting.default === null ? 'none' : `\`${setting.default}\``)
  const cells = [`\`${name}\``, byDefault, setting.allowed, setting.meaning]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
