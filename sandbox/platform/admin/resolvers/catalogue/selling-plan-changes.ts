/** Creates, updates and deletes selling plan groups. */
import type { SellingPlanGroupRecord, SellingPlanRecord } from '../../../state/catalogue-records.ts';
import { formatIsoInstant } from '../../../state/instant.ts';
import { takeNextId } from '../../../state/opaque-id.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { createUserError, createUserErrorPayload, isUserError, type UserError } from '../../user-error.ts';
import { applyPlanInput, createEmptyPlan, type PlanInput } from './selling-plan-input.ts';
import { listPlans } from './selling-plans.ts';

type SellingPlanGroupInput = {
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

const MAX_PLANS_PER_GROUP = 31;

function findGroup(id: string, { store }: AdminContext): SellingPlanGroupRecord | UserError {
  const group = store.sellingPlanGroups.get(requireGidNumber(id, 'SellingPlanGroup'));
  return group ?? createUserError(['id'], 'Selling plan group does not exist', 'GROUP_DOES_NOT_EXIST');
}

type CreateGroupArgs = {
  input: SellingPlanGroupInput;
  resources?: { productIds?: string[] | null; productVariantIds?: string[] | null } | null;
};

function resolveGroupCreate(_parent: unknown, { input, resources }: CreateGroupArgs, context: AdminContext) {
  const id = takeNextId(context.store);
  const groupRecord: SellingPlanGroupRecord = {
    __typename: 'SellingPlanGroup',
    id,
    appId: null,
    name: '',
    merchantCode: '',
    description: null,
    options: [],
    position: null,
    productIds: (resources?.productIds ?? []).map((each) => requireGidNumber(each, 'Product')),
    variantIds: (resources?.productVariantIds ?? []).map((each) => requireGidNumber(each, 'ProductVariant')),
    createdAt: formatIsoInstant(context.nowMs),
  };
  const { store } = context;
  if (groupRecord.productIds.some((each) => !store.products.has(each))) {
    return createUserErrorPayload(
      ['resources', 'productIds'],
      'Product does not exist',
      'PRODUCT_DOES_NOT_EXIST',
    );
  }
  if (groupRecord.variantIds.some((each) => !store.variants.has(each))) {
    return createUserErrorPayload(
      ['resources', 'productVariantIds'],
      'Product variant does not exist',
      'PRODUCT_VARIANT_DOES_NOT_EXIST',
    );
  }
  const problem = applyGroupInput(groupRecord, input, context);
  return problem === null ? { sellingPlanGroup: groupRecord } : { userErrors: [problem] };
}

function resolveGroupUpdate(
  _parent: unknown,
  { id, input }: { id: string; input: SellingPlanGroupInput },
  context: AdminContext,
) {
  const groupRecord = findGroup(id, context);
  if (isUserError(groupRecord)) return { userErrors: [groupRecord] };
  const problem = applyGroupInput(structuredClone(groupRecord), input, context);
  if (problem !== null) return { userErrors: [problem] };
  return {
    sellingPlanGroup: context.store.sellingPlanGroups.get(groupRecord.id),
    deletedSellingPlanIds: input.sellingPlansToDelete ?? [],
  };
}

/** Applies the whole input to the group and its plans, or nothing. */
function applyGroupInput(
  group: SellingPlanGroupRecord,
  input: SellingPlanGroupInput,
  context: AdminContext,
): UserError | null {
  const { store } = context;
  setGroupFields(group, input);
  if (group.name.trim() === '') return createUserError(['input', 'name'], "Name can't be blank", 'BLANK');
  if (group.options.length === 0) {
    return createUserError(['input', 'options'], 'Options must have at least one value', 'TOO_SHORT');
  }
  const deletedNumbers = (input.sellingPlansToDelete ?? []).map((each) =>
    requireGidNumber(each, 'SellingPlan'),
  );
  const remainingPlans = listPlans(group, context).filter(({ id }) => !deletedNumbers.includes(id));
  const plans = changePlanList(structuredClone(remainingPlans), { group, input, context });
  if (!Array.isArray(plans)) return plans;
  for (const id of deletedNumbers) store.sellingPlans.delete(id);
  for (const plan of plans) store.sellingPlans.set(plan.id, plan);
  store.sellingPlanGroups.set(group.id, group);
  return null;
}

function setGroupFields(group: SellingPlanGroupRecord, input: SellingPlanGroupInput): void {
  if (input.name != null) group.name = input.name;
  if (input.merchantCode != null) group.merchantCode = input.merchantCode;
  if (input.description !== undefined) group.description = input.description;
  if (input.appId !== undefined) group.appId = input.appId;
  if (input.options != null) group.options = input.options;
  if (input.position !== undefined) group.position = input.position;
}

type PlanListChange = { group: SellingPlanGroupRecord; input: SellingPlanGroupInput; context: AdminContext };

/** Returns the group's plans after all changes, or the user error. */
function changePlanList(
  plans: SellingPlanRecord[],
  { group, input, context }: PlanListChange,
): SellingPlanRecord[] | UserError {
  const fieldPath = ['input', 'sellingPlansToUpdate'];
  for (const planInput of input.sellingPlansToUpdate ?? []) {
    if (planInput.id == null) {
      return createUserError(fieldPath, 'Plan id must be specified', 'PLAN_ID_MUST_BE_SPECIFIED_TO_UPDATE');
    }
    const planNumber = requireGidNumber(planInput.id, 'SellingPlan');
    const plan = plans.find(({ id }) => id === planNumber);
    if (plan === undefined)
      return createUserError(fieldPath, 'Selling plan does not exist', 'PLAN_DOES_NOT_EXIST');
    const problem = applyPlanInput(plan, planInput, context);
    if (problem !== null) return problem;
  }
  for (const planInput of input.sellingPlansToCreate ?? []) {
    const plan = createEmptyPlan(takeNextId(context.store), group.id, context);
    const problem = applyPlanInput(plan, planInput, context);
    if (problem !== null) return problem;
    plans.push(plan);
  }
  return findPlanListProblem(plans) ?? plans;
}

function findPlanListProblem(plans: { name: string }[]): UserError | null {
  const fieldPath = ['input', 'sellingPlansToCreate'];
  if (plans.length === 0)
    return createUserError(fieldPath, 'A group needs at least one plan', 'SELLING_PLAN_COUNT_LOWER_BOUND');
  if (plans.length > MAX_PLANS_PER_GROUP)
    return createUserError(
      fieldPath,
      `A group has at most ${MAX_PLANS_PER_GROUP} plans`,
      'SELLING_PLAN_COUNT_UPPER_BOUND',
    );
  if (new Set(plans.map(({ name }) => name)).size < plans.length) {
    return createUserError(fieldPath, 'Plan names must be unique', 'SELLING_PLAN_DUPLICATE_NAME');
  }
  return null;
}

function resolveGroupDelete(_parent: unknown, { id }: { id: string }, context: AdminContext) {
  const deletedGroup = findGroup(id, context);
  if (isUserError(deletedGroup)) return { userErrors: [deletedGroup] };
  for (const plan of listPlans(deletedGroup, context)) context.store.sellingPlans.delete(plan.id);
  context.store.sellingPlanGroups.delete(deletedGroup.id);
  return { deletedSellingPlanGroupId: formatGid('SellingPlanGroup', deletedGroup.id) };
}

export const sellingPlanChangeResolvers: ResolverMap = {
  Mutation: {
    sellingPlanGroupCreate: resolveGroupCreate,
    sellingPlanGroupDelete: resolveGroupDelete,
    sellingPlanGroupUpdate: resolveGroupUpdate,
  },
};
