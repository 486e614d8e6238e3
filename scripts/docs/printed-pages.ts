import { openapiDocument } from '../../src/http/openapi.ts'
import { readVersion } from '../../src/version.ts'
import { configurationPage } from './configuration-page.ts'
import { envExample } from './env-example.ts'
import { errorsPage } from './errors-page.ts'

/** Every page that is printed from the source, by its path in the project. */
export function printedPages(): Record<string, string> {
  return {
    '.env.example': envExample(),
    'docs/configuration.md': configurationPage(),
    'docs/errors.md': errorsPage(),
    'openapi.json': `${JSON.stringify(openapiDocument({ version: readVersion() }), null, 2)}\n`,
  }
}
