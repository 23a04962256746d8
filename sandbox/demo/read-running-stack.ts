/** Reads the description of the running stack from the file that `npm start` writes when it is ready. */
import { readFileSync } from 'node:fs';
import { DEFAULT_STACK_FILE } from '../default-stack-file.ts';

/** The part of `.local/stack.json` that the demo needs. */
export type RunningStack = {
  readonly baseUrl: string;
  readonly platformUrl: string;
  readonly shop: string;
  readonly adminKey: string;
  readonly customers: readonly { readonly id: number; readonly email: string }[];
  readonly stores?: readonly { readonly shop: string; readonly adminKey: string }[];
  /** The address of the page that receives webhooks; undefined when none does. */
  readonly merchantServerUrl?: string;
};

/** The error when the demo cannot start. The message is one sentence that says what to do. */
export class DemoStartError extends Error {}

/**
 * Reads the stack's description; `file` names another one.
 * @throws DemoStartError when no stack runs or the file is invalid
 */
export function readRunningStack(file: string = DEFAULT_STACK_FILE): RunningStack {
  let stackFileText: string;
  try {
    stackFileText = readFileSync(file, 'utf8');
  } catch {
    throw new DemoStartError(
      `The file ${file} of a running stack was not found: run "npm start" in another terminal first.`,
    );
  }
  const stack = parseRunningStack(stackFileText);
  if (
    typeof stack?.baseUrl === 'string' &&
    typeof stack.adminKey === 'string' &&
    stack.customers?.length >= 2
  )
    return stack;
  throw new DemoStartError(`${file} does not describe a running stack: run "npm start" again.`);
}

function parseRunningStack(text: string): RunningStack | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
