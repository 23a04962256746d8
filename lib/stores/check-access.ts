/**
 * What a store's grant may do: the scopes that the platform names, then real documents, since a scope that was granted is
 * not yet an answer (protected customer data is granted apart). Installing and the doctor ask the same.
 */
import { type AdminAnswer, isAbsence, isDenied, type PlatformError } from '../platform/admin-answer.ts';
import { isGranted } from '../platform/granted-scopes.ts';
import { missingAccess } from '../platform/missing-access.ts';
import { LEVEL_1 } from '../platform/protected-data.ts';
import { type AccessQuestion, accessQuestions } from './access-questions.ts';
import { wordsOf } from './failure-words.ts';
import { accessOf, isScope, mendOf, type NeededAccess, neededAccess } from './needed-access.ts';
import type { StoreFinding } from './store-finding.ts';

export type Asked = AdminAnswer | { readonly failed: unknown };
export type AskDocument = (document: string, variables?: Readonly<Record<string, unknown>>) => Promise<Asked>;

const SCOPES = 'query StoreCheckScopes { currentAppInstallation { accessScopes { handle } } }';

/** Handles that the platform names; undefined: it does not say. */
type Granted = ReadonlySet<string> | undefined;

/** A finding for each scope of the table, then at least one for each question. Nothing is changed at the store. */
export async function checkAccess(ask: AskDocument, nowMs: number): Promise<StoreFinding[]> {
  const asked = await ask(SCOPES);
  const granted = readGranted(asked);
  const findings = granted === undefined ? [notTold('Scopes', asked)] : readScopes(granted);
  for (const question of accessQuestions(nowMs)) {
    const answer = await ask(question.document, question.variables);
    findings.push(...readAnswer(question, answer, granted));
  }
  return findings;
}

function readGranted(asked: Asked): Granted {
  const installation = 'failed' in asked ? undefined : asked.data?.currentAppInstallation;
  const scopes = (installation as { accessScopes?: { handle: string }[] } | null | undefined)?.accessScopes;
  return scopes && new Set(scopes.map(({ handle }) => handle));
}

function readScopes(granted: ReadonlySet<string>): StoreFinding[] {
  return neededAccess.filter(isScope).map((row) => {
    const name = `Scope ${row.handle}`;
    if (isGranted(granted, row.handle)) return { name, state: 'ok', found: 'granted' };
    return { name, ...lacking(row, 'not granted') };
  });
}

/** `missing` only if the service cannot do without. */
function lacking(row: NeededAccess, what: string): Omit<StoreFinding, 'name'> {
  const state = row.need === 'required' ? 'missing' : 'optional';
  return { state, found: `${what}. Without it ${row.without}`, mend: mendOf(row) };
}

/** What the platform failed to tell, or may not tell, and why. */
export function notTold(name: string, asked: Asked): StoreFinding {
  if ('failed' in asked) return { name, state: 'unknown', found: wordsOf(asked.failed), mend: 'Try again.' };
  const found = asked.errors[0]?.message ?? 'the platform did not say';
  return asked.errors.some(isDenied)
    ? { name, state: 'missing', found, mend: 'The grant lacks access: see the lines of it.' }
    : { name, state: 'unknown', found };
}

function readAnswer(question: AccessQuestion, asked: Asked, granted: Granted): StoreFinding[] {
  const { name } = question;
  if ('failed' in asked) return [notTold(name, asked)];
  const denials = asked.errors.filter(isDenied);
  const others = asked.errors.filter((error) => !isDenied(error) && !isAbsence(error));
  const findings = [...closedPaths(question, denials, granted), ...others.map(toUnknown(name))];
  return findings.length > 0 ? findings : [readSeen(question, asked, granted)];
}

const toUnknown =
  (name: string) =>
  (error: PlatformError): StoreFinding => ({
    name,
    state: 'unknown',
    found: `${pathOf(error)}: ${error.message}`,
  });

function readSeen(question: AccessQuestion, { data }: AdminAnswer, granted: Granted): StoreFinding {
  const { name, hiddenWithout, isSeen, unseen } = question;
  if (data !== null && isSeen(data)) return { name, state: 'ok', found: 'shown' };
  const row = hiddenWithout === undefined ? undefined : accessOf(hiddenWithout);
  if (row !== undefined && granted !== undefined && !isGranted(granted, row.handle))
    return { name, ...lacking(row, `${row.handle} is not granted`) };
  return { name, state: 'unseen', found: `nothing to see yet: ${unseen}` };
}

/** One finding for each access that is missing, with all paths that it closes. */
function closedPaths(
  { name, shows }: AccessQuestion,
  denials: readonly PlatformError[],
  granted: Granted,
): StoreFinding[] {
  const byHandle = Map.groupBy(denials, (error) => closedBy(shows, error, granted) ?? '');
  return [...byHandle].map(([handle, errors]) => {
    const paths = [...new Set(errors.map(pathOf))];
    const row = accessOf(handle);
    const closed = `closed: ${paths.join(', ')}`;
    if (row === undefined) {
      const mend = 'Give the app the access that the platform names, and run store update.';
      return { name, state: 'unknown', found: `${closed}. ${errors[0]?.message}`, mend, paths };
    }
    return { name, ...lacking(row, `${closed}, for ${handle} is not granted`), paths };
  });
}

const pathOf = ({ path = [] }: PlatformError) =>
  path.filter((part) => typeof part === 'string').join('.') || 'all of it';

/**
 * The access whose lack closed what an error names: what the platform's words name, else what the field is known to need.
 * Addresses are closed as objects, and are of level 2 all the same.
 */
function closedBy(
  shows: AccessQuestion['shows'],
  error: PlatformError,
  granted: Granted,
): string | undefined {
  const field = error.path?.findLast((part) => typeof part === 'string' && shows[part] !== undefined);
  const known = accessOf(shows[field ?? ''] ?? '');
  const named = missingAccess([error]).flatMap((handle) => accessOf(handle) ?? []);
  if (known !== undefined && !isScope(known) && !named.some(isScope)) return known.handle;
  const isThere = ({ handle }: NeededAccess) => granted !== undefined && isGranted(granted, handle);
  const lacked = named.find((row) => !isThere(row)) ?? named[0];
  if (lacked !== undefined || known === undefined) return lacked?.handle;
  // The scope is there: the object itself is protected.
  return isThere(known) ? LEVEL_1 : known.handle;
}
