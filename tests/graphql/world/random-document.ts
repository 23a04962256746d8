/** Random documents over a schema, for property tests: aliases, fragments, directives, variables, arguments. */
import {
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { findFieldPolicy, isServiceType } from '../../../graphql/schema/field-policy.ts';
import { type ContractNumber, formatEventNumber } from '../../../lib/timeline/event-record.ts';
import { argumentIds, inputFieldIds } from './id-policies.ts';
import { hash } from './world.ts';

export type RandomDocument = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

type Draw = {
  readonly schema: GraphQLSchema;
  readonly next: (below: number) => number;
  readonly definitions: string[];
  readonly variables: Record<string, unknown>;
  readonly fragments: string[];
  readonly customers: readonly string[];
  readonly withOwn: boolean;
  readonly withOddVariables: boolean;
  readonly ids: readonly number[];
  readonly extremes: Readonly<Record<string, readonly unknown[]>>;
  aliases: number;
};

export type RandomOptions = {
  /** Numbers that customer ids are drawn from. */
  readonly customers?: readonly string[];
  /** Whether the service's own fields are included. */
  readonly withOwn?: boolean;
  /**
   * Puts a variable at every position: nullable ones with a default where null is not allowed; their values are valid,
   * missing, null, or of a wrong type.
   */
  readonly withOddVariables?: boolean;
  readonly operation?: 'query' | 'mutation';
  /** Levels of fields. */
  readonly depth?: number;
  /** Numbers that other ids are drawn from, and values beside the sensible ones. */
  readonly ids?: readonly number[];
  readonly extremes?: Readonly<Record<string, readonly unknown[]>>;
};

/** Returns the document of the `seed`. It may be invalid, rarely: the caller validates it. */
export function randomDocument(
  schema: GraphQLSchema,
  seed: number,
  options: RandomOptions = {},
): RandomDocument {
  const {
    customers = ['1', '2', '3'],
    withOwn = false,
    withOddVariables = false,
    operation = 'query',
    depth = operation === 'query' ? 4 : 3,
    ids = [],
    extremes = {},
  } = options;
  let drawn = 0;
  const draw: Draw = {
    schema,
    next: (below) => hash(seed, drawn++) % below,
    definitions: [],
    variables: {},
    fragments: [],
    customers,
    withOwn,
    withOddVariables,
    ids,
    extremes,
    aliases: 0,
  };
  const root = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  if (root === null || root === undefined) throw new Error(`no ${operation} type`);
  const body = selection(draw, root, depth);
  const head = draw.definitions.length === 0 ? '' : `(${draw.definitions.join(', ')})`;
  return { query: [`${operation}${head} ${body}`, ...draw.fragments].join('\n'), variables: draw.variables };
}

/** Whether the comparison omits the service's field, because the reference does not implement it. */
function isLeftOut(
  { withOwn }: Draw,
  type: GraphQLCompositeType,
  field: GraphQLField<unknown, unknown>,
): boolean {
  const named = getNamedType(field.type);
  if (field.name === 'portalUrl' || (withOwn && named.name !== 'Job')) return false;
  const policy = findFieldPolicy(type.name, field.name);
  return (
    (policy?.isService ?? false) ||
    (policy?.isActingCustomerRequired ?? false) ||
    isServiceType(named.name) ||
    named.name === 'Job'
  );
}

function selection(draw: Draw, type: GraphQLCompositeType, depth: number): string {
  const count = 1 + draw.next(depth === 4 ? 3 : 4);
  const parts = Array.from({ length: count }, () => part(draw, type, depth));
  return `{ ${parts.join(' ')} }`;
}

function part(draw: Draw, type: GraphQLCompositeType, depth: number): string {
  const kind = draw.next(10);
  if (isAbstractType(type) && kind < 6) {
    const types = draw.schema
      .getPossibleTypes(type)
      .filter(({ name }) => draw.withOwn || !isServiceType(name));
    const one = types[draw.next(types.length)];
    if (one !== undefined) return `... on ${one.name}${directive(draw)} ${selection(draw, one, depth)}`;
  }
  if (kind === 6) return `...${directive(draw)} ${selection(draw, type, depth)}`;
  if (kind === 7) {
    const name = `F${draw.fragments.length}`;
    const place = draw.fragments.push('') - 1;
    draw.fragments[place] = `fragment ${name} on ${type.name} ${selection(draw, type, depth)}`;
    return `...${name}${directive(draw)}`;
  }
  return field(draw, type, depth);
}

function field(draw: Draw, type: GraphQLCompositeType, depth: number): string {
  const all = 'getFields' in type ? Object.values(type.getFields()) : [];
  const fields = all.filter(
    (one) => !isLeftOut(draw, type, one) && (depth > 0 || !isCompositeType(getNamedType(one.type))),
  );
  const one = fields[draw.next(Math.max(1, fields.length))];
  if (one === undefined || draw.next(12) === 0) return '__typename';
  const args = one.args.flatMap((argument) => argumentText(draw, type, { field: one, argument }));
  draw.aliases += 1;
  const alias = args.length > 0 || draw.next(2) === 0 ? `a${draw.aliases}: ` : '';
  const named = getNamedType(one.type);
  const below = isCompositeType(named) ? ` ${selection(draw, named, depth - 1)}` : '';
  const text = args.length === 0 ? '' : `(${args.join(', ')})`;
  return `${alias}${one.name}${text}${directive(draw)}${below}`;
}

type Place = { readonly field: GraphQLField<unknown, unknown>; readonly argument: GraphQLArgument };

function argumentText(draw: Draw, type: GraphQLCompositeType, { field: one, argument }: Place): string[] {
  const isPage = ['first', 'contractId'].includes(argument.name);
  if (!isPage && !isRequiredArgument(argument) && draw.next(6) !== 0) return [];
  if (argument.name === 'last' || /^(max|scale)/.test(argument.name)) return [];
  const types = argumentIds(type.name, one.name, argument.name)?.types;
  const isEvent = draw.withOwn && types?.includes('SubscriptionEvent');
  const value = inputValue(draw, argument.type, isEvent ? 'SubscriptionEvent' : types?.[0]);
  if (value === undefined) return [];
  if (draw.next(3) > 0 || holdsVariable(value)) return [`${argument.name}: ${literal(value)}`];
  return [`${argument.name}: ${literal(variable(draw, argument, value))}`];
}

class VariableName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Input = { readonly name?: string; readonly type: GraphQLInputType; readonly defaultValue?: unknown };

const WRONG_VALUES = [{}, [], [[null]], '', 'x', 1e300, -0, 1.5, true];

/** A variable for this place, which has or may have this value. */
function variable(draw: Draw, { name: place, type, defaultValue }: Input, value: unknown): VariableName {
  const name = `v${draw.definitions.length}`;
  // Nullable in our schema alone, where null is an error of our own.
  const isServiceArgument = place === 'contractId' && !isNonNullType(type);
  const isOdd = draw.withOddVariables && !isServiceArgument && draw.next(2) === 0;
  const nullable = isNonNullType(type) ? type.ofType : type;
  const hasDefault = isOdd && (isNonNullType(type) ? defaultValue === undefined : draw.next(2) === 0);
  draw.definitions.push(`$${name}: ${isOdd ? nullable : type}${hasDefault ? ` = ${literal(value)}` : ''}`);
  const kind = isOdd ? draw.next(4) : 0;
  if (kind === 0) draw.variables[name] = unwrapEnums(value);
  else if (kind === 1) draw.variables[name] = null;
  else if (kind === 2 && draw.next(4) === 0)
    draw.variables[name] = WRONG_VALUES[draw.next(WRONG_VALUES.length)];
  return new VariableName(name);
}

class EnumValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Generates a value inside another one; it can be a variable. */
function innerValue(draw: Draw, input: Input, idType: string | undefined): unknown {
  const value = inputValue(draw, input.type, idType);
  const isVariable = draw.withOddVariables && value !== undefined && draw.next(4) === 0;
  // A default may hold no variable.
  return isVariable && !holdsVariable(value) ? variable(draw, input, value) : value;
}

function holdsVariable(value: unknown): boolean {
  if (value instanceof VariableName) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsVariable);
}

