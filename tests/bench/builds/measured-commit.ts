/** The commit that a run measures, as it can be checked out. */
import { execFileSync } from 'node:child_process';
import { PROJECT_ROOT } from '../../../tools/build/build-functions.ts';

/** Nothing that is measured comes from there, and a run writes there itself. */
const NOT_MEASURED = ['docs/**', '**/*.md'];

/** Returns the commit, with a mark if measured or measuring files differ from it. */
export function measuredCommit(root = PROJECT_ROOT): string {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  const others = NOT_MEASURED.map((path) => `:(exclude,glob)${path}`);
  const changed = git('status', '--porcelain', '--', '.', ...others);
  return `${git('rev-parse', '--short=8', 'HEAD')}${changed === '' ? '' : ', with changes that are in no commit'}`;
}
