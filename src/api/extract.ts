/** What extraction is asked and answers (contract, "extract"). */
import { type Static, Type } from 'typebox'
import { EXTRACTION } from '../limits.ts'
import { SOMETHING } from './fields.ts'
import { PASSAGE_FIELDS } from './search.ts'
import { IDS } from './story.ts'
import { Count, Flag, List, Nullable, Share, Text, WarningsSchema } from './values.ts'

const NAME = { ...SOMETHING, maxLength: EXTRACTION.nameCharacters }

/** The body of extract. Ids and keys are unique; the service says which is not. */
export const ExtractBody = Type.Object({
  sections: Type.Array(
    Type.Object({
      id: Type.String({ ...NAME, description: 'The identifier of the section, which no other section has.' }),
      name: Type.String({ ...NAME, description: 'The name of the section, for people.' }),
      fields: Type.Array(
        Type.Object({
          key: Type.String({ ...NAME, description: 'The identifier of the field, which no other of its section has.' }),
          label: Type.String({ ...NAME, description: 'What is searched for.' }),
          data_type: Type.Optional(
            Type.String({
              maxLength: EXTRACTION.nameCharacters,
              description:
                'The type of the value: date, currency, number, integer, percent, boolean, email, phone, url or ' +
                'list; anything else is a string.',
            }),
          ),
        }),
        { maxItems: EXTRACTION.fieldsPerSection, description: 'The fields of the section.' },
      ),
    }),
    {
      minItems: 1,
      maxItems: EXTRACTION.sections,
      description: `What is to be read, section by section; at most ${EXTRACTION.fields} fields in all.`,
    },
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
    Type.Object({
      amount: Type.Number({ description: 'The amount of money, in units of the currency.' }),
      currency: Nullable(Type.String(), 'The currency by ISO 4217; null where it is not known.'),
    }),
    Type.Null(),
  ],
  {
    description:
      'The value in the type that was asked for. A date is ISO 8601, an amount of money has its currency; ' +
      'null where nothing was found.',
  },
)

const FieldSourceSchema = Type.Object(
  {
    documentId: PASSAGE_FIELDS.documentId,
    chunkId: PASSAGE_FIELDS.chunkId,
    title: PASSAGE_FIELDS.title,
    page: Nullable(
      Type.Integer({ minimum: 0 }),
      'The page on which the value stands, from 1; null where the document has no pages.',
    ),
    snippet: Text('The words around the value, HTML-escaped.'),
    startOffset: Count('Where the value, as it is written, begins in the extracted text, in UTF-16 code units.'),
    endOffset: Count('Where the value ends in the extracted text, in UTF-16 code units.'),
  },
  { $id: 'FieldSource', description: 'Where a value stands.' },
)

/** Where a value stands. */
export type FieldSource = Static<typeof FieldSourceSchema>

const ExtractedFieldSchema = Type.Object(
  {
    key: Text('The identifier of the field.'),
    label: Text('What was searched for.'),
    data_type: Nullable(Type.String(), 'The type as it was asked for; null where none was.'),
    found: Flag('Whether a value was found.'),
    value: VALUE,
    rawValue: Nullable(Type.String(), 'The value as the document writes it; null where nothing was found.'),
    confidence: Share('How sure the value is, from 0 to 1; 0 where nothing was found.'),
    sources: List(FieldSourceSchema, 'The places where the value stands; empty where nothing was found.'),
  },
  { $id: 'ExtractedField', description: 'What was found of a field.' },
)

/** What is not found has `null` for value, `rawValue` and confidence 0, and no sources. */
export type ExtractedField = Static<typeof ExtractedFieldSchema>

/** The answer of extract. */
export const ExtractAnswerSchema = Type.Object(
  {
    memoryId: Text('The memory that was read.'),
    values: Type.Record(Type.String(), Type.Record(Type.String(), VALUE), {
      description: 'The values by section and key.',
    }),
    sections: List(
      Type.Object({
        id: Text('The identifier of the section.'),
        name: Text('The name of the section.'),
        fields: List(ExtractedFieldSchema, 'What was found of its fields, in the order asked.'),
      }),
      'The sections, in the order asked.',
    ),
    fieldsTotal: Count('The fields that were asked for.'),
    fieldsFound: Count('The fields of which a value was found.'),
    model: Text('The model that read the fields; extractive where rules read all of them.'),
    warnings: WarningsSchema,
  },
  { $id: 'ExtractAnswer', description: 'What was read out of a memory.' },
)

/** What was read out of a memory. */
export type ExtractAnswer = Static<typeof ExtractAnswerSchema>

/** The body of extract for an invoice. */
const EXTRACT_BODY_EXAMPLE: Static<typeof ExtractBody> = {
  sections: [{ id: 'invoice', name: 'Invoice', fields: [{ key: 'date', label: 'Invoice date', data_type: 'date' }] }],
  context: 'Invoices of suppliers',
}

/** What it comes to. */
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

/** The examples of a extraction. */
export const EXTRACT_EXAMPLES = { body: EXTRACT_BODY_EXAMPLE, answer: EXTRACT_EXAMPLE }
