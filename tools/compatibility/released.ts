/**
 * The last release: version, day and commit, from graphql/schema/release.json. The released documents are read from
 * that commit, so the tree has no copy. The release names a commit because not every clone has the tags.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const RELEASE_FILE = 'graphql/schema/release.json';

/**
 * The documents that are compared with the last release. Do not change their paths: they are read from earlier commits.
 */
const RELEASED_FILE_PATHS = {
  customer: 'graphql/schema/generated/customer.graphql',
  admin: 'graphql/schema/generated/admin.graphql',
  roots: 'graphql/schema/generated/roots.json',
  rest: 'docs/openapi.json',
} as const;

/** The text of each document. */
export type ContractDocuments = Readonly<Record<keyof typeof RELEASED_FILE_PATHS, string>>;

/**
 * The content of graphql/schema/release.json: the version as in 1.2.3, the day in UTC as in 2026-07-01, and the commit.
 */
export type ReleaseRecord = { readonly version: string; readonly day: string; readonly commit: string };

export type Release = ReleaseRecord & { readonly documents: ContractDocuments };

/**
 * Reads the last release in the folder `root`.
 * @returns undefined when nothing has been released.
 * @throws Error when the release's commit is not in this clone.
 */
export function readRelease(root: string): Release | undefined {
  const file = join(root, RELEASE_FILE);
  if (!existsSync(file)) return undefined;
  const releaseRecord = JSON.parse(readFileSync(file, 'utf8')) as ReleaseRecord;
  const { version, commit } = releaseRecord;
  try {
    readGitOutput(root, 'cat-file', '-e', `${commit}^{commit}`);
  } catch {
    throw new Error(`The release ${version} (${commit}) is not in this clone: git fetch --unshallow`);
  }
  return {
    ...releaseRecord,
    documents: createDocuments((path) => readGitOutput(root, 'show', `${commit}:${path}`)),
  };
}

/** Reads the generated documents of the working tree. */
export function readGenerated(root: string): ContractDocuments {
  return createDocuments((path) => readFileSync(join(root, path), 'utf8'));
}

/** Runs git in the folder `root` and returns what it prints. */
export function readGitOutput(root: string, ...args: readonly string[]): string {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: [...stdio], maxBuffer: 2 ** 26 });
}

function createDocuments(textOf: (path: string) => string): ContractDocuments {
  const documentTexts = Object.entries(RELEASED_FILE_PATHS).map(([surface, path]) => [surface, textOf(path)]);
  return Object.fromEntries(documentTexts) as ContractDocuments;
}
