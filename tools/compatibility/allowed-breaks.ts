/**
 * The breaks that a record of docs/decisions allows. It names them in a block of its own, under the version whose
 * clients are broken, one sentence a line as the check says it:
 *
 *     ```breaks 1.2.0
 *     customer: SubscriptionContract.note was removed.
 *     ```
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const RECORDS = 'docs/decisions';
const BLOCK = /^```breaks (\S+)\n([\s\S]*?)^```$/gm;

/** The breaks that the records below `root` allow since `version`. */
export function readAllowedBreaks(root: string, version: string): ReadonlySet<string> {
  const texts = globSync(`${RECORDS}/*.md`, { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  return new Set(texts.flatMap((text) => allowedIn(text, version)));
}

/**
 * The lines of a record's blocks for `version`.
 * @internal A test gives it a record that is not there.
 */
export function allowedIn(text: string, version: string): string[] {
  return [...text.matchAll(BLOCK)].flatMap(([, since, lines = '']) =>
    since === version ? lines.split('\n').filter((line) => line !== '') : [],
  );
}
