/**
 * Reports the problems that must be resolved before a build can be released: breaks without a record, and records
 * without a break.
 */
import { buildASTSchema, type DocumentNode, parse } from 'graphql';
import type { OpenApi } from '../generate/openapi/document.ts';
import { readAllowedBreaks } from './allowed-breaks.ts';
import { withoutExpired } from './deprecation.ts';
import { type Documents, type Release, readGenerated, readRelease } from './released.ts';
import { restBreaks } from './rest-breaks.ts';
import { type Roots, rootBreaks } from './root-breaks.ts';
import { schemaBreaks } from './schema-breaks.ts';

/**
 * Compares the folder `root` with the last release on `today` (2026-07-01, UTC).
 * @returns a sentence for each problem; none when nothing has been released.
 * @throws Error when the release's commit is not in this clone.
 */
export function complaintsOf(root: string, today: string): string[] {
  const release = readRelease(root);
  if (release === undefined) return [];
  const breaks = breaksSince(release, readGenerated(root), today);
  return classifyBreaks(release.version, breaks, readAllowedBreaks(root, release.version));
}

/**
 * Returns every break since the release, with the clients it breaks: `customer: SubscriptionContract.note was removed.`
 */
export function breaksSince({ documents: old }: Pick<Release, 'documents'>, now: Documents, today: string) {
  const graphql = (['customer', 'admin'] as const).flatMap((surface) =>
    prefixWithSurface(
      surface,
      old[surface] === now[surface] ? [] : sdlBreaks(old[surface], now[surface], today),
    ),
  );
  const rest = restBreaks(JSON.parse(old.rest) as OpenApi, JSON.parse(now.rest) as OpenApi);
  const roots = rootBreaks(JSON.parse(old.roots) as Roots, JSON.parse(now.roots) as Roots);
  return [...graphql, ...prefixWithSurface('admin', roots), ...prefixWithSurface('rest', rest)];
}

function prefixWithSurface(surface: string, sentences: readonly string[]): string[] {
  return sentences.map((sentence) => `${surface}: ${sentence}`);
}

function sdlBreaks(old: string, now: string, today: string): string[] {
  return schemaBreaks(schemaOf(withoutExpired(parse(old), today)), schemaOf(parse(now)));
}

const schemaOf = (document: DocumentNode) => buildASTSchema(document, { assumeValid: true });

/**
 * Returns sentences for the terminal.
 * @internal A test passes breaks that the schema does not have.
 */
export function classifyBreaks(
  version: string,
  breaks: readonly string[],
  allowed: ReadonlySet<string>,
): string[] {
  const found = new Set(breaks);
  const denied = breaks.filter((each) => !allowed.has(each));
  const idle = [...allowed].filter((each) => !found.has(each));
  return [
    ...denied.map((each) => `${each}\n  ${describeWayOut(version)}`),
    ...idle.map((each) => `A record allows a break that there is not: ${each}`),
  ];
}

function describeWayOut(version: string): string {
  return `This breaks clients of release ${version}: deprecate first, or say in a record why (docs/releasing.md).`;
}
