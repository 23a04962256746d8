/**
 * The schema as a compact table, generated from the SDL (tools/generate/generate.ts) so that a cold start
 * neither parses 150 KB of SDL nor walks its syntax tree. build-schema.ts makes graphql-js types of it; field-policy.ts
 * reads policies from it without them.
 */
export type IdOwner = 'CUSTOMER' | 'NODE' | 'ADDRESS' | 'LINE' | 'DISCOUNT' | 'OPERATION' | 'NOBODY';

/** The policy directives of a field, argument or type, as bits. */
export const POLICY_FLAGS = {
  customer: 1,
  sameOwner: 2,
  catalogue: 4,
  storeOnly: 8,
  service: 16,
  actingCustomerRequired: 32,
  /** Whether the field can return, or the type can be, an object that belongs to one customer. */
  owned: 64,
  self: 128,
  // The next four are for roots: the scope that an admin key needs, or that it needs none.
  needsRead: 256,
  needsWrite: 512,
  needsWebhooks: 1024,
  needsNoScope: 2048,
  /** Set if the argument of type DateTime also accepts a day without a time. */
  day: 4096,
  /** A further scope that a store's key needs for a root. */
  needsBilling: 8192,
} as const;

/**
 * An argument's type, flags, default value as SDL, deprecation reason, owner of the id, types of the id. 0 means none, and
 * trailing ones are left out.
 */
export type ArgumentEntry = readonly [
  type: string,
  flags?: number,
  defaultValue?: string | 0,
  deprecation?: string | 0,
  owner?: IdOwner | 0,
  idTypes?: readonly string[] | 0,
];

/** A field's type, flags, arguments, deprecation reason, path of `@narrowed`. 0 means none, and trailing ones are left out. */
export type FieldEntry = readonly [
  type: string,
  flags?: number,
  args?: Readonly<Record<string, ArgumentEntry>> | 0,
  deprecation?: string | 0,
  narrowedTo?: string,
];

export type CompositeEntry = {
  readonly kind: 'OBJECT' | 'INTERFACE';
  readonly flags: number;
  readonly interfaces?: readonly string[];
  readonly fields: Readonly<Record<string, FieldEntry>>;
};

export type InputEntry = {
  readonly kind: 'INPUT';
  readonly flags: number;
  readonly oneOf?: boolean;
  readonly inputFields: Readonly<Record<string, ArgumentEntry>>;
};

export type TypeEntry =
  | CompositeEntry
  | InputEntry
  | { readonly kind: 'UNION'; readonly flags: number; readonly members: readonly string[] }
  | {
      readonly kind: 'ENUM';
      readonly flags: number;
      /** The deprecation reason of each value, or 0. */
      readonly values: Readonly<Record<string, string | 0>>;
    }
  | { readonly kind: 'SCALAR'; readonly flags: number };

export type SchemaTable = Readonly<Record<string, TypeEntry>>;
