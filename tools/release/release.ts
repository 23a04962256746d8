/**
 * `npm run release -- 1.2.0` records a release: from then on, clients rely on the released API. It writes
 * graphql/schema/release.json, the versions and the changelog's heading; git does the rest (docs/releasing.md).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBreaksSinceRelease, findUndocumentedBreaks } from '../compatibility/classify-breaks.ts';
import { parseDeprecationDay } from '../compatibility/deprecation.ts';
import {
  RELEASE_FILE,
  type Release,
  type ReleaseRecord,
  readGenerated,
  readGitOutput,
  readRelease,
} from '../compatibility/released.ts';
import { type Deprecation, listServiceDeprecations } from '../compatibility/service-deprecations.ts';
import { generateFiles } from '../generate/generate.ts';
import { readSchema } from '../generate/read-schema.ts';

/** How long a deprecated member stays after the first release with its deprecation, for apps that are not updated. */
const DEPRECATION_DAYS = 365;
const DAY_MS = 86_400_000;
const UNRELEASED_HEADING = '## Unreleased\n';
const PACKAGE_FILES = [
  'package.json',
  'package-lock.json',
  'clients/typescript/package.json',
  'clients/react/package.json',
];

/** Versions are three numbers (semver.org); a release has no pre-release tag. */
const VERSION_PATTERN = /^(\d+)\.(\d+)\.(\d+)$/;
type VersionNumbers = readonly [major: number, minor: number, patch: number];

/**
 * Parses a version.
 * @returns undefined when the text is not a version
 */
function parseVersion(text: string): VersionNumbers | undefined {
  const [, ...parts] = VERSION_PATTERN.exec(text) ?? [];
  return parts.length === 3 ? (parts.map(Number) as unknown as VersionNumbers) : undefined;
}

/** Returns whether `next` comes after `last`. */
function isLaterVersion([...nextVersion]: VersionNumbers, lastVersion: VersionNumbers): boolean {
  const firstDifference = nextVersion.findIndex((number, index) => number !== lastVersion[index]);
  return firstDifference !== -1 && (nextVersion[firstDifference] ?? 0) > (lastVersion[firstDifference] ?? 0);
}

/**
 * Returns whether `next` may break clients of `last`: a new major version may, before 1.0.0 also a new minor version.
 */
function mayVersionBreakClients(next: VersionNumbers, last: VersionNumbers): boolean {
  return next[0] > last[0] || (next[0] === 0 && next[1] > last[1]);
}

type ReleaseOptions = { readonly version: string; readonly nowMs: number };

/**
 * Returns the reasons why the version cannot be released after `last`; `last` is undefined before the first release.
 */
export function findReleaseProblems(
  { version, nowMs }: ReleaseOptions,
  lastRelease: Pick<Release, 'version'> | undefined,
  releaseState: { breaks: readonly string[]; deprecations: readonly Deprecation[]; changelog: string },
): string[] {
  const nextVersion = parseVersion(version);
  if (nextVersion === undefined) return [`A version is three numbers, such as 1.2.0: ${version}.`];
  const earliestRemoval = formatIsoDay(nowMs + DEPRECATION_DAYS * DAY_MS);
  const prematureRemovals = releaseState.deprecations.filter(
    ({ reason }) => (parseDeprecationDay(reason) ?? '') < earliestRemoval,
  );
  const unreleasedNotes = releaseState.changelog.split(UNRELEASED_HEADING)[1]?.split('\n## ')[0] ?? '';
  return [
    ...(lastRelease
      ? findProblemsAfterLastRelease(nextVersion, lastRelease.version, releaseState.breaks)
      : []),
    ...prematureRemovals.map(
      ({ coordinate }) =>
        `${coordinate} is deprecated for less than a year: until ${earliestRemoval} at least.`,
    ),
    ...(/^- /m.test(unreleasedNotes) ? [] : ['CHANGELOG.md has nothing under "Unreleased".']),
  ];
}

