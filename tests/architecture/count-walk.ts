/**
 * Measures the length of a request's path: counts the files below `lib/http` in which a function runs during one warm
 * request, from the handler to the platform and back. These are all files of graphql and lib except the shared rooms:
 * lib/http, lib/errors, lib/messages, lib/observability, lib/config, lib/domain. The AWS client ends the path, as a
 * library would.
 */
import { enteredFiles } from './entered-files.ts';
import type { WalkWorld } from './walk-world.ts';
import { WALKS, type WalkName } from './walks.ts';

const NOT_COUNTED =
  /^(functions|lib\/(http|errors|messages|observability|config|domain|storage\/aws-client))\//;

/** Returns the files of a request's path, sorted. Runs the request once before, to fill the caches. */
export async function countWalk(world: WalkWorld, name: WalkName): Promise<string[]> {
  await (await WALKS[name](world))();
  const entered = await enteredFiles(process.cwd(), await WALKS[name](world));
  return entered.filter((file) => !NOT_COUNTED.test(file));
}
