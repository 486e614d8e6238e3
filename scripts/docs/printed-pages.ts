import { readVersion } from '../../src/config/version.ts'
import { openapiDocument } from '../../src/http/openapi-document.ts'
import { clientTypes, schemaTypes } from './client-types.ts'
import { commandLinePage } from './command-line-page.ts'
import { configurationPage } from './configuration-page.ts'
import { envExample } from './env-example.ts'
import { errorsPage } from './errors-page.ts'
import { licencesPage } from './licences-page.ts'
import { limitsPage } from './limits-page.ts'
import { pythonClient, pythonMethods } from './python-client.ts'
import { wasmModule } from './wasm-module.ts'

const PYTHON = 'clients/python/src/recollect_client'

/** Every page printed from the source, by path in the project. */
export function printedPages(): Record<string, string> {
  const document = openapiDocument({ version: readVersion() })
  const client = Object.entries(clientTypes(document)).map(([name, text]) => [`src/client/${name}`, text])
  const python = Object.entries(pythonClient(document)).map(([name, text]) => [`${PYTHON}/${name}`, text])
  const types = Object.entries(schemaTypes(document)).map(([name, text]) => [`test/spec/${name}`, text] as const)
  return {
    '.env.example': envExample(),
    'docs/command-line.md': commandLinePage(),
    'docs/configuration.md': configurationPage(),
    'docs/errors.md': errorsPage(),
    'docs/licences.md': licencesPage(),
    'docs/limits.md': limitsPage(),
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'src/engine/ranking/kernels-module.ts': wasmModule('src/engine/ranking/kernels.wat', 'RANKING_KERNELS_MODULE'),
    'src/memory-file/in-memory/vector-dots-module.ts': wasmModule(
      'src/memory-file/in-memory/vector-dots.wat',
      'VECTOR_DOTS_MODULE',
    ),
    'src/models/local/static-table-module.ts': wasmModule('src/models/local/static-table.wat', 'STATIC_TABLE_MODULE'),
    ...Object.fromEntries(types),
    ...Object.fromEntries(client),
    ...Object.fromEntries(python),
    'src/web/python-methods.ts': pythonMethods(document),
  }
}
