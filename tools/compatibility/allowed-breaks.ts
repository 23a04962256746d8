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

const RECORDS_FOLDER = 'docs/decisions';
const BREAKS_BLOCK_PATTERN = /^```breaks (\S+)\n([\s\S]*?)^```$/gm;

/** Returns the breaks that the records below `root` allow since `version`. */
export function readAllowedBreaks(root: string, version: string): ReadonlySet<string> {
  const recordTexts = globSync(`${RECORDS_FOLDER}/*.md`, { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  return new Set(recordTexts.flatMap((text) => parseAllowedBreaks(text, version)));
}

/** Returns the lines of a record's blocks for `version`. @internal A test passes the text of a record. */
export function parseAllowedBreaks(text: string, version: string): string[] {
  return [...text.matchAll(BREAKS_BLOCK_PATTERN)].flatMap(([, since, lines = '']) =>
    since === version ? lines.split('\n').filter((line) => line !== '') : [],
  );
}
