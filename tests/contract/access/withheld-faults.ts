/**
 * The possible faults of a response to a request with a missing access, found by running the request with and without
 * the access.
 */

import {
  PROTECTED_DATA_LEVEL_1,
  PROTECTED_DATA_LEVEL_2,
} from '../../../lib/platform/admin-api/protected-data.ts';
import type { ProtectedDataKind, WithheldAccess } from '../../../sandbox/platform/state/store-access.ts';
import { type Answer, nameOf, type Request, type WithheldWorld } from './withheld-world.ts';

export const MISSING = 'STORE_ACCESS_MISSING';

/** In the form of the table of access. */
export const levelOf = (kind: ProtectedDataKind) =>
  kind === 'customer' ? PROTECTED_DATA_LEVEL_1 : PROTECTED_DATA_LEVEL_2;

type Path = Answer['paths'][number];
type RunResult = { readonly answer: Answer; readonly facts: string };

/** Returns the faults of a response without the access, compared with the response with it. */
function faultsOf(
  request: Request,
  withheld: WithheldAccess,
  [whole, without, before]: [RunResult, RunResult, string],
) {
  const { answer, facts } = without;
  const faults: string[] = [];
  const known = new Set(whole.answer.codes);
  const strange = answer.codes.filter((code) => code !== MISSING && !known.has(code));
  if (strange.length > 0) faults.push(`codes ${strange.join(', ')}`);
  if (answer.isRetryable) faults.push('invites a repeat');
  if (facts !== before && facts !== whole.facts) faults.push('changed in part');
  const open = answer.recorded.filter(({ outcome }) => outcome === 'open');
  if (open.length > 0) faults.push(`open: ${open.map(({ action }) => action).join(', ')}`);
  const reported = answer.recorded.some(({ outcome }) => outcome === 'done' || outcome === 'seen');
  if (reported && facts === before) faults.push('told, and not done');
  const isSilent = answer.codes.length === 0 && answer.text !== whole.answer.text && facts === before;
  if (isSilent && !answer.text.includes('userErrors":[{')) faults.push('says nothing');
  if (answer.status === 200 && !withheld.scopes?.includes('read_all_orders')) {
    const lost = lostIn([whole.answer.data, answer.data], [], answer.paths);
    if (lost.length > 0) faults.push(`other than with it, without an error: ${lost.join(', ')}`);
  }
  return [...faults, ...missingNames(request, withheld, answer)];
}

/** The fields that list the access itself. */
const ACCESS_LISTS = ['availableAccessScopes', 'requestedAccessScopes'];

/** Returns the paths whose values differ from the response with the access, without an error that explains it. */
function lostIn([whole, found]: [unknown, unknown], path: Path, reported: Answer['paths']): string[] {
  if (whole === found) return [];
  const isReported = reported.some((one) => one.slice(0, path.length).every((step, at) => path[at] === step));
  if (found === null && isReported) return [];
  if (typeof whole !== 'object' || typeof found !== 'object' || whole === null || found === null)
    return [path.join('.')];
  const keys = new Set([...Object.keys(whole), ...Object.keys(found)]);
  return [...keys].flatMap((key) => {
    if (ACCESS_LISTS.includes(key)) return [];
    const step = Array.isArray(whole) ? Number(key) : key;
    const both: [unknown, unknown] = [Reflect.get(whole, key), Reflect.get(found, key)];
    return lostIn(both, [...path, step], reported);
  });
}

/** Merchants learn which access is missing; customers do not. */
function missingNames(
  { as }: Request,
  { scopes = [], data = [] }: WithheldAccess,
  { codes, text }: Answer,
): string[] {
  const levels = data.map(levelOf);
  const isReported = [...scopes, ...levels].some((handle) => text.includes(handle));
  if (as !== 'customer') return codes.includes(MISSING) && !isReported ? [`does not say what: ${text}`] : [];
  return /(read|write)_[a-z]+|approved|shopify|scope/.test(text) ? [`tells a customer: ${text}`] : [];
}

/** Receives each missing access that changes the response, with that response. */
export type Noting = (withheld: WithheldAccess, answer: Answer) => void;

/** Returns a line for each fault, or no line if the request handles every missing access. */
export async function faultsOfRequest(
  world: WithheldWorld,
  request: Request,
  as: string,
  note: Noting = () => undefined,
): Promise<string[]> {
  // The platform completes its pending work with the next request.
  await world.platform.ask('{ shop { id } }');
  const before = world.facts();
  const undone = world.undoing();
  const runRequest = async () => ({ answer: await world.run(request), facts: world.facts() });
  const { result: whole, needed } = await undone(() => world.withNeeds(runRequest));
  const closed = whole.answer.codes.some((code) => /^(FIELD_NOT|GRAPHQL_)/.test(String(code)));
  if (closed) return [];
  const found: string[] = [];
  for (const withheld of needed) {
    const without = await undone(async () => {
      world.withhold(withheld);
      return runRequest();
    });
    note(withheld, without.answer);
    const faults = faultsOf(request, withheld, [whole, without, before]);
    if (faults.length > 0) found.push(`${as} without ${nameOf(withheld)}: ${faults.join('; ')}`);
  }
  return found;
}
