/** Root fields that are not simply forwarded, each with its kind. */
import type { RootKind, RootKindOf } from '../../graphql/compile/root-kind.ts';
import { billingCycles } from '../../graphql/roots/billing-cycles.ts';
import { contractDetails } from '../../graphql/roots/contract-details.ts';
import { intervalInfo } from '../../graphql/roots/interval-info/interval-info.ts';
import { introspection } from '../../graphql/roots/introspection.ts';
import { lineOptions } from '../../graphql/roots/line-options/line-options.ts';
import { narrowed } from '../../graphql/roots/narrowed.ts';
import { nodes } from '../../graphql/roots/nodes.ts';
import { serviceInfo } from '../../graphql/roots/service-info.ts';
import { typename } from '../../graphql/roots/typename.ts';

const QUERIES: Readonly<Record<string, RootKind>> = {
  __schema: introspection,
  __type: introspection,
  __typename: typename,
  // They take ids of entries of a timeline, among others.
  event: nodes,
  node: nodes,
  nodes,
  serviceInfo,
  subscriptionBillingCycles: billingCycles,
  subscriptionContractDetails: contractDetails,
  subscriptionIntervalInfo: intervalInfo,
  subscriptionLineOptions: lineOptions,
};

const MUTATIONS: Readonly<Record<string, RootKind>> = { __typename: typename };

/** The kind of a root field, for the policy's decision where a customer is acting. */
export const rootKindOf: RootKindOf = (rootType, name, decision) => {
  if (decision?.kind === 'narrowed') return narrowed;
  const kinds = rootType === 'QueryRoot' ? QUERIES : MUTATIONS;
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
};
