/**
 * `subscriptionLineOptions` lists the variants to which a line can be swapped, or which can be added. It sends three
 * requests: the contract's lines; the groups and plans of their products; one page of one group in the client's
 * selection.
 */
import type { FieldNode } from 'graphql';
import { CONTRACT_TERMS_SELECTION } from '../../../lib/subscriptions/lines/lines-state.ts';
import { compileServiceSelection } from '../../compile/selection/build-response-shape.ts';
import { NOW_VARIABLE } from '../../compile/selection/overdue-cycles.ts';
import { createFieldArgumentsReader } from '../../compile/selection/read-arguments.ts';
import { SERVICE_ALIAS } from '../../compile/selection/service-alias.ts';
import {
  findPlatformParts,
  type PlatformPart,
  platformPartAlias,
} from '../../compile/selection/service-selection.ts';
import { findArgumentEntry } from '../../compile/selection/type-reference.ts';
import {
  createUpstreamWriter,
  declareVariable,
  finishUpstreamDocument,
  replaceArgumentByVariable,
} from '../../compile/selection/upstream-writer.ts';
import {
  wrapInConditions,
  writePlatformPart,
  writeSelection,
} from '../../compile/selection/write-selection.ts';
import { buildUnsentRoot, writeIncludeDirective } from '../../compile/write-root.ts';
import type { FlattenedField } from '../../plan/client-document.ts';
import type { RootCompileContext, RootHandler, RootRunVariable } from '../../plan/root-handler.ts';
import type { UpstreamWriter } from '../../plan/upstream-document.ts';
import { buildServiceValueResponse, type ServiceValueResult } from '../build-service-value-response.ts';
import { injectContractId } from '../contract-root.ts';
import { followSequentially } from '../follow-sequentially.ts';
import { followLineOptions, type LineOptionsRoot } from './follow-line-options.ts';
import { VARIANTS_KEY } from './option-rows.ts';

const ROOT_NAME = 'subscriptionLineOptions';
const CONNECTION_TYPE = 'SubscriptionLineOptionConnection';
const PAGE_INFO_SELECTION = 'pageInfo { hasNextPage hasPreviousPage }';
const CONTRACT_SELECTION = `id ${CONTRACT_TERMS_SELECTION} lines(first: 250) { nodes { id productId variantId sellingPlanId } }`;

export const lineOptionsRoot: RootHandler<LineOptionsRoot, ServiceValueResult> = {
  sendsFollowUp: true,
  compile(context, { key, fields, access }) {
    const rootAlias = `${SERVICE_ALIAS}Options${context.index}`;
    const runVariables: RootRunVariable[] = [];
    const rootTexts = fields.flatMap(({ field, when }, occurrence) => {
      const include = writeIncludeDirective(context, { isDecided: true, when, occurrence }, runVariables);
      return writeFirstRequest(context.writer, { field, include, alias: rootAlias });
    });
    const [firstField] = fields;
    if (firstField === undefined) throw new Error(`${key} stands nowhere`);
    const clientPathEntries = ['', '_shop', '_cycle'].map((part) => [`${rootAlias}${part}`, [key]] as const);
    const { document: pageDocument, connectionByPartAlias } = writeOptionsPage(context, fields);
    const root = buildUnsentRoot(context, key, fields);
    const serviceSelection = compileServiceSelection(context, fields, CONNECTION_TYPE);
    const args = createFieldArgumentsReader('QueryRoot', firstField.field);
    const lineOptionsData = {
      key,
      alias: rootAlias,
      args,
      lineIdVariable: declareLineVariable(context.writer, firstField.field),
    };
    return {
      texts: rootTexts,
      root: {
        ...root,
        access,
        runVariables,
        clientPathByPlatformKey: new Map(clientPathEntries),
        special: { ...lineOptionsData, pageDocument, connectionByPartAlias, selection: serviceSelection },
      },
    };
  },
  follow: followSequentially(followLineOptions),
  respond: buildServiceValueResponse,
};

type FirstRequestPlace = { readonly field: FieldNode; readonly include: string; readonly alias: string };

