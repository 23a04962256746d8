/** The table of access in docs/operators.md, from the table that `store install` and `store check` use. */
import {
  isScopeHandle,
  NEEDED_ACCESS,
  type NeededAccess,
} from '../../lib/platform/admin-api/needed-access.ts';
import { buildAccessProbeQueries, canProveAccess } from '../../lib/stores/checks/access-probe-queries.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { replacePageBlock } from '../page-block.ts';

const PAGE_FILE = 'docs/operators.md';
const BEGIN_MARKER =
  '<!-- access: written by `npm run generate` from lib/platform/admin-api/needed-access.ts -->';
const END_MARKER = '<!-- end of access -->';

/** Returns the names of the probe queries of `store check` that detect this access. */
function formatDetectingProbes(row: NeededAccess): string {
  const probes = buildAccessProbeQueries(0).filter((probe) => canProveAccess(probe, row));
  return probes.map(({ name }) => name).join(', ') || '–';
}

function formatStoppedFeatures({ refusedChanges: stops = [] }: NeededAccess): string {
  if (stops === 'every change') return stops;
  return stops.map((name) => `\`${name}\``).join(', ') || '–';
}

function formatAccessRow(access: NeededAccess): string {
  const { handle, need, purpose, consequence: without, needsPlatformApproval: isByRequest } = access;
  const name = isScopeHandle(access) ? `\`${handle}\`` : handle;
  const needText = isByRequest ? `${need}, by request` : need;
  return `| ${name} | ${needText} | ${purpose} | ${without} | ${formatStoppedFeatures(access)} | ${formatDetectingProbes(access)} |`;
}

/**
 * Returns the page with a new block.
 * @throws Error when the page has no place for it
 */
export function generateAccessTable(): GeneratedFile[] {
  const tableHead = ['| Access | | Needed | Without it | Refused | Seen at |', '|---|---|---|---|---|---|'];
  return [
    replacePageBlock({
      file: PAGE_FILE,
      begin: BEGIN_MARKER,
      end: END_MARKER,
      lines: [...tableHead, ...NEEDED_ACCESS.map(formatAccessRow)],
    }),
  ];
}