function inputValue(draw: Draw, type: GraphQLInputType, idType: string | undefined): unknown {
  if (isNonNullType(type)) return inputValue(draw, type.ofType, idType);
  if (isListType(type)) {
    const length = draw.withOddVariables ? draw.next(3) : 1;
    return Array.from({ length }, () => innerValue(draw, { type: type.ofType }, idType));
  }
  if (isEnumType(type))
    return new EnumValue(type.getValues()[draw.next(type.getValues().length)]?.name ?? '');
  if (isInputObjectType(type)) {
    const all = Object.values(type.getFields());
    const chosen = type.isOneOf ? draw.next(all.length) : undefined;
    const fields = all.filter((one, index) =>
      chosen === undefined || !draw.withOddVariables
        ? isRequiredInputField(one) || draw.next(3) === 0
        : chosen === index,
    );
    const values = fields.map((one) => {
      const types = inputFieldIds(type.name, one.name)?.types;
      return [one.name, innerValue(draw, one, types?.[0])] as const;
    });
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
  const extremes = draw.extremes[type.name] ?? [];
  if (extremes.length > 0 && draw.next(4) === 0) return extremes[draw.next(extremes.length)];
  switch (type.name) {
    case 'ID':
      if (idType === 'Customer') {
        return `gid://platform/Customer/${draw.customers[draw.next(draw.customers.length)]}`;
      }
      if (idType === 'SubscriptionEvent') return eventGid(1 + draw.next(1000));
      return `gid://platform/${idType ?? 'Product'}/${numberOf(draw)}`;
    case 'Int':
      return 1 + draw.next(3);
    case 'Boolean':
      return draw.next(2) === 0;
    case 'DateTime':
      return '2026-11-21T12:00:00Z';
    case 'String':
      return `word ${draw.next(100)}`;
    case 'Decimal':
    case 'Money':
      return draw.withOddVariables ? `${draw.next(100)}.50` : undefined;
    default:
      return undefined;
  }
}

function numberOf({ ids, next }: Draw): number {
  const known = ids.length === 0 ? undefined : ids[next(ids.length + 1)];
  return known ?? 1 + next(1000);
}

/** An entry of the timeline of a contract. */
function eventGid(contract: number): string {
  const parts = { createdAtMs: 0, sequence: 0, contract: `${contract}` as ContractNumber };
  return `gid://platform/SubscriptionEvent/${formatEventNumber(parts)}`;
}

function literal(value: unknown): string {
  if (value instanceof EnumValue) return value.name;
  if (value instanceof VariableName) return `$${value.name}`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
  return `{ ${fields.join(', ')} }`;
}

function unwrapEnums(value: unknown): unknown {
  if (value instanceof EnumValue) return value.name;
  if (Array.isArray(value)) return value.map(unwrapEnums);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unwrapEnums(inner)]));
}

function directive(draw: Draw): string {
  const kind = draw.next(14);
  if (kind > 2) return '';
  const name = kind === 0 ? 'skip' : 'include';
  if (kind === 2) return ` @${name}(if: ${draw.next(3) > 0})`;
  const value = draw.next(2) === 0;
  return ` @${name}(if: ${literal(variable(draw, { type: new GraphQLNonNull(GraphQLBoolean) }, value))})`;
}
