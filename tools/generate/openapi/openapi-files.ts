import type { GeneratedFile } from '../../generated-file.ts';
import { type Advice, openApiDocument } from './document.ts';
import { signInPage } from './sign-in-page.ts';

const LINE_WIDTH = 120;

/** The document for machines, and its page for people. */
export function openApiFiles(advice: Advice): GeneratedFile[] {
  const document = openApiDocument(advice);
  return [
    { file: 'docs/openapi.json', text: `${jsonLines(document, '')}\n` },
    { file: 'docs/sign-in-api.md', text: signInPage(document) },
  ];
}

/** Writes what fits on one line as one line: the document is half as long. */
function jsonLines(value: unknown, indent: string): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length < LINE_WIDTH) return flat;
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const lines = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => `${inner}${isList ? '' : `${JSON.stringify(name)}: `}${jsonLines(each, inner)}`);
  return `${isList ? '[' : '{'}\n${lines.join(',\n')}\n${indent}${isList ? ']' : '}'}`;
}
