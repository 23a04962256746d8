/** Returns the compiled phone, or one sentence with the reason why this machine cannot compile it. */

import { CompilerMissing, compile } from './compile.ts';
import { findJava } from './find-jdk.ts';

export type BuiltPhone = { readonly java: string; readonly classPath: string };

/** Throws CompileError where the client does not compile. */
export function buildPhone(): BuiltPhone | { readonly missing: string } {
  const found = findJava();
  if ('missing' in found) return found;
  try {
    return { java: found.java, classPath: compile(found.java) };
  } catch (error) {
    if (error instanceof CompilerMissing) return { missing: error.message };
    throw error;
  }
}
