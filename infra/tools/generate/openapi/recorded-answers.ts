/**
 * What the routes answered in tests, which write it down and compare with it ever after (tests/functions/recorded-answers.ts). An
 * operation of the document answers what stands here, and nothing else.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where the answers stand, a file for each test that records some.
 * @internal The tests write them there.
 */
export const RECORDED = 'infra/tools/generate/openapi/recorded';
/**
 * In place of an operation: every route answers so.
 * @internal A test records what the edge answers.
 */
export const EVERYWHERE = '*';

export type RecordedAnswer = {
  readonly status: number;
  /** The code of its error; absent: it worked. */
  readonly code?: string;
  /** The body of the request, of an answer that worked. */
  readonly request?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};
/**
 * By operation, as in `POST /headless-auth/start`.
 * @internal The tests write such files.
 */
export type RecordedAnswers = Readonly<Record<string, readonly RecordedAnswer[]>>;

const ROOT = join(import.meta.dirname, '../../../..');

/** The answers of all tests: an operation's own, then those of everywhere that it has not in its own words. */
export function readRecordedAnswers(): (operation: string) => readonly RecordedAnswer[] {
  const files = globSync('*.json', { cwd: join(ROOT, RECORDED) }).sort();
  const all = files.map(
    (file) => JSON.parse(readFileSync(join(ROOT, RECORDED, file), 'utf8')) as RecordedAnswers,
  );
  const of = (operation: string) => all.flatMap((one) => one[operation] ?? []);
  return (operation) => {
    const own = of(operation);
    const isOwn = ({ status, code }: RecordedAnswer) =>
      own.some((each) => each.status === status && each.code === code);
    return [...own, ...of(EVERYWHERE).filter((each) => !isOwn(each))];
  };
}
