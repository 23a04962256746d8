/** Judges the proof that came with the answer: every id of a root has to lead to the acting customer. */

import { formatGid, parseGid } from '../../lib/domain/gid.ts';
import { type Identity, isActingCustomer, type OpenProofs } from './evaluate-root.ts';
import { addressesOf, contentsOf, OWNED, ownerOf, PROVE, PROVE_ADDRESSES } from './proof.ts';

type Data = Readonly<Record<string, unknown>> | null;

/** Variables of ours that ask for the proof of these ids. */
export function proofVariables(proofs: readonly OpenProofs[]): Record<string, unknown> {
  const ids = new Set(proofs.flatMap(({ nodes }) => nodes));
  const asked: Record<string, unknown> = {};
  asked[OWNED] = [...ids];
  asked[PROVE] = ids.size > 0;
  asked[PROVE_ADDRESSES] = proofs.some(({ addresses }) => addresses.length > 0);
  return asked;
}

/** Whether everything that a root names belongs to the acting customer. `ids`: as they were asked for. */
export function isProved(
  proofs: OpenProofs,
  {
    data,
    ids,
    identity,
  }: { readonly data: Data; readonly ids: readonly string[]; readonly identity: Identity },
): boolean {
  if (proofs.nodes.length + proofs.addresses.length + proofs.contents.length === 0) return true;
  const answered = data?.[OWNED];
  const nodes = Array.isArray(answered) ? answered : [];
  const nodeOf = (id: string): unknown => nodes[ids.indexOf(id)];
  const areOwn = proofs.nodes.every((id) => isOwn(nodeOf(id), id, identity));
  if (!areOwn) return false;
  const addresses = addressesOf(data);
  if (!proofs.addresses.every((id) => addresses.has(id))) return false;
  return proofs.contents.every(({ owner, id }) =>
    proofs.nodes.some((parent) => contentsOf(nodeOf(parent), owner).has(id)),
  );
}

function isOwn(node: unknown, id: string, identity: Identity): boolean {
  const type = parseGid(id)?.type ?? '';
  const owner = ownerOf(node, type);
  return owner !== undefined && isActingCustomer(formatGid(owner), identity);
}
