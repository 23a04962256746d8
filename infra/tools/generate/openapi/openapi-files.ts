import type { GeneratedFile } from '../../generated-file.ts';
import { type Advice, openApiDocument } from './document.ts';
import { signInPage } from './sign-in-page.ts';

/** The document for machines, and its page for people. */
export function openApiFiles(advice: Advice): GeneratedFile[] {
  const document = openApiDocument(advice);
  return [
    { file: 'docs/openapi.json', text: `${JSON.stringify(document, null, 2)}\n` },
    { file: 'docs/sign-in-api.md', text: signInPage(document) },
  ];
}
