/** Finds a Java of 17 or later on this machine, for the compiler of Kotlin and for its output. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const OLDEST = 17;

/** The command, or in one sentence why there is none. */
export function findJava(): { readonly java: string } | { readonly missing: string } {
  const home = process.env.JAVA_HOME;
  const java = home === undefined ? 'java' : join(home, 'bin', 'java');
  const { status, stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  if (status !== 0)
    return { missing: `there is no JDK: install one of ${OLDEST} or later, or set JAVA_HOME` };
  const major = Number(/version "(\d+)/.exec(stderr)?.[1]);
  return major >= OLDEST ? { java } : { missing: `${java} is older than ${OLDEST}` };
}
