/** A customer who asked for an interval that is not offered is told in words what is. */
import { byPosition, rhythmText, type SellingPlan } from './selling-plan.ts';

type Offered = { readonly offered: readonly SellingPlan[] };

/** A message with these is enough to choose from. */
const MOST = 10;

/** `Offered: “Every 2 weeks” (every 2 weeks), …`: the rhythms that every line is sold in, by their plans' names. */
export function offeredIntervals(lines: readonly Offered[]): string {
  const [first, ...others] = lines.map(({ offered }) => offered);
  const isCommon = (rhythm: string) =>
    others.every((plans) => plans.some((plan) => rhythmText(plan) === rhythm));
  const texts = (first ?? []).toSorted(byPosition).flatMap((plan) => {
    const rhythm = rhythmText(plan);
    return rhythm !== undefined && isCommon(rhythm) ? [`“${plan.name}” (${rhythm})`] : [];
  });
  const offered = [...new Set(texts)].slice(0, MOST);
  return offered.length === 0 ? 'No interval is offered for all of them.' : `Offered: ${offered.join(', ')}.`;
}
