/** The terminal as the command line uses it: lines out, questions, and standard input for secrets. */
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';

export type Terminal = {
  out(line: string): void;
  /** Progress, questions and errors: standard output stays for the result. */
  err(line: string): void;
  /** Infinity where nobody looks, as in a pipe. */
  readonly columns: number;
  /** A person can answer questions. */
  readonly isInteractive: boolean;
  /** True if the person says yes; false too once the signal is aborted. */
  confirm(question: string, signal?: AbortSignal): Promise<boolean>;
  /** One line of standard input; empty at its end, and once the signal is aborted. */
  ask(question: string, signal?: AbortSignal): Promise<string>;
  /** Calls back each time that the run is to end, by Ctrl-C or a signal; until what it returns is called. */
  onInterrupt(handler: () => void): () => void;
  /** All of standard input. */
  readInput(): Promise<string>;
};

/** The process's own. */
export function openTerminal(): Terminal {
  return {
    out: (line) => console.log(line),
    err: (line) => console.error(line),
    columns: process.stdout.columns ?? Infinity,
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    confirm: async (question, signal) =>
      /^y(es)?$/i.test((await readLine(`${question} [y/N] `, signal)).trim()),
    ask: readLine,
    onInterrupt(handler) {
      for (const signal of SIGNALS) process.on(signal, handler);
      return () => {
        for (const signal of SIGNALS) process.off(signal, handler);
      };
    },
    readInput: () => text(process.stdin),
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function readLine(prompt: string, signal?: AbortSignal): Promise<string> {
  const ending = signal === undefined ? {} : { signal };
  const lines = createInterface({ input: process.stdin, output: process.stderr, ...ending });
  // While a line is read, Ctrl-C is a key, and no signal.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  lines.setPrompt(prompt);
  lines.prompt();
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    // Else standard input, which a person keeps open, keeps the process from ending.
    lines.close();
  }
}