/** Writes the roots of the first request: the contract, the currency of the catalogue's prices, and the next order. */
function writeFirstRequest(writer: UpstreamWriter, { field, include, alias }: FirstRequestPlace): string[] {
  const id = injectContractId(writer, field);
  const nowVariable = declareVariable(writer, NOW_VARIABLE, 'DateTime!');
  const cycle = `{ contractId: ${id}, selector: { date: ${nowVariable} } }`;
  return [
    `${alias}: subscriptionContract(id: ${id})${include} { ${CONTRACT_SELECTION} }`,
    `${alias}_shop: shop${include} { currencyCode }`,
    `${alias}_cycle: subscriptionBillingCycle(billingCycleInput: ${cycle})${include} { cycleIndex }`,
  ];
}

/** Returns the internal variable with the line's id. The ownership check uses it, but no upstream field of the root. */
function declareLineVariable(writer: UpstreamWriter, field: FieldNode): string {
  const argumentEntry = findArgumentEntry('QueryRoot', ROOT_NAME, 'lineId');
  const node = field.arguments?.find(({ name }) => name.value === 'lineId')?.value;
  if (argumentEntry === undefined) throw new Error(`${ROOT_NAME} has no lineId.`);
  const declaredBefore = new Set(writer.typeByInternalVariable.keys());
  const variableName = replaceArgumentByVariable(writer, { node, entry: argumentEntry }).slice(1);
  if (!declaredBefore.has(variableName)) writer.typeByInternalVariable.delete(variableName);
  return variableName;
}

/**
 * Writes the third request. Returns its document, and the connection that holds each platform part that is a variant, by
 * the part's alias. Parts with the same path in the client's response share a connection; others cannot, because their
 * selections may not merge.
 */
function writeOptionsPage(context: RootCompileContext, fields: readonly FlattenedField[]) {
  const { writer } = context;
  const thirdWriter = { ...createUpstreamWriter(writer.client, writer.isActing), injected: writer.injected };
  const platformParts = fields.flatMap((one) =>
    findPlatformParts(writer.client.fragments, { ...one, typeName: CONNECTION_TYPE }),
  );
  const partsOfType = (typeName: string) => platformParts.filter((part) => part.typeName === typeName);
  const partGroups = [
    ...Map.groupBy(partsOfType('ProductVariant'), ({ responsePath = [] }) => responsePath.join('.')).values(),
  ];
  const connectionByPartAlias = new Map<string, string>();
  for (const [index, group] of partGroups.entries()) {
    for (const { field } of group) {
      connectionByPartAlias.set(
        platformPartAlias(field),
        index === 0 ? VARIANTS_KEY : `${VARIANTS_KEY}${index}`,
      );
    }
  }
  const products = partsOfType('Product').map((part) => writePlatformPart(thirdWriter, part));
  const planRoots = partsOfType('SellingPlan').map((part) => writePlanRoot(thirdWriter, part));
  const writeVariantsInWindow = (window: string) =>
    writeVariants(thirdWriter, { groups: partGroups, products, window });
  const document = finishUpstreamDocument(thirdWriter, [
    ...writeVariantSources(thirdWriter, writeVariantsInWindow),
    ...planRoots,
  ]);
  for (const argument of thirdWriter.scope) writer.scope.add(argument);
  return { document, connectionByPartAlias };
}

/**
 * Writes a connection of variants. `window`: the connection's arguments; `name`: its field; `more`: a selection that is
 * added for each variant.
 */
type WriteVariants = (window: string) => (name: string, more?: string) => string;

