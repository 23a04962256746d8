/** docs/sign-in-api.md: the document's routes without GraphQL, for people. */

import type { GeneratedFile } from '../../generated-file.ts';
import { pageBlock } from '../../page-block.ts';
import type { JsonSchema } from './bodies.ts';
import type { DocumentedOperation, OpenApi } from './document.ts';

const PAGES = ['Sign-in', 'One-time links', 'Health'];

/** The routes of a document, in docs/sign-in-api.md. */
export function signInPage(document: OpenApi): GeneratedFile {
  const sections = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.some((tag) => PAGES.includes(tag)))
      .map(([method, operation]) => section(`${method.toUpperCase()} ${path}`, operation, document)),
  );
  const lines = ['', sections.join('\n\n'), ''];
  return pageBlock({
    file: 'docs/sign-in-api.md',
    begin: '<!-- routes -->',
    end: '<!-- end of routes -->',
    lines,
  });
}

type Schemas = Readonly<Record<string, JsonSchema>>;

function section(route: string, operation: DocumentedOperation, document: OpenApi): string {
  const { schemas } = document.components;
  const { summary, description, requestBody, responses } = operation;
  const request = Object.values(requestBody?.content ?? {}).map(
    ({ schema, example }) => `Request:\n\n${fields(schema, schemas)}\n\n${json(example)}`,
  );
  const worked = Object.entries(responses).flatMap(([status, { content }]) =>
    Object.values(content)
      .filter(({ example }) => example !== undefined)
      .map(({ schema, example }) => `Answer, ${status}:\n\n${fields(schema, schemas)}\n\n${json(example)}`),
  );
  const codes = Object.entries(responses).flatMap(([status, answers]) =>
    (answers['x-error-codes'] ?? []).map((code) =>
      row([status, `\`${code}\``, document['x-error-catalogue'][code]?.retryable ? 'yes' : 'no']),
    ),
  );
  const errors = `Errors:\n\n${[row(['Status', 'Code', 'Again']), row(['---', '---', '---']), ...codes].join('\n')}`;
  return [`## ${summary}`, `\`${route}\``, description, ...request, ...worked, errors].join('\n\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function fields(schema: JsonSchema, schemas: Schemas): string {
  const { properties = {}, required = [] } = schemas[String(schema.$ref).replace(/.*\//, '')] ?? {};
  const rows = Object.entries(properties).map(([name, field]) =>
    row([
      `\`${name}\``,
      `${typeOf(field)}${required.includes(name) ? '' : ', optional'}`,
      field.description ?? '',
    ]),
  );
  return [row(['Field', 'Type', '']), row(['---', '---', '---']), ...rows].join('\n');
}

function typeOf({ type, anyOf }: JsonSchema): string {
  const several = (anyOf ?? []) as readonly JsonSchema[];
  return type ?? several.map(typeOf).join(' or ');
}
