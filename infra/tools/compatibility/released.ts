/** The last release: what the service answered then, as `npm run release` has written it down. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const RELEASED = 'graphql/schema/released';

/** What is held against the last release, by whom it is for: where it is generated, and its copy in `RELEASED`. */
export const DOCUMENTS = {
  customer: { generated: 'graphql/schema/generated/customer.graphql', released: 'customer.graphql' },
  admin: { generated: 'graphql/schema/generated/admin.graphql', released: 'admin.graphql' },
  roots: { generated: 'graphql/schema/generated/roots.json', released: 'roots.json' },
  rest: { generated: 'docs/openapi.json', released: 'openapi.json' },
} as const;

/** The text of each document. */
export type Documents = Readonly<Record<keyof typeof DOCUMENTS, string>>;

export type Release = {
  /** As in 1.2.3. */
  readonly version: string;
  /** The day of the release in UTC, as in 2026-07-01. */
  readonly day: string;
  readonly documents: Documents;
};

/** The release in the folder `root`. Throws an error that says what is missing. */
export function readRelease(root: string): Release {
  const read = (name: string) => readFileSync(join(root, RELEASED, name), 'utf8');
  const { version, day } = JSON.parse(read('release.json')) as Pick<Release, 'version' | 'day'>;
  return { version, day, documents: documentsBy(({ released }) => read(released)) };
}

/** The documents as they are now, generated. */
export function readGenerated(root: string): Documents {
  return documentsBy(({ generated }) => readFileSync(join(root, generated), 'utf8'));
}

function documentsBy(textOf: (names: (typeof DOCUMENTS)[keyof typeof DOCUMENTS]) => string): Documents {
  const texts = Object.entries(DOCUMENTS).map(([surface, names]) => [surface, textOf(names)]);
  return Object.fromEntries(texts) as Documents;
}
