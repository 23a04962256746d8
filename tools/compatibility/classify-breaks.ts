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
  documentsNow: ContractDocuments,
  today: string,
) {
  const graphqlBreaks = (['customer', 'admin'] as const).flatMap((surface) =>
    prefixWithSurface(
      surface,
      documentsBefore[surface] === documentsNow[surface]
        ? []
        : findSdlBreaks(documentsBefore[surface], documentsNow[surface], today),
    ),
  );
  const restBreaks = findRestBreaks(
    JSON.parse(documentsBefore.rest) as OpenApiDocument,
    JSON.parse(documentsNow.rest) as OpenApiDocument,
  );
  const rootBreaks = findRootBreaks(
    JSON.parse(documentsBefore.roots) as RequirementsByRoot,
    JSON.parse(documentsNow.roots) as RequirementsByRoot,
  );
  return [
    ...graphqlBreaks,
    ...prefixWithSurface('admin', rootBreaks),
    ...prefixWithSurface('rest', restBreaks),
  ];
}

function prefixWithSurface(surface: string, sentences: readonly string[]): string[] {
  return sentences.map((sentence) => `${surface}: ${sentence}`);
}

function findSdlBreaks(oldSdl: string, newSdl: string, today: string): string[] {
  return findSchemaBreaks(
    buildSchemaOfDocument(removeExpiredMembers(parse(oldSdl), today)),
    buildSchemaOfDocument(parse(newSdl)),
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
  allowedBreaks: ReadonlySet<string>,
): string[] {
  const breakSet = new Set(breaks);
  const unallowedBreaks = breaks.filter((each) => !allowedBreaks.has(each));
  const unusedAllowances = [...allowedBreaks].filter((each) => !breakSet.has(each));
  return [
    ...unallowedBreaks.map((each) => `${each}\n  ${describeHowToAllowBreaks(version)}`),
    ...unusedAllowances.map((each) => `A record allows a break that there is not: ${each}`),
  ];
}

function describeHowToAllowBreaks(version: string): string {
  return `This breaks clients of release ${version}: deprecate first, or say in a record why (docs/releasing.md).`;
}
