/** Ctrl-C and signals: the first lets the step end and puts back what it changed, a second one gives up and tells. */
import type { Terminal } from '../terminal.ts';
import { Interrupted } from './play-steps.ts';

export type Interruption = {
  readonly signal: AbortSignal;
  /** What would be left changed if the run ended now. */
  told(left: readonly string[]): void;
  readonly end: () => void;
};

/** The exit code that a shell gives an interrupted command. */
const INTERRUPTED_EXIT_CODE = 130;

/** One Ctrl-C comes more than once: from the terminal, and from npm, which passes it on. */
const SAME_MS = 1_000;

type Process = { readonly now: () => number; readonly exit: (code: number) => void };

export function watchInterrupts(
  terminal: Pick<Terminal, 'err' | 'onInterrupt'>,
  { now, exit }: Process = { now: Date.now, exit: process.exit },
): Interruption {
  const controller = new AbortController();
  let changed: readonly string[] = [];
  let endedAtMs = 0;
  const end = terminal.onInterrupt(() => {
    if (!controller.signal.aborted) {
      terminal.err('Ending: what was changed is put back first. Once more, and it stays as it is.');
      endedAtMs = now();
      controller.abort(new Interrupted('The run was ended.'));
      return;
    }
    if (now() - endedAtMs < SAME_MS) return;
    for (const what of changed) terminal.err(`Left changed: ${what}`);
    exit(INTERRUPTED_EXIT_CODE);
  });
  return {
    signal: controller.signal,
    told: (left) => {
      changed = left;
    },
    end,
  };
}
