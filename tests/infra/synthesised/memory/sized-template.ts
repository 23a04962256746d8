/** Starts production's template with the memory of the environment variable MEMORY_MB, or without it with its own. */
import { rmSync } from 'node:fs';
import { type RunningTemplate, startTemplate } from '../start-template.ts';
import { synthesiseEnvironment } from '../synthesise.ts';

const MEMORY_MB = Number(process.env.MEMORY_MB ?? 0);
/**
 * The emulators need longer than AWS for hundreds of concurrent calls: in the functions a second of a timeout lasts a minute.
 */
const LONG_TIMEOUTS = `const start = globalThis.setTimeout;
globalThis.setTimeout = (callback, ms, ...all) => start(callback, 60 * ms, ...all);`;

/** Starts the template. `parts` stops it. */
export async function startSizedTemplate(
  parts: AsyncDisposableStack,
  options: Parameters<typeof startTemplate>[2] & { readonly hasLongTimeouts?: boolean } = {},
): Promise<RunningTemplate> {
  const { dir, resources } = await synthesiseEnvironment('prod');
  parts.defer(() => rmSync(dir, { recursive: true }));
  const sized = Object.entries(resources).map(([id, one]) => [
    id,
    one.Type === 'AWS::Lambda::Function' ? { ...one, Properties: resize(one.Properties, options) } : one,
  ]);
  const running = await startTemplate({ dir, resources: Object.fromEntries(sized) }, '', options);
  parts.defer(() => running.close());
  return running;
}

type FunctionProperties = Readonly<Record<string, unknown>>;

function resize(
  properties: FunctionProperties,
  { hasLongTimeouts }: { readonly hasLongTimeouts?: boolean },
): FunctionProperties {
  const { Variables } = properties.Environment as { readonly Variables: Readonly<Record<string, string>> };
  const code = `data:text/javascript,${encodeURIComponent(LONG_TIMEOUTS)}`;
  return {
    ...properties,
    ...(MEMORY_MB > 0 && { MemorySize: MEMORY_MB }),
    ...(hasLongTimeouts && {
      Environment: { Variables: { ...Variables, NODE_OPTIONS: `--import=${code}` } },
    }),
  };
}
