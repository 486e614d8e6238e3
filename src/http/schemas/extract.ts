import { Type } from 'typebox'
import { EXTRACTION } from '../../limits.ts'
import { SOMETHING } from '../../services/field-schemas.ts'
import { Count, Nullable, WarningSchema } from './values.ts'

const NAME = Type.String({ ...SOMETHING, maxLength: EXTRACTION.nameCharacters })

/** The body of extract. Ids and keys are unique; the service says which is not. */
export const ExtractBody = Type.Object({
  sections: Type.Array(
    Type.Object({
      id: NAME,
      name: NAME,
      fields: Type.Array(
        Type.Object({
          key: NAME,
          label: Type.String({ ...NAME, description: 'What is searched for.' }),
          data_type: Type.Optional(
            Type.String({
              maxLength: EXTRACTION.nameCharacters,
              description:
                'date, currency, number, integer, percent, boolean, email, phone, url or list; anything else is a string.',
            }),
          ),
        }),
        { maxItems: EXTRACTION.fieldsPerSection },
      ),
    }),
    { minItems: 1, maxItems: EXTRACTION.sections },
  ),
  context: Type.Optional(
    Type.String({ maxLength: EXTRACTION.contextCharacters, description: 'What the material is, in free text.' }),
  ),
})

const VALUE = Type.Union(
  [
    Type.String(),
    Type.Number(),
    Type.Boolean(),
    Type.Array(Type.String()),
    Type.Object({ amount: Type.Number(), currency: Nullable(Type.String({ description: 'ISO 4217.' })) }),
    Type.Null(),
  ],
  { description: 'A date is ISO 8601, an amount of money has its currency; null where nothing was found.' },
)

const FieldSourceSchema = Type.Object(
  {
    documentId: Type.String(),
    chunkId: Type.String(),
    title: Type.String(),
    page: Nullable(Count),
    snippet: Type.String({ description: 'HTML-escaped.' }),
    startOffset: Count,
    endOffset: Count,
  },
  { $id: 'FieldSource' },
)

const ExtractedFieldSchema = Type.Object(
  {
    key: Type.String(),
    label: Type.String(),
    data_type: Nullable(Type.String()),
    found: Type.Boolean(),
    value: VALUE,
    rawValue: Nullable(Type.String({ description: 'The value as the document writes it.' })),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    sources: Type.Array(FieldSourceSchema),
  },
  { $id: 'ExtractedField' },
)

/** The answer of extract. */
export const ExtractAnswerSchema = Type.Object(
  {
    memoryId: Type.String(),
    values: Type.Record(Type.String(), Type.Record(Type.String(), VALUE)),
    sections: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), fields: Type.Array(ExtractedFieldSchema) }),
    ),
    fieldsTotal: Count,
    fieldsFound: Count,
    model: Type.String(),
    warnings: Type.Array(WarningSchema),
  },
  { $id: 'ExtractAnswer' },
)
