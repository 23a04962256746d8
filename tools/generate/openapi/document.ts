/**
 * docs/openapi.json. Its texts, parameters and examples are written there by hand. `npm run generate` writes the rest:
 * the schemas of the bodies, the statuses and error codes of each route, and the error catalogue.
 */
import { readFileSync } from 'node:fs';
import { type ErrorCode, errorCatalogue, hasRetryAfter } from '../../../lib/errors/catalogue.ts';
import type { GeneratedFile } from '../../generated-file.ts';
import { type BodyName, bodySchemas, type JsonSchema, toJsonSchema } from './bodies.ts';
import { type RouteErrors, routeErrors } from './route-errors.ts';

type ValuesByName<Value> = Readonly<Record<string, Value>>;
type ResponseContent = ValuesByName<{ readonly schema: JsonSchema; readonly example?: unknown }>;
type DocumentedResponse = {
  readonly description: string;
  readonly 'x-error-codes'?: readonly string[];
  readonly headers: ValuesByName<JsonSchema>;
  readonly content: ResponseContent;
};
export type DocumentedOperation = {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly ValuesByName<readonly string[]>[];
  readonly parameters?: readonly JsonSchema[];
  readonly requestBody?: { readonly content: ResponseContent };
  readonly responses: ValuesByName<DocumentedResponse>;
};
type ErrorCatalogueEntry = Readonly<Record<'retryable' | 'retryAfter', boolean>> & {
  readonly status: number;
  readonly message: string;
  readonly client: string;
};
export type OpenApiDocument = {
  readonly info: { readonly version: string };
  readonly paths: ValuesByName<ValuesByName<DocumentedOperation>>;
  readonly components: { readonly schemas: ValuesByName<JsonSchema> };
  readonly 'x-error-catalogue': ValuesByName<ErrorCatalogueEntry>;
};

/** The advice for a client on each code. */
type AdviceByCode = Readonly<Record<ErrorCode, { readonly client: string }>>;

const OPENAPI_FILE = 'docs/openapi.json';
const LINE_WIDTH = 120;
const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

/** Returns docs/openapi.json of a document. */
export function toOpenApiFile(document: OpenApiDocument): GeneratedFile {
  return { file: OPENAPI_FILE, text: `${formatCompactJson(document, '')}\n` };
}

/**
 * Returns the document as it should be.
 * @throws Error that names a route or a field without the texts that people write
 */
export function buildOpenApiDocument(
  advice: AdviceByCode,
  writtenDocument: OpenApiDocument = readJsonFile(OPENAPI_FILE),
): OpenApiDocument {
  const pathEntries = Object.entries(routeErrors).map(([route, errors]) => {
    const [method = '', path = ''] = route.split(' ');
    const operation = writtenDocument.paths[path]?.[method.toLowerCase()];
    if (operation === undefined)
      throw new Error(`${OPENAPI_FILE} needs the texts and the bodies of ${route}.`);
    return [path, { [method.toLowerCase()]: addErrorResponses(operation, errors) }] as const;
  });
  const bodyNames = Object.keys(bodySchemas) as BodyName[];
  const bodySchemaEntries = bodyNames.map((name) => [
    name,
    addWrittenTexts(name, writtenDocument.components.schemas[name]),
  ]);
  const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];
  return {
    ...writtenDocument,
    info: { ...writtenDocument.info, version: readJsonFile('package.json').version },
    paths: Object.fromEntries(pathEntries),
    components: { ...writtenDocument.components, schemas: Object.fromEntries(bodySchemaEntries) },
    'x-error-catalogue': Object.fromEntries(
      errorCodes.map((code) => [code, createErrorCatalogueEntry(code, advice)]),
    ),
  };
}

function readJsonFile(file: string) {
  return JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'));
}

function createErrorCatalogueEntry(code: ErrorCode, advice: AdviceByCode): ErrorCatalogueEntry {
  const { status, retryable, message } = errorCatalogue[code];
  return { status, retryable, retryAfter: hasRetryAfter(code), message, client: advice[code].client };
}

/** Returns the schema of a body with the descriptions and examples of its fields, which are written by hand. */
function addWrittenTexts(name: BodyName, writtenSchema: JsonSchema = {}): JsonSchema {
  const schema = toJsonSchema(name);
  const fieldEntries = Object.entries(schema.properties ?? {}).map(([field, generatedField]) => {
    const { description, examples } = writtenSchema.properties?.[field] ?? {};
    if (!description) throw new Error(`${OPENAPI_FILE} needs a description of ${name}.${field}.`);
    return [field, { description, ...(examples !== undefined && { examples }), ...generatedField }];
  });
  return {
    description: writtenSchema.description ?? '',
    ...schema,
    properties: Object.fromEntries(fieldEntries),
  };
}

/** Adds a response for each status to the operation. The content of the status 200 is written by hand. */
function addErrorResponses(operation: DocumentedOperation, { errors, errorsWith200 = [] }: RouteErrors) {
  const responseContent = operation.responses[200]?.content ?? {};
  const isGraphql = GRAPHQL_TYPE in responseContent;
  const schema = { $ref: `#/components/schemas/${isGraphql ? 'GraphqlAnswer' : 'RestError'}` };
  const statusCodes = [...new Set([200, ...errors.map((code) => errorCatalogue[code].status)])];
  const responseEntries = statusCodes.map((status) => {
    const codesOfStatus = errors.filter((code) => errorCatalogue[code].status === status);
    const responseCodes = [...codesOfStatus, ...(status === 200 ? errorsWith200 : [])].sort();
    const headers = {
      'X-Request-Id': true,
      'Retry-After': status !== 200 && responseCodes.some(hasRetryAfter),
      Allow: status === 405,
      'WWW-Authenticate': status === 401 && operation.security.length > 0,
    };
    // A request that is rejected before its document is read gets the media type of REST.
    const mediaTypes = isGraphql && status === 400 ? [JSON_TYPE, GRAPHQL_TYPE] : [JSON_TYPE];
    const descriptionTexts = [
      status === 200 && 'It worked.',
      responseCodes.length > 0 && `Errors: ${responseCodes.join(', ')}.`,
    ];
    const response: DocumentedResponse = {
      description: descriptionTexts.filter(Boolean).join(' '),
      ...(responseCodes.length > 0 && { 'x-error-codes': responseCodes }),
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, isSent]) =>
          isSent ? [[name, { $ref: `#/components/headers/${name}` }]] : [],
        ),
      ),
      content:
        status === 200 ? responseContent : Object.fromEntries(mediaTypes.map((type) => [type, { schema }])),
    };
    return [status, response] as const;
  });
  return { ...operation, responses: Object.fromEntries(responseEntries) };
}

/** Writes what fits on one line as one line: the document is half as long. */
function formatCompactJson(value: unknown, indent: string): string {
  const flatText = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + flatText.length < LINE_WIDTH)
    return flatText;
  const isArray = Array.isArray(value);
  const innerIndent = `${indent}  `;
  const entryLines = Object.entries(value).map(
    ([name, each]) =>
      `${innerIndent}${isArray ? '' : `${JSON.stringify(name)}: `}${formatCompactJson(each, innerIndent)}`,
  );
  return `${isArray ? '[' : '{'}\n${entryLines.join(',\n')}\n${indent}${isArray ? ']' : '}'}`;
}
