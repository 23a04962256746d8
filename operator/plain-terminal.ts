/**
 * Texts from outside (notes, descriptions, names of stores, answers of platforms) are printed beside the command line's own
 * words. So nothing that is printed speaks to the terminal, or looks like a line of its own.
 */
import { visibleText } from '../lib/observability/visible-text.ts';
import type { Terminal } from './terminal.ts';

/** The same terminal, for which what controls a terminal or cannot be seen is escaped; a question is one line. */
export function plainTerminal(terminal: Terminal): Terminal {
  return {
    ...terminal,
    out: (line) => terminal.out(visibleLines(line)),
    err: (line) => terminal.err(visibleLines(line)),
    confirm: (question) => terminal.confirm(visibleText(question)),
    ask: (question) => terminal.ask(visibleLines(question)),
  };
}

/** Help, JSON and instructions have lines: whoever puts a text from outside among them makes it visible first. */
function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}
