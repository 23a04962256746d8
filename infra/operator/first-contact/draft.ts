/** Drafts of a test contract: opened, changed and committed one after the other, by the words of the platform. */

import type { Lab } from './lab.ts';
import { type Ask, rootOf, type UserError, userErrorWords } from './platform-answer.ts';
import { Unmeasurable } from './unmeasurable.ts';

const OPEN = `mutation FirstContactDraft($id: ID!) {
  subscriptionContractUpdate(contractId: $id) { draft { id } userErrors { message code } }
}`;
export const COMMIT = `mutation FirstContactCommit($draftId: ID!) {
  subscriptionDraftCommit(draftId: $draftId) { contract { id } userErrors { message code } }
}`;

/** Opens one on the contract. Nothing is in force before a commit; a draft cannot be deleted. */
export async function openDraft({ endDryRun, alter }: Lab, contractId: string): Promise<string> {
  endDryRun();
  const opened = await changeDraft(alter, {
    name: 'subscriptionContractUpdate',
    document: OPEN,
    variables: { id: contractId },
  });
  return (opened.draft as { readonly id: string }).id;
}

/** The report is told that the draft is not committed, and stays. */
export function leaveDraft({ note }: Lab): void {
  note('A draft was opened that is not committed: it changes nothing.');
}

export type DraftStep = { readonly name: string; readonly document: string; readonly variables: object };

/** One change of an open draft; the fields of its payload. Unmeasurable if it is refused. */
export async function changeDraft(ask: Ask, step: DraftStep): Promise<Readonly<Record<string, unknown>>> {
  const answer = await ask(step.document, { ...step.variables });
  const payload = rootOf<{ readonly userErrors: readonly UserError[] }>(answer, step.name);
  const [refused] = payload.userErrors;
  if (refused === undefined) return payload;
  throw new Unmeasurable(`The platform refuses ${step.name}: ${userErrorWords(refused)}.`);
}

/** Opens, changes and commits in one go, to put something back. Rejects if the platform does not. */
export async function mendByDraft(mend: Ask, contractId: string, steps: readonly DraftStep[]): Promise<void> {
  const opened = rootOf<{ readonly draft: { readonly id: string } | null }>(
    await mend(OPEN, { id: contractId }),
    'subscriptionContractUpdate',
  );
  const draftId = opened.draft?.id;
  if (draftId === undefined) throw new Unmeasurable('The platform opens no draft.');
  for (const step of steps) await changeDraft(mend, { ...step, variables: { ...step.variables, draftId } });
  await changeDraft(mend, { name: 'subscriptionDraftCommit', document: COMMIT, variables: { draftId } });
}
