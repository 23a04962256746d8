import type { Logger } from '../../lib/observability/logger.ts';

/**
 * Writes a warning once per container for the same facts, and for at most 50 different facts, so that requests cannot
 * fill the log.
 */
export type WarnOnce = (message: string, facts: Readonly<Record<string, string>>) => void;

const MAX_WARNINGS = 50;

export function createWarnOnce(logger: Pick<Logger, 'warn'>): WarnOnce {
  const noted = new Set<string>();
  return (message, facts) => {
    const note = `${message} ${JSON.stringify(facts)}`;
    if (noted.has(note) || noted.size >= MAX_WARNINGS) return;
    noted.add(note);
    logger.warn(message, facts);
  };
}
