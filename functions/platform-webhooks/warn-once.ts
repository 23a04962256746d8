import type { Logger } from '../../lib/observability/logger.ts';

/**
 * Writes a warning once per container for the same facts, and for at most 50 different facts, so that requests cannot
 * fill the log.
 */
export type WarnOnce = (message: string, facts: Readonly<Record<string, string>>) => void;

const MAX_WARNINGS = 50;

export function createWarnOnce(logger: Pick<Logger, 'warn'>): WarnOnce {
  const warnedKeys = new Set<string>();
  return (message, facts) => {
    const note = `${message} ${JSON.stringify(facts)}`;
    if (warnedKeys.has(note) || warnedKeys.size >= MAX_WARNINGS) return;
    warnedKeys.add(note);
    logger.warn(message, facts);
  };
}
