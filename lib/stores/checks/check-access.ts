/**
 * Checks which access the store's token has. The platform's list of scopes is not enough, because protected customer
 * data is granted separately, so real queries are sent, too. The installation and `store check` use the same checks.
 */
import {
  type AdminResponse,
  isAccessDenied,
  isNotFoundError,
} from '../../platform/admin-api/admin-response.ts';
import {
  findAccessByHandle,
  isScopeHandle,
  NEEDED_ACCESS,
  type NeededAccess,
} from '../../platform/admin-api/needed-access.ts';
import { isScopeGranted } from '../../platform/grants/granted-scopes.ts';
import { type AccessProbeQuery, buildAccessProbeQueries, canProveAccess } from './access-probe-queries.ts';
import { type DeniedFields, errorPathText, type GrantedScopes, groupDeniedFields } from './denied-fields.ts';
import { errorTextOfFinding } from './error-text-of-finding.ts';
import { missingAccessSteps, newGrantCommand, type StoreToFix } from './remediations.ts';
import type { StoreFinding } from './store-finding.ts';

export type ProbeQueryResult = AdminResponse | { readonly failed: unknown };
export type SendProbeQuery = (
  document: string,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<ProbeQueryResult>;

const SCOPES_PROBE_DOCUMENT = 'query StoreCheckScopes { currentAppInstallation { accessScopes { handle } } }';

/** A probe query with its response, and the fields in it that were denied. */
type ProbeResponse = {
  readonly probe: AccessProbeQuery;
  readonly probeResult: ProbeQueryResult;
  readonly deniedFields: readonly DeniedFields[];
};

/**
 * Returns one finding per access, with what fails without it and how to get it, then at least one finding per probe
 * query, with the denied paths. Changes nothing at the store.
 */
export async function checkAccess(
  sendProbe: SendProbeQuery,
  store: StoreToFix,
  nowMs: number,
): Promise<StoreFinding[]> {
  const scopesResult = await sendProbe(SCOPES_PROBE_DOCUMENT);
  const grantedScopes = parseGrantedScopes(scopesResult);
  const responses: ProbeResponse[] = [];
  for (const probe of buildAccessProbeQueries(nowMs)) {
    const probeResult = await sendProbe(probe.document, probe.variables);
    const deniedFields =
      'failed' in probeResult ? [] : groupDeniedFields(probe, probeResult.errors, grantedScopes);
    responses.push({ probe, probeResult, deniedFields });
  }
  return [
    ...(grantedScopes === undefined ? [findingAboutMissingData('Scopes', scopesResult)] : []),
    ...NEEDED_ACCESS.flatMap((row) => findingsAboutAccess(row, { store, grantedScopes, responses })),
    ...responses.flatMap((response) => findingsOfProbe(response, store, grantedScopes)),
  ];
}

function parseGrantedScopes(probeResult: ProbeQueryResult): GrantedScopes {
  const installation = 'failed' in probeResult ? undefined : probeResult.data?.currentAppInstallation;
  const scopes = (installation as { accessScopes?: { handle: string }[] | null } | null | undefined)
    ?.accessScopes;
  return scopes ? new Set(scopes.map(({ handle }) => handle)) : undefined;
}

type AccessEvidence = {
  readonly store: StoreToFix;
  readonly grantedScopes: GrantedScopes;
  readonly responses: readonly ProbeResponse[];
};

/**
 * Returns the finding about one access. If the platform does not list its scopes, there is a finding only when a
 * response denied a field.
 */
function findingsAboutAccess(
  row: NeededAccess,
  { store, grantedScopes, responses }: AccessEvidence,
): StoreFinding[] {
  const isRowDenied = responses.some(({ deniedFields }) =>
    deniedFields.some((fields) => fields.missingAccess === row),
  );
  const isScope = isScopeHandle(row);
  const rowName = isScope
    ? `Scope ${row.handle}`
    : row.handle.replace(/^./, (letter) => letter.toUpperCase());
  const createMissingFinding = (missingAccess: string): StoreFinding => ({
    name: rowName,
    // An access that is not granted is `missing` only if the service requires it, else `optional`.
    state: stateOfMissingAccess(row),
    found: `${missingAccess}. Without it ${row.consequence}`,
    fix: missingAccessSteps(row, store, grantedScopes),
  });
  if (!isScope)
    return [
      isRowDenied
        ? createMissingFinding('not granted, or only in part')
        : findingAboutUndeniedLevel(rowName, row, responses),
    ];
  if (grantedScopes === undefined) return isRowDenied ? [createMissingFinding('not granted')] : [];
  if (!isScopeGranted(grantedScopes, row.handle)) return [createMissingFinding('not granted')];
  if (isRowDenied) return [createMissingFinding('granted, but still closed')];
  return [{ name: rowName, state: 'ok', found: 'granted' }];
}

/**
 * Returns the finding about a level of protected customer data that no response denied. The platform does not list
 * levels, so only an object in a response proves one.
 */
function findingAboutUndeniedLevel(
  name: string,
  row: NeededAccess,
  responses: readonly ProbeResponse[],
): StoreFinding {
  const isAccessProved = responses.some(
    ({ probe, probeResult }) => canProveAccess(probe, row) && isProbeDataSeen(probe, probeResult),
  );
  if (isAccessProved) return { name, state: 'ok', found: 'granted' };
  return { name, state: 'unseen', found: 'nothing to check yet: no response contains any' };
}

function isProbeDataSeen(probe: AccessProbeQuery, probeResult: ProbeQueryResult): boolean {
  return !('failed' in probeResult) && probeResult.data !== null && probe.containsObject(probeResult.data);
}

function stateOfMissingAccess({ need }: NeededAccess): 'missing' | 'optional' {
  return need === 'required' ? 'missing' : 'optional';
}

/** Returns the finding about data that the platform failed to return or denied. */
export function findingAboutMissingData(name: string, probeResult: ProbeQueryResult): StoreFinding {
  if ('failed' in probeResult)
    return { name, state: 'unknown', found: errorTextOfFinding(probeResult.failed), fix: 'Try again.' };
  const errorText = probeResult.errors[0]?.message ?? 'the platform gave no reason';
  return probeResult.errors.some(isAccessDenied)
    ? { name, state: 'missing', found: errorText, fix: 'The grant lacks access: see the findings about it.' }
    : { name, state: 'unknown', found: errorText };
}

function findingsOfProbe(
  { probe, probeResult, deniedFields }: ProbeResponse,
  store: StoreToFix,
  grantedScopes: GrantedScopes,
): StoreFinding[] {
  const { name } = probe;
  if ('failed' in probeResult) return [findingAboutMissingData(name, probeResult)];
  const otherErrors = probeResult.errors.filter((error) => !isAccessDenied(error) && !isNotFoundError(error));
  const unknownDenials = deniedFields.filter(({ missingAccess: row }) => row === undefined);
  const findings = [
    ...findingsAboutDeniedFields(name, deniedFields),
    ...unknownDenials.map(({ paths, message }) => ({
      ...unknownStateFinding(name, `closed: ${paths.join(', ')}. ${message}`),
      fix: unknownAccessRemediation(store),
    })),
    ...otherErrors.map((error) => unknownStateFinding(name, `${errorPathText(error)}: ${error.message}`)),
  ];
  return findings.length > 0 ? findings : [createProbeDataFinding(probe, probeResult, grantedScopes)];
}

function unknownAccessRemediation(store: StoreToFix): string {
  const nextStepText = store.isInstalled ? `run ${newGrantCommand(store)}` : 'repeat the install';
  return `Give a version of the app the access that the platform names, and release it. Then ${nextStepText}.`;
}

const unknownStateFinding = (name: string, found: string): StoreFinding => ({
  name,
  state: 'unknown',
  found,
});

/**
 * Returns one finding for all denied fields of a query. The findings about each access explain what fails without it.
 */
function findingsAboutDeniedFields(name: string, deniedFields: readonly DeniedFields[]): StoreFinding[] {
  const namedFields = deniedFields.flatMap(({ missingAccess: row, paths }) =>
    row === undefined ? [] : [{ row, paths }],
  );
  if (namedFields.length === 0) return [];
  const findingState = namedFields.some(({ row }) => stateOfMissingAccess(row) === 'missing')
    ? 'missing'
    : 'optional';
  const closedText = namedFields.map(({ row, paths }) => `${paths.join(', ')} (${row.handle})`).join('; ');
  return [
    {
      name,
      state: findingState,
      found: `closed: ${closedText}`,
      paths: namedFields.flatMap(({ paths }) => paths),
    },
  ];
}

function createProbeDataFinding(
  probe: AccessProbeQuery,
  adminResponse: AdminResponse,
  grantedScopes: GrantedScopes,
): StoreFinding {
  const { name, hiddenWithout, absenceReason } = probe;
  if (isProbeDataSeen(probe, adminResponse)) return { name, state: 'ok', found: 'shown' };
  const row = hiddenWithout === undefined ? undefined : findAccessByHandle(hiddenWithout);
  if (row !== undefined && grantedScopes !== undefined && !isScopeGranted(grantedScopes, row.handle))
    return { name, state: stateOfMissingAccess(row), found: `hidden without ${row.handle}` };
  return { name, state: 'unseen', found: `nothing to check yet: ${absenceReason}` };
}
