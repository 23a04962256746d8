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
  /** True if the person says yes. */
  confirm(question: string): Promise<boolean>;
  /** One line of standard input; empty at its end. */
  ask(question: string): Promise<string>;
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
    confirm: async (question) => /^y(es)?$/i.test((await readLine(`${question} [y/N] `)).trim()),
    ask: readLine,
    readInput: () => text(process.stdin),
  };
}

async function readLine(prompt: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
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
