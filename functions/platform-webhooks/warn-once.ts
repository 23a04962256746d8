import type { Logger } from '../../lib/observability/logger.ts';

/**
 * Writes a warning once per container for the same message and fields, and for at most 50 different ones, so that
 * requests cannot fill the log.
 */
export type WarnOnce = (message: string, fields: Readonly<Record<string, string>>) => void;

const MAX_WARNINGS = 50;

export function createWarnOnce(logger: Pick<Logger, 'warn'>): WarnOnce {
  const warnedKeys = new Set<string>();
  return (message, fields) => {
    const warningKey = `${message} ${JSON.stringify(fields)}`;
    if (warnedKeys.has(warningKey) || warnedKeys.size >= MAX_WARNINGS) return;
    warnedKeys.add(warningKey);
    logger.warn(message, fields);
  };
}
