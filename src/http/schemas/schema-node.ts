/** The part of JSON Schema that the routes' schemas use, as the reader of values and the describer of schemas see it. */
export type SchemaNode = {
  $id?: string
  type?: string
  description?: string
  properties?: Readonly<Record<string, SchemaNode>>
  required?: readonly string[]
  patternProperties?: Readonly<Record<string, SchemaNode>>
  maxProperties?: number
  /** Of the names of a record's fields; their length alone is looked at. */
  propertyNames?: { maxLength: number }
  items?: SchemaNode
  minItems?: number
  maxItems?: number
  enum?: readonly (string | number | null)[]
  const?: string | number | boolean
  anyOf?: readonly SchemaNode[]
  minLength?: number
  maxLength?: number
  /** Has to occur in the string. */
  pattern?: string
  /** Of a string that has to have a form, which the first of them shows. */
  examples?: readonly string[]
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}
