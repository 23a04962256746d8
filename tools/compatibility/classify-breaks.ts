/**
 * Reports the problems that must be resolved before a build can be released: breaks without a record, and records
 * without a break.
 */
import { buildASTSchema, type DocumentNode, parse } from 'graphql';
import type { OpenApiDocument } from '../generate/openapi/document.ts';
import { readAllowedBreaks } from './allowed-breaks.ts';
import { removeExpiredMembers } from './deprecation.ts';
import { type ContractDocuments, type Release, readGenerated, readRelease } from './released.ts';
import { findRestBreaks } from './rest-breaks.ts';
import { findRootBreaks, type RequirementsByRoot } from './root-breaks.ts';
import { findSchemaBreaks } from './schema-breaks.ts';

/**
 * Compares the folder `root` with the last release on `today` (2026-07-01, UTC).
 * @returns a sentence for each problem; none when nothing has been released.
 * @throws Error when the release's commit is not in this clone.
 */
export function findUndocumentedBreaks(root: string, today: string): string[] {
  const release = readRelease(root);
  if (release === undefined) return [];
  const breaks = findBreaksSinceRelease(release, readGenerated(root), today);
  return classifyBreaks(release.version, breaks, readAllowedBreaks(root, release.version));
}

/**
 * Returns every break since the release, with the clients it breaks: `customer: SubscriptionContract.note was removed.`
 */
export function findBreaksSinceRelease(
  { documents: documentsBefore }: Pick<Release, 'documents'>,
  now: ContractDocuments,
  today: string,
) {
  const graphqlBreaks = (['customer', 'admin'] as const).flatMap((surface) =>
    prefixWithSurface(
      surface,
      documentsBefore[surface] === now[surface]
        ? []
        : findSdlBreaks(documentsBefore[surface], now[surface], today),
    ),
  );
  const restBreaks = findRestBreaks(
    JSON.parse(documentsBefore.rest) as OpenApiDocument,
    JSON.parse(now.rest) as OpenApiDocument,
  );
  const roots = findRootBreaks(
    JSON.parse(documentsBefore.roots) as RequirementsByRoot,
    JSON.parse(now.roots) as RequirementsByRoot,
  );
  return [...graphqlBreaks, ...prefixWithSurface('admin', roots), ...prefixWithSurface('rest', restBreaks)];
}

function prefixWithSurface(surface: string, sentences: readonly string[]): string[] {
  return sentences.map((sentence) => `${surface}: ${sentence}`);
}

function findSdlBreaks(old: string, now: string, today: string): string[] {
  return findSchemaBreaks(
    buildSchemaOfDocument(removeExpiredMembers(parse(old), today)),
    buildSchemaOfDocument(parse(now)),
  );
}

const buildSchemaOfDocument = (document: DocumentNode) => buildASTSchema(document, { assumeValid: true });

/**
 * Returns sentences for the terminal.
 * @internal A test passes breaks that the schema does not have.
 */
export function classifyBreaks(
  version: string,
  breaks: readonly string[],
  allowed: ReadonlySet<string>,
): string[] {
  const breakSet = new Set(breaks);
  const unallowedBreaks = breaks.filter((each) => !allowed.has(each));
  const idle = [...allowed].filter((each) => !breakSet.has(each));
  return [
    ...unallowedBreaks.map((each) => `${each}\n  ${describeHowToAllowBreaks(version)}`),
    ...idle.map((each) => `A record allows a break that there is not: ${each}`),
  ];
}

function describeHowToAllowBreaks(version: string): string {
  return `This breaks clients of release ${version}: deprecate first, or say in a record why (docs/releasing.md).`;
}
