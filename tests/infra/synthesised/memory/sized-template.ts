/** Starts production's template with the memory of the environment variable MEMORY_MB, or without it with its own. */
import { rmSync } from 'node:fs';
import { type RunningTemplate, startTemplate } from '../start-template.ts';
import { synthesiseEnvironment } from '../synthesise.ts';

const MEMORY_MB = Number(process.env.MEMORY_MB ?? 0);

/** Starts the template. `parts` stops it. */
export async function startSizedTemplate(
  parts: AsyncDisposableStack,
  options: Parameters<typeof startTemplate>[2] = {},
): Promise<RunningTemplate> {
  const { dir, resources } = await synthesiseEnvironment('prod');
  parts.defer(() => rmSync(dir, { recursive: true }));
  const sized = Object.entries(resources).map(([id, one]) => [id, MEMORY_MB === 0 ? one : withMemory(one)]);
  const running = await startTemplate({ dir, resources: Object.fromEntries(sized) }, '', options);
  parts.defer(() => running.close());
  return running;
}

function withMemory<T extends { readonly Type: string; readonly Properties?: object }>(resource: T): T {
  if (resource.Type !== 'AWS::Lambda::Function') return resource;
  return { ...resource, Properties: { ...resource.Properties, MemorySize: MEMORY_MB } };
}
