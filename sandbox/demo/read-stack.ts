/** Reads the description of the running stack from the file that `npm start` writes when it is ready. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DEFAULT_FILE = join(import.meta.dirname, '../../.local/stack.json');

/** The part of `.local/stack.json` that the demo needs. */
export type Stack = {
  readonly baseUrl: string;
  readonly platformUrl: string;
  readonly shop: string;
  readonly adminKey: string;
  readonly customers: readonly { readonly id: number; readonly email: string }[];
  /** Undefined when no page receives webhooks. */
  readonly webhooksUrl?: string;
};

/** The message is one sentence that says what to do. */
export class CannotStart extends Error {}

/**
 * Reads the stack's description; `file` names another one.
 * @throws CannotStart when no stack runs or the file is invalid
 */
export function readStack(file: string = DEFAULT_FILE): Stack {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new CannotStart(
      `The file ${file} of a running stack was not found: run "npm start" in another terminal first.`,
    );
  }
  const stack = parseStack(text);
  if (
    typeof stack?.baseUrl === 'string' &&
    typeof stack.adminKey === 'string' &&
    stack.customers?.length >= 2
  )
    return stack;
  throw new CannotStart(`${file} does not describe a running stack: run "npm start" again.`);
}

function parseStack(text: string): Stack | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