function findProblemsAfterLastRelease(
  next: VersionNumbers,
  last: string,
  breaks: readonly string[],
): string[] {
  const [lastNumbers, version] = [parseVersion(last), next.join('.')];
  if (lastNumbers === undefined) throw new Error(`${RELEASE_FILE} has no version: ${last}.`);
  return [
    ...(isLaterVersion(next, lastNumbers) ? [] : [`${version} does not come after ${last}.`]),
    ...(breaks.length === 0 || mayVersionBreakClients(next, lastNumbers)
      ? []
      : [`${version} breaks clients of ${last}: it needs a larger first number.`, ...breaks]),
  ];
}

/** Returns the deprecations that the last release did not have. The year of the others started with their release. */
function listNewDeprecations(last: Release | undefined): Deprecation[] {
  const isNew = ({ reason }: Deprecation) => last?.documents.admin.includes(reason) !== true;
  return listServiceDeprecations(readSchema()).filter(isNew);
}

function formatIsoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Writes the release into the folder `root`; `commit` contains the released documents. */
export async function writeRelease(
  root: string,
  { version, nowMs }: ReleaseOptions,
  commit: string,
): Promise<void> {
  const changeFile = (file: string, change: (text: string) => string) => {
    const path = join(root, file);
    if (existsSync(path)) writeFileSync(path, change(readFileSync(path, 'utf8')));
  };
  // The first versions in a lock file are its own and its root package's; packages follow.
  for (const file of PACKAGE_FILES) {
    const versionCount = file.endsWith('lock.json') ? 2 : 1;
    changeFile(file, (text) => replaceVersion(text, version, versionCount));
  }
  changeFile('CHANGELOG.md', (text) =>
    text.replace(UNRELEASED_HEADING, `${UNRELEASED_HEADING}\n## ${version} (${formatIsoDay(nowMs)})\n`),
  );
  await generateFiles(root, false);
  const releaseRecord: ReleaseRecord = { version, day: formatIsoDay(nowMs), commit };
  writeFileSync(join(root, RELEASE_FILE), `${JSON.stringify(releaseRecord, null, 2)}\n`);
}

function replaceVersion(text: string, version: string, versionCount: number): string {
  let missingPlaceCount = versionCount;
  return (
    text
      .replace(/"version": "[^"]*"/g, (currentText) =>
        missingPlaceCount-- > 0 ? `"version": "${version}"` : currentText,
      )
      // The package for React needs the client of its own version, or a later one.
      .replace(/"(subscription-management-client)": "[^"]*"/, `"$1": "^${version}"`)
  );
}

/** Runs from the command line and returns the exit code. */
export async function runRelease(root: string, options: ReleaseOptions): Promise<number> {
  if (readGitOutput(root, 'status', '--porcelain') !== '') {
    console.error('There is uncommitted work: commit it, then release that commit.');
    return 1;
  }
  const lastRelease = readRelease(root);
  const today = formatIsoDay(options.nowMs);
  const releaseRefusals = [
    ...(await generateFiles(root, true)).map(
      (file) => `${file} is not what its source says: run \`npm run generate\`.`,
    ),
    ...findUndocumentedBreaks(root, today),
    ...findReleaseProblems(options, lastRelease, {
      breaks: lastRelease ? findBreaksSinceRelease(lastRelease, readGenerated(root), today) : [],
      deprecations: listNewDeprecations(lastRelease),
      changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    }),
  ];
  for (const refusal of releaseRefusals) console.error(refusal);
  if (releaseRefusals.length > 0) return 1;
  await writeRelease(root, options, readGitOutput(root, 'rev-parse', 'HEAD').trim());
  console.log(`${options.version} is recorded. Read git diff, commit it, and tag it v${options.version}.`);
  return 0;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..');
  process.exitCode = await runRelease(root, { version: process.argv[2] ?? '', nowMs: Date.now() });
}
