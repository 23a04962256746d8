/**
 * Finds the changes of a JSON Schema that break clients: a request that was valid must stay valid, and a response must
 * keep all its fields.
 */
import type { JsonSchema } from '../generate/openapi/bodies.ts';

type SchemasByName = Readonly<Record<string, JsonSchema>>;
type BodyComparison = {
  readonly was: JsonSchema;
  readonly is: JsonSchema;
  /**
   * Which body the schemas describe. Each report starts with this word, and records in docs/decisions quote the reports, so
   * it stays `answer`.
   */
  readonly body: 'request' | 'answer';
  readonly schemas: { readonly before: SchemasByName; readonly after: SchemasByName };
  /** The path of the field; undefined for the body itself. */
  readonly fieldPath?: string;
};

/** Keywords that do not restrict values, or that are compared separately. */
const SEPARATE_KEYWORDS = new Set([
  '$ref',
  'description',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'examples',
]);

/** Returns one sentence for each break. */
export function findBodyBreaks({ was, is, body, schemas, fieldPath = '' }: BodyComparison): string[] {
  const [schemaBefore, schemaAfter] = [
    resolveReference(was, schemas.before),
    resolveReference(is, schemas.after),
  ];
  const pathOf = (field: string) => (fieldPath === '' ? field : `${fieldPath}.${field}`);
  const fieldBreaks = Object.entries(schemaBefore.properties ?? {}).flatMap(([field, before]) => {
    const newSchema = schemaAfter.properties?.[field];
    const name = pathOf(field);
    return newSchema === undefined
      ? [`${body} field ${name} was removed.`]
      : findBodyBreaks({ was: before, is: newSchema, body, schemas, fieldPath: name });
  });
  const itemBreaks =
    schemaBefore.items !== undefined && schemaAfter.items !== undefined
      ? findBodyBreaks({
          was: schemaBefore.items as JsonSchema,
          is: schemaAfter.items as JsonSchema,
          body,
          schemas,
          fieldPath: pathOf('[]'),
        })
      : [];
  const [requiredBefore, requiredAfter] = [schemaBefore.required ?? [], schemaAfter.required ?? []];
  const newlyRequired =
    body === 'request' ? requiredAfter.filter((field) => !requiredBefore.includes(field)) : [];
  const lostFields =
    body === 'answer' ? requiredBefore.filter((field) => !requiredAfter.includes(field)) : [];
  const hasOtherKeywords = formatOtherKeywords(schemaBefore) !== formatOtherKeywords(schemaAfter);
  return [
    ...fieldBreaks,
    ...itemBreaks,
    ...newlyRequired.map((field) => `request field ${pathOf(field)} is required.`),
    ...lostFields
      .filter((field) => schemaAfter.properties?.[field] !== undefined)
      .map((field) => `answer field ${pathOf(field)} may be absent.`),
    ...(hasOtherKeywords
      ? [`${body} ${fieldPath === '' ? 'body' : `field ${fieldPath}`} takes another form.`]
      : []),
  ];
}

/** Returns the other keywords; any difference in them counts: type, bounds, pattern, format. */
function formatOtherKeywords(schema: JsonSchema): string {
  return JSON.stringify(
    Object.entries(schema)
      .filter(([keyword]) => !SEPARATE_KEYWORDS.has(keyword))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function resolveReference(schema: JsonSchema, schemas: SchemasByName): JsonSchema {
  const { $ref } = schema as { $ref?: string };
  return $ref === undefined ? schema : (schemas[$ref.replace(/.*\//, '')] ?? {});
}
