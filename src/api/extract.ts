/** Request and response of extract (contract, "extract"). */
import { type Static, Type } from 'typebox'
import { EXTRACTION } from '../limits.ts'
import { FilterOptions } from './document.ts'
import { IDS } from './example-data.ts'
import { NON_BLANK } from './fields.ts'
import { PASSAGE_FIELDS } from './search.ts'
import { Count, Flag, List, Nullable, Share, Text, WarningsSchema } from './values.ts'

const NAME = { ...NON_BLANK, maxLength: EXTRACTION.nameCharacters }

/** Request body of extract. The service checks that ids and keys are unique. */
export const ExtractBody = Type.Object({
  sections: Type.Array(
    Type.Object({
      id: Type.String({ ...NAME, description: 'Identifier of the section, unique within the request.' }),
      name: Type.String({ ...NAME, description: 'Display name of the section.' }),
      fields: Type.Array(
        Type.Object({
          key: Type.String({ ...NAME, description: 'Identifier of the field, unique within the section.' }),
          label: Type.String({ ...NAME, description: 'Label to search for.' }),
          data_type: Type.Optional(
            Type.String({
              maxLength: EXTRACTION.nameCharacters,
              description:
                'Type of the value: date, currency, number, integer, percent, boolean, email, phone, url or list. ' +
                'Any other type is treated as a string.',
            }),
          ),
        }),
        { maxItems: EXTRACTION.fieldsPerSection, description: 'Fields of the section.' },
      ),
    }),
    {
      minItems: 1,
      maxItems: EXTRACTION.sections,
      description: `Sections to extract, with at most ${EXTRACTION.fields} fields in total.`,
    },
  ),
  context: Type.Optional(
    Type.String({
      maxLength: EXTRACTION.contextCharacters,
      description: 'Description of the documents, in free text.',
    }),
  ),
  options: Type.Optional(FilterOptions),
})

const VALUE = Type.Union(
  [
    Type.String(),
    Type.Number(),
    Type.Boolean(),
    Type.Array(Type.String()),
    Type.Object({
      amount: Type.Number({ description: 'Amount, in units of the currency.' }),
      currency: Nullable(Type.String(), 'Currency code (ISO 4217). Null if unknown.'),
    }),
    Type.Null(),
  ],
  {
    description: 'Value in the requested type. Dates are ISO 8601, amounts have a currency. Null if nothing was found.',
  },
)

const FieldSourceSchema = Type.Object(
  {
    documentId: PASSAGE_FIELDS.documentId,
    chunkId: PASSAGE_FIELDS.chunkId,
    title: PASSAGE_FIELDS.title,
    page: Nullable(
      Type.Integer({ minimum: 0 }),
      'Page of the value, starting at 1. Null if the document has no pages.',
    ),
    snippet: Text('Text around the value, HTML-escaped.'),
    startOffset: Count('Start of the raw value in the extracted text, in UTF-16 code units.'),
    endOffset: Count('End of the raw value in the extracted text, in UTF-16 code units.'),
  },
  { $id: 'FieldSource', description: 'Location of a value in a document.' },
)

/** Location of a value in a document. */
export type FieldSource = Static<typeof FieldSourceSchema>

const ExtractedFieldSchema = Type.Object(
  {
    key: Text('Identifier of the field.'),
    label: Text('Label from the request.'),
    data_type: Nullable(Type.String(), 'Type from the request. Null if none was given.'),
    found: Flag('True if a value was found.'),
    value: VALUE,
    rawValue: Nullable(Type.String(), 'Value as written in the document. Null if nothing was found.'),
    confidence: Share('Confidence in the value, from 0 to 1. 0 if nothing was found.'),
    sources: List(FieldSourceSchema, 'Locations of the value. Empty if nothing was found.'),
  },
  { $id: 'ExtractedField', description: 'An extracted field.' },
)

/**
 * Extracted field. If nothing was found, `value` and `rawValue` are `null`, `confidence` is 0 and
 * `sources` is empty.
 */
export type ExtractedField = Static<typeof ExtractedFieldSchema>

/** Response of extract. */
export const ExtractAnswerSchema = Type.Object(
  {
    memoryId: Text('Memory that was searched.'),
    values: Type.Record(Type.String(), Type.Record(Type.String(), VALUE), {
      description: 'Values by section id and field key.',
    }),
    sections: List(
      Type.Object({
        id: Text('Identifier of the section.'),
        name: Text('Name of the section.'),
        fields: List(ExtractedFieldSchema, 'Fields of the section, in request order.'),
      }),
      'Sections, in request order.',
    ),
    fieldsTotal: Count('Number of requested fields.'),
    fieldsFound: Count('Number of fields with a value.'),
    model: Text('Model that extracted the fields. `extractive` if rules extracted all of them.'),
    warnings: WarningsSchema,
  },
  { $id: 'ExtractAnswer', description: 'Values extracted from a memory.' },
)

/** Values extracted from a memory. */
export type ExtractAnswer = Static<typeof ExtractAnswerSchema>

/** Example request for an invoice. */
const EXTRACT_BODY_EXAMPLE: Static<typeof ExtractBody> = {
  sections: [{ id: 'invoice', name: 'Invoice', fields: [{ key: 'date', label: 'Invoice date', data_type: 'date' }] }],
  context: 'Invoices of suppliers',
}

/** Example response. */
const EXTRACT_EXAMPLE: ExtractAnswer = {
  memoryId: IDS.memory,
  values: { invoice: { date: '2026-03-01' } },
  sections: [
    {
      id: 'invoice',
      name: 'Invoice',
      fields: [
        {
          key: 'date',
          label: 'Invoice date',
          data_type: 'date',
          found: true,
          value: '2026-03-01',
          rawValue: '1 March 2026',
          confidence: 0.99,
          sources: [
            {
              documentId: IDS.scan,
              chunkId: `${IDS.scan}.0`,
              title: 'invoice',
              page: 1,
              snippet: 'Invoice date: 1 March 2026',
              startOffset: 39,
              endOffset: 51,
            },
          ],
        },
      ],
    },
  ],
  fieldsTotal: 1,
  fieldsFound: 1,
  model: 'extractive',
  warnings: [],
}

/** Examples of an extraction. */
export const EXTRACT_EXAMPLES = { body: EXTRACT_BODY_EXAMPLE, answer: EXTRACT_EXAMPLE }
