/** Returns the compiled phone, or one sentence with the reason why this machine cannot compile it. */

import type { BuiltPhone } from '../native/phone.ts';
import { CompilerMissing, compile } from './compile.ts';
import { findJava } from './find-jdk.ts';

const FLAGS = [
  '-XX:TieredStopAtLevel=1',
  '-Xshare:auto',
  '-Dfile.encoding=UTF-8',
  '-Dsun.net.http.retryPost=false',
];

/** Throws CompileError where the client does not compile. */
export function buildPhone(): BuiltPhone | { readonly missing: string } {
  const found = findJava();
  if ('missing' in found) return found;
  try {
    return { command: [found.java, ...FLAGS, '-cp', compile(found.java), 'subscriptions.phone.PhoneKt'] };
  } catch (error) {
    if (error instanceof CompilerMissing) return { missing: error.message };
    throw error;
  }
}
