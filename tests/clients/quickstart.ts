/** The quickstarts of docs/mobile.md, by the word after the language of their code blocks, or by the language alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type QuickstartName = 'web' | 'expo' | 'capacitor' | 'kotlin' | 'swift';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/mobile.md'), 'utf8');
const blocks = new Map(
  [...PAGE.matchAll(/^```(?:\w+ )?(\w+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [name, text]),
);

/** The names of the page's code blocks, in their order. */
export const quickstartNames: readonly unknown[] = [...blocks.keys()];

/** @throws Error when the page has no such code block */
export function readQuickstart(name: QuickstartName): string {
  const text = blocks.get(name);
  if (text === undefined) throw new Error(`docs/mobile.md has no quickstart "${name}".`);
  return text;
}
