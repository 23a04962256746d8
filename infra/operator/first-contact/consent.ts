/** The operator's consent to a step: given on the command line, or asked for with all that it means. */
import type { Terminal } from '../terminal.ts';
import { READING } from './read-options.ts';
import type { Step } from './step.ts';

export type Asking = {
  readonly terminal: Pick<Terminal, 'err' | 'confirm' | 'isInteractive'>;
  /** Names that were agreed to beforehand. */
  readonly agreed: readonly string[] | undefined;
  readonly signal: AbortSignal;
};
export type Agree = (step: Step, warning: string | undefined) => Promise<boolean>;

/** The answer is no where nobody is there to be asked. */
export function createConsent({ terminal, agreed, signal }: Asking): Agree {
  return async (step, warning) => {
    if (agreed?.includes(step.name)) return true;
    if (agreed?.includes(READING) && step.changes === undefined) return true;
    if (!terminal.isInteractive) return false;
    for (const line of questionLines(step, warning)) terminal.err(line);
    return (await terminal.confirm('Play it?', signal)) && !signal.aborted;
  };
}

function questionLines({ name, claim, does, changes }: Step, warning: string | undefined): string[] {
  return [
    '',
    `${name}: ${claim}`,
    `  What it does: ${does}`,
    `  What it changes at the shop: ${changes?.what ?? 'nothing.'}`,
    ...(changes === undefined ? [] : [`  How that is undone: ${changes.undone}`]),
    ...(warning === undefined ? [] : [`  Here: ${warning}`]),
  ];
}
