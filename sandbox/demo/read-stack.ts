/** The running stack, as it describes itself in the file that `npm start` writes when everything answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DEFAULT_FILE = join(import.meta.dirname, '../../.local/stack.json');

/** What the demo needs of `.local/stack.json`. */
export type Stack = {
  readonly baseUrl: string;
  readonly platformUrl: string;
  readonly shop: string;
  readonly adminKey: string;
  readonly customers: readonly { readonly id: number; readonly email: string }[];
  /** Without it nobody receives webhooks. */
  readonly webhooksUrl?: string;
};

/** One sentence that says what to do. */
export class CannotStart extends Error {}

/** `file`: another stack's description. Throws CannotStart where no stack runs or the file is not one. */
export function readStack(file: string = DEFAULT_FILE): Stack {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new CannotStart(
      `No running stack is described in ${file}: run "npm start" in another terminal first.`,
    );
  }
  const stack = parse(text);
  if (
    typeof stack?.baseUrl === 'string' &&
    typeof stack.adminKey === 'string' &&
    stack.customers?.length >= 2
  )
    return stack;
  throw new CannotStart(`${file} does not describe a running stack: run "npm start" again.`);
}

function parse(text: string): Stack | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