/** Writes the sources of variants: a page of products, one product, or variants that joined the group without their product. */
function writeVariantSources(writer: UpstreamWriter, variants: WriteVariants): string[] {
  const declareOwnVariable = (name: string, type: string) =>
    declareVariable(writer, `${SERVICE_ALIAS}${name}`, type);
  const [groupVariable, productVariable] = [
    declareOwnVariable('Group', 'ID!'),
    declareOwnVariable('Product', 'ID!'),
  ];
  const cursorArguments = `after: ${declareOwnVariable('After', 'String')}, before: ${declareOwnVariable('Before', 'String')}`;
  const writeSizeArguments = (listName: string) =>
    `first: ${declareOwnVariable(`${listName}First`, 'Int')}, last: ${declareOwnVariable(`${listName}Last`, 'Int')}`;
  const variantWindow = `${writeSizeArguments('')}, ${cursorArguments}`;
  const [readsProductsVariable, readsProductVariable, readsVariantsVariable] = [
    declareOwnVariable('OfProducts', 'Boolean!'),
    declareOwnVariable('OfProduct', 'Boolean!'),
    declareOwnVariable('OfVariants', 'Boolean!'),
  ];
  const productFacts = `${SERVICE_ALIAS}Id: id ${SERVICE_ALIAS}Status: status ${SERVICE_ALIAS}Groups: sellingPlanGroups(first: 10) { nodes { id } }`;
  const pageSelection = `${PAGE_INFO_SELECTION} edges`;
  const args = `(${writeSizeArguments('Product')}, ${cursorArguments}) @include(if: ${readsProductsVariable})`;
  const variantsField = variants(writeSizeArguments('Variant'))('variants');
  const looseVariants = variants(variantWindow)(
    'productVariants',
    `${SERVICE_ALIAS}Product: product { ${productFacts} }`,
  );
  return [
    `${SERVICE_ALIAS}Group: sellingPlanGroup(id: ${groupVariable}) { ${SERVICE_ALIAS}Loose: productVariantsCount { count }
      ${SERVICE_ALIAS}Applies: appliesToProduct(productId: ${productVariable}) @include(if: ${readsProductVariable})
      ${SERVICE_ALIAS}Products: products${args} { ${pageSelection} { cursor node { ${productFacts} ${variantsField} } } }
      ... @include(if: ${readsVariantsVariable}) { ${looseVariants} } }`,
    `${SERVICE_ALIAS}Product: product(id: ${productVariable}) @include(if: ${readsProductVariable}) { ${productFacts} ${variants(variantWindow)('variants')} }`,
  ];
}

type VariantsToWrite = {
  readonly groups: readonly (readonly PlatformPart[])[];
  readonly products: readonly string[];
  /** The connection arguments that select the page, for example `first` and `after`, as text. */
  readonly window: string;
};

function writeVariants(writer: UpstreamWriter, { groups, products, window }: VariantsToWrite) {
  const serviceFields = `${SERVICE_ALIAS}Id: id ${SERVICE_ALIAS}Price: price ${SERVICE_ALIAS}ForSale: availableForSale
    ${SERVICE_ALIAS}Groups: sellingPlanGroups(first: 10) { nodes { id } }`;
  return (name: string, more = ''): string => {
    const writeConnection = (index: number, node: string) => {
      const key = index === 0 ? VARIANTS_KEY : `${VARIANTS_KEY}${index}`;
      const selection =
        index === 0
          ? `${PAGE_INFO_SELECTION} edges { cursor node { ${node} } }`
          : `edges { node { ${node} } }`;
      return `${key}: ${name}(${window}) { ${selection} }`;
    };
    const selectedTexts = groups.map((group) =>
      group.map((part) => writeUnaliasedPart(writer, part)).join(' '),
    );
    const firstText = [serviceFields, more, ...products, selectedTexts[0] ?? ''].join(' ');
    return [
      writeConnection(0, firstText),
      ...selectedTexts.slice(1).map((text, index) => writeConnection(index + 1, text)),
    ].join(' ');
  };
}

/** Writes a part that is the object itself, and therefore has no alias. */
function writeUnaliasedPart(writer: UpstreamWriter, { field, when, typeName }: PlatformPart): string {
  const body =
    field.selectionSet && writeSelection(writer, field.selectionSet, { typeName, isFromCustomer: false });
  return wrapInConditions(writer, when, body ?? '');
}

function writePlanRoot(writer: UpstreamWriter, part: PlatformPart): string {
  const id = declareVariable(writer, `${SERVICE_ALIAS}Plan`, 'ID!');
  const text = `${platformPartAlias(part.field)}: node(id: ${id}) { ... on SellingPlan { ${writeUnaliasedPart(writer, { ...part, when: [] })} } }`;
  return wrapInConditions(writer, part.when, text);
}
