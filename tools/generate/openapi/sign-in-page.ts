/** docs/sign-in-api.md: the document's routes without GraphQL, for people. */

import type { GeneratedFile } from '../../generated-file.ts';
import { formatMarkdownTable, replacePageBlock } from '../../page-block.ts';
import type { JsonSchema } from './bodies.ts';
import type { DocumentedOperation, OpenApiDocument } from './document.ts';

/** The routes of a document, in docs/sign-in-api.md. */
export function generateSignInPage(document: OpenApiDocument): GeneratedFile {
  const routeSections = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => !tags.includes('GraphQL'))
      .map(([method, operation]) =>
        formatRouteSection(`${method.toUpperCase()} ${path}`, operation, document),
      ),
  );
  const pageLines = ['', routeSections.join('\n\n'), ''];
  const [begin, end] = ['<!-- routes -->', '<!-- end of routes -->'];
  return replacePageBlock({ file: 'docs/sign-in-api.md', begin, end, lines: pageLines });
}

function formatRouteSection(
  route: string,
  operation: DocumentedOperation,
  document: OpenApiDocument,
): string {
  const { summary, description, requestBody, responses } = operation;
  const bodyTables = [
    { title: 'Request', content: requestBody?.content },
    { title: 'Response, 200', content: responses[200]?.content },
  ].flatMap(({ title, content = {} }) =>
    Object.values(content).map(({ schema, example }) => {
      const json = JSON.stringify(example, null, 2);
      return `${title}:\n\n${formatFieldsTable(schema, document)}\n\n\`\`\`json\n${json}\n\`\`\``;
    }),
  );
  const errorCodes = Object.entries(responses).flatMap(([status, { 'x-error-codes': codes = [] }]) =>
    codes.map((code) => [
      status,
      `\`${code}\``,
      document['x-error-catalogue'][code]?.retryable ? 'yes' : 'no',
    ]),
  );
  const errors = `Errors:\n\n${formatMarkdownTable(['Status', 'Code', 'Retry'], errorCodes)}`;
  return [`## ${summary}`, `\`${route}\``, description, ...bodyTables, errors].join('\n\n');
}

function formatFieldsTable(schema: JsonSchema, { components: { schemas } }: OpenApiDocument): string {
  const { properties = {}, required = [] } = schemas[String(schema.$ref).replace(/.*\//, '')] ?? {};
  const rows = Object.entries(properties).map(([name, field]) => {
    const type = `${formatType(field)}${required.includes(name) ? '' : ', optional'}`;
    return [`\`${name}\``, type, field.description ?? ''];
  });
  return formatMarkdownTable(['Field', 'Type', ''], rows);
}

function formatType({ type, anyOf }: JsonSchema): string {
  const alternatives = (anyOf ?? []) as readonly JsonSchema[];
  return type ?? alternatives.map(formatType).join(' or ');
}
