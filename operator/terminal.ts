/** The terminal of the command line: output lines, questions, and standard input for secrets. */
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';

export type Terminal = {
  out(line: string): void;
  /** Writes progress, questions and errors; standard output is reserved for the result. */
  err(line: string): void;
  /** The width; Infinity when the output is not a terminal, such as a pipe. */
  readonly columns: number;
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  /** Resolves with true when the person answers yes. */
  confirm(question: string): Promise<boolean>;
  /** Resolves with one line of standard input; empty at its end. */
  ask(question: string): Promise<string>;
  /** Resolves with all of standard input. */
  readInput(): Promise<string>;
};

/** Opens the terminal of the process. */
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
  const inputLines = createInterface({ input: process.stdin, output: process.stderr });
  // While a line is read, Ctrl-C is a key and does not send a signal.
  inputLines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  inputLines.setPrompt(prompt);
  inputLines.prompt();
  try {
    for await (const line of inputLines) return line;
    return '';
  } finally {
    // An open standard input would keep the process running.
    inputLines.close();
  }
}
