/** Lines that a logger writes, and what CloudWatch makes of them. */
import { expect, jest } from '@jest/globals';
import { createLogger, type Logger } from '../../../lib/observability/logger.ts';

export const metrics = { namespace: 'subscriptions/dev', now: () => 1_700_000_000_000 };

export type Line = Record<string, unknown> & {
  readonly _aws?: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: string[][];
      readonly Metrics: { readonly Name: string; readonly Unit: string }[];
    }[];
  };
};

/** The lines that `write` logs, read back from stdout and stderr. */
export async function linesOf(write: (logger: Logger) => unknown): Promise<Line[]> {
  const written = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  const failed = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  try {
    await write(createLogger({ functionName: 'trial', level: 'INFO', metrics }));
    return [...written.mock.calls, ...failed.mock.calls].map(([text]) => JSON.parse(String(text)));
  } finally {
    written.mockRestore();
    failed.mockRestore();
  }
}

/** The metrics that CloudWatch reads from a line. Every metric must be a number, every dimension a text. */
export function metricsOf(line: Line): string[] {
  return (line._aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Dimensions, Metrics }) => {
    expect(Namespace).toBe('subscriptions/dev');
    return Metrics.flatMap(({ Name }) =>
      Dimensions.map((names) => {
        expect(line[Name]).toEqual(expect.any(Number));
        for (const name of names) expect(line[name]).toEqual(expect.any(String));
        return `${Name}=${line[Name]} ${names.map((name) => `${name}=${line[name]}`).join(' ')}`.trim();
      }),
    );
  });
}
