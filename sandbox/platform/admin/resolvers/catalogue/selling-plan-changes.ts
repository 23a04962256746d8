/** Changes of selling plan groups: made, changed, deleted, and what they sell. */
import type { SellingPlanGroupRecord, SellingPlanRecord } from '../../../state/catalogue-records.ts';
import { isoInstant } from '../../../state/instant.ts';
import { nextId } from '../../../state/opaque-id.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { gid, numberOf } from '../../gid.ts';
import { isUserError, type UserError, userError, userErrorPayload } from '../../user-error.ts';
import { applyPlan, blankPlan, type PlanInput } from './selling-plan-input.ts';
import { plansOf } from './selling-plans.ts';

type GroupInput = {
  appId?: string | null;
  description?: string | null;
  merchantCode?: string | null;
  name?: string | null;
  options?: string[] | null;
  position?: number | null;
  sellingPlansToCreate?: PlanInput[] | null;
  sellingPlansToDelete?: string[] | null;
  sellingPlansToUpdate?: PlanInput[] | null;
};

const planLimit = 31;

function findGroup(id: string, { store }: AdminContext): SellingPlanGroupRecord | UserError {
  const group = store.sellingPlanGroups.get(numberOf(id, 'SellingPlanGroup'));
  return group ?? userError(['id'], 'Selling plan group does not exist', 'GROUP_DOES_NOT_EXIST');
}

type CreateArgs = {
  input: GroupInput;
  resources?: { productIds?: string[] | null; productVariantIds?: string[] | null } | null;
};

function groupCreate(_parent: unknown, { input, resources }: CreateArgs, context: AdminContext) {
  const id = nextId(context.store);
  const group: SellingPlanGroupRecord = {
    __typename: 'SellingPlanGroup',
    id,
    appId: null,
    name: '',
    merchantCode: '',
    description: null,
    options: [],
    position: null,
    productIds: (resources?.productIds ?? []).map((each) => numberOf(each, 'Product')),
    variantIds: (resources?.productVariantIds ?? []).map((each) => numberOf(each, 'ProductVariant')),
    createdAt: isoInstant(context.nowMs),
  };
  const { store } = context;
  if (group.productIds.some((each) => !store.products.has(each))) {
    return userErrorPayload(['resources', 'productIds'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST');
  }
  if (group.variantIds.some((each) => !store.variants.has(each))) {
    return userErrorPayload(
      ['resources', 'productVariantIds'],
      'Product variant does not exist',
      'PRODUCT_VARIANT_DOES_NOT_EXIST',
    );
  }
  const problem = changeGroup(group, input, context);
  return problem === null ? { sellingPlanGroup: group } : { userErrors: [problem] };
}

function groupUpdate(
  _parent: unknown,
  { id, input }: { id: string; input: GroupInput },
  context: AdminContext,
) {
  const group = findGroup(id, context);
  if (isUserError(group)) return { userErrors: [group] };
  const problem = changeGroup(structuredClone(group), input, context);
  if (problem !== null) return { userErrors: [problem] };
  return {
    sellingPlanGroup: context.store.sellingPlanGroups.get(group.id),
    deletedSellingPlanIds: input.sellingPlansToDelete ?? [],
  };
}

/** Applies the whole input to the group and its plans, or nothing. */
function changeGroup(
  group: SellingPlanGroupRecord,
  input: GroupInput,
  context: AdminContext,
): UserError | null {
  const { store } = context;
  setFields(group, input);
  if (group.name.trim() === '') return userError(['input', 'name'], "Name can't be blank", 'BLANK');
  if (group.options.length === 0) {
    return userError(['input', 'options'], 'Options must have at least one value', 'TOO_SHORT');
  }
  const deleted = (input.sellingPlansToDelete ?? []).map((each) => numberOf(each, 'SellingPlan'));
  const remaining = plansOf(group, context).filter(({ id }) => !deleted.includes(id));
  const plans = plansAfter(structuredClone(remaining), { group, input, context });
  if (!Array.isArray(plans)) return plans;
  for (const id of deleted) store.sellingPlans.delete(id);
  for (const plan of plans) store.sellingPlans.set(plan.id, plan);
  store.sellingPlanGroups.set(group.id, group);
  return null;
}

function setFields(group: SellingPlanGroupRecord, input: GroupInput): void {
  if (input.name != null) group.name = input.name;
  if (input.merchantCode != null) group.merchantCode = input.merchantCode;
  if (input.description !== undefined) group.description = input.description;
  if (input.appId !== undefined) group.appId = input.appId;
  if (input.options != null) group.options = input.options;
  if (input.position !== undefined) group.position = input.position;
}

type PlansChange = { group: SellingPlanGroupRecord; input: GroupInput; context: AdminContext };

/** The group's plans with updates and new ones applied, or why not. */
function plansAfter(
  plans: SellingPlanRecord[],
  { group, input, context }: PlansChange,
): SellingPlanRecord[] | UserError {
  const field = ['input', 'sellingPlansToUpdate'];
  for (const planInput of input.sellingPlansToUpdate ?? []) {
    if (planInput.id == null) {
      return userError(field, 'Plan id must be specified', 'PLAN_ID_MUST_BE_SPECIFIED_TO_UPDATE');
    }
    const number = numberOf(planInput.id, 'SellingPlan');
    const plan = plans.find(({ id }) => id === number);
    if (plan === undefined) return userError(field, 'Selling plan does not exist', 'PLAN_DOES_NOT_EXIST');
    const problem = applyPlan(plan, planInput, context);
    if (problem !== null) return problem;
  }
  for (const planInput of input.sellingPlansToCreate ?? []) {
    const plan = blankPlan(nextId(context.store), group.id, context);
    const problem = applyPlan(plan, planInput, context);
    if (problem !== null) return problem;
    plans.push(plan);
  }
  return plansProblem(plans) ?? plans;
}

function plansProblem(plans: { name: string }[]): UserError | null {
  const field = ['input', 'sellingPlansToCreate'];
  if (plans.length === 0)
    return userError(field, 'A group needs at least one plan', 'SELLING_PLAN_COUNT_LOWER_BOUND');
  if (plans.length > planLimit)
    return userError(field, `A group has at most ${planLimit} plans`, 'SELLING_PLAN_COUNT_UPPER_BOUND');
  if (new Set(plans.map(({ name }) => name)).size < plans.length) {
    return userError(field, 'Plan names must be unique', 'SELLING_PLAN_DUPLICATE_NAME');
  }
  return null;
}

function groupDelete(_parent: unknown, { id }: { id: string }, context: AdminContext) {
  const group = findGroup(id, context);
  if (isUserError(group)) return { userErrors: [group] };
  for (const plan of plansOf(group, context)) context.store.sellingPlans.delete(plan.id);
  context.store.sellingPlanGroups.delete(group.id);
  return { deletedSellingPlanGroupId: gid('SellingPlanGroup', group.id) };
}

export const sellingPlanChangeResolvers: ResolverMap = {
  Mutation: {
    sellingPlanGroupCreate: groupCreate,
    sellingPlanGroupDelete: groupDelete,
    sellingPlanGroupUpdate: groupUpdate,
  },
};
