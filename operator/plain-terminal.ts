/**
 * External texts (notes, descriptions, store names, platform responses) are printed together with the command line's
 * own text. This terminal escapes them, so that they can neither control the terminal nor imitate a line of output.
 */
import { escapeInvisibleCharacters } from '../lib/observability/escape-invisible-characters.ts';
import type { Terminal } from './terminal.ts';

/** Wraps a terminal: escapes control and invisible characters, and limits a question to one line. */
export function createPlainTerminal(terminal: Terminal): Terminal {
  return {
    ...terminal,
    out: (line) => terminal.out(escapeLines(line)),
    err: (line) => terminal.err(escapeLines(line)),
    confirm: (question) => terminal.confirm(escapeInvisibleCharacters(question)),
    ask: (question) => terminal.ask(escapeLines(question)),
  };
}

/**
 * Escapes each line. Help, JSON and instructions have several lines, so callers escape external texts before they embed
 * them.
 */
function escapeLines(text: string): string {
  return text.split('\n').map(escapeInvisibleCharacters).join('\n');
}
