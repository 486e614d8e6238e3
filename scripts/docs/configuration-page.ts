import type { Setting } from '../../src/config/setting.ts'
import { SETTING_GROUPS, SETTINGS } from '../../src/config/settings.ts'

const HEAD = `<!-- Printed from src/config/settings.ts by: npm run docs -->

# Settings

Recollect is set by environment variables, read once when it starts. Nothing has to be set. An empty value counts as
absent. A wrong value or an unknown \`RECOLLECT_\` name stops the start with a message that names all of them and says
what is allowed; the exit status is then 78.
`

/** `docs/configuration.md`: every setting with its default, what is allowed and what it means. */
export function configurationPage(): string {
  const settings: Record<string, Setting<unknown>> = SETTINGS
  const groups = SETTING_GROUPS.map(({ title, names }) => {
    const rows = names.map((name) => row(name, settings[name]))
    return `\n## ${title}\n\n| setting | default | allowed | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return HEAD + groups.join('')
}

function row(name: string, setting: Setting<unknown> | undefined): string {
  if (setting === undefined) throw new Error(`${name} stands under a heading but is not a setting`)
  const byDefault = setting.defaultMeaning ?? (setting.default === null ? 'none' : `\`${setting.default}\``)
  const cells = [`\`${name}\``, byDefault, setting.allowed, setting.meaning]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
