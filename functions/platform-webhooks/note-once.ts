import type { Logger } from '../../lib/observability/logger.ts';

/**
 * Warns once in a container about the same facts, and about a limited number of different ones, so that requests
 * cannot fill the log.
 */
export type NoteOnce = (message: string, facts: Readonly<Record<string, string>>) => void;

const MOST_NOTES = 50;

export function createNoteOnce(logger: Pick<Logger, 'warn'>): NoteOnce {
  const noted = new Set<string>();
  return (message, facts) => {
    const note = `${message} ${JSON.stringify(facts)}`;
    if (noted.has(note) || noted.size >= MOST_NOTES) return;
    noted.add(note);
    logger.warn(message, facts);
  };
}
