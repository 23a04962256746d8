/**
 * The type tables of the platform document, as a checked list: `field: Type`, arguments in parentheses, `!deprecated`
 * if the document marks it. `@page` abbreviates the arguments of every connection.
 */
export const PAGE = 'after: String, before: String, first: Int, last: Int, reverse: Boolean = false';

const METAFIELD_OWNER = `
  metafield(key: String!, namespace: String): Metafield
  metafields(@page, keys: [String!], namespace: String): MetafieldConnection!`;
const DEFINITION_OWNER = `
  metafieldDefinitions(@page, namespace: String, pinnedStatus: MetafieldDefinitionPinnedStatus = ANY, query: String, sortKey: MetafieldDefinitionSortKeys = ID): MetafieldDefinitionConnection! !deprecated`;
const TRANSLATED = `
  translations(locale: String!, marketId: ID): [Translation!]!`;

/** Type → its fields, one a line. */
export const FIELDS: Readonly<Record<string, string>> = {
  PageInfo: `
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String`,
  SubscriptionContract: `
  id: ID!
  app: App
  appAdminUrl: URL
  billingAttempts(@page): SubscriptionBillingAttemptConnection!
  billingPolicy: SubscriptionBillingPolicy!
  createdAt: DateTime!
  updatedAt: DateTime!
  currencyCode: CurrencyCode!
  customAttributes: [Attribute!]!
  customer: Customer
  customerPaymentMethod(showRevoked: Boolean = false): CustomerPaymentMethod
  deliveryMethod: SubscriptionDeliveryMethod
  deliveryPolicy: SubscriptionDeliveryPolicy!
  deliveryPrice: MoneyV2!
  discounts(@page): SubscriptionManualDiscountConnection!
  lastBillingAttemptErrorType: SubscriptionContractLastBillingErrorType
  lastPaymentStatus: SubscriptionContractLastPaymentStatus
  lineCount: Int! !deprecated
  lines(@page): SubscriptionLineConnection!
  linesCount: Count
  nextBillingDate: DateTime
  note: String
  orders(@page): OrderConnection!
  originOrder: Order
  revisionId: UnsignedInt64!
  status: SubscriptionContractSubscriptionStatus!
  currentPause: SubscriptionPauseInfo`,
  SubscriptionIntervalInfoPayload: `
  contract: SubscriptionContract
  sellingPlanGroups(@page): SellingPlanGroupConnection!`,
  SubscriptionBillingCycle: `
  cycleIndex: Int
  skipped: Boolean
  billingAttemptExpectedDate: DateTime`,
  SubscriptionBillingCycleSkipPayload: `
  billingCycle: SubscriptionBillingCycle
  userErrors: [SubscriptionBillingCycleSkipUserError!]!`,
  UserError: `
  field: [String!]
  message: String!`,
  App: `
  id: ID!
  apiKey: String!
  appStoreAppUrl: URL
  appStoreDeveloperUrl: URL
  installUrl: URL
  privacyPolicyUrl: URL
  availableAccessScopes: [AccessScope!]!
  optionalAccessScopes: [AccessScope!]!
  requestedAccessScopes: [AccessScope!]!
  banner: Image!
  icon: Image!
  screenshots: [Image!]!
  description: String
  developerName: String
  handle: String
  pricingDetails: String
  pricingDetailsSummary: String!
  title: String!
  uninstallMessage: String!
  webhookApiVersion: String!
  developerType: AppDeveloperType!
  developerUrl: URL! !deprecated
  embedded: Boolean!
  isPostPurchaseAppInUse: Boolean!
  previouslyInstalled: Boolean!
  published: Boolean!
  shopifyDeveloped: Boolean!
  failedRequirements: [FailedRequirement!]!
  features: [String!]!
  feedback: AppFeedback
  installation: AppInstallation
  launchUrl: URL! !deprecated
  navigationItems: [NavigationItem!]! !deprecated
  publicCategory: AppPublicCategory!
  uninstallUrl: URL !deprecated`,
  AccessScope: `
  description: String!
  handle: String!`,
  Image: `
  id: ID
  altText: String
  height: Int
  width: Int
  url(transform: ImageTransformInput): URL!
  originalSrc: URL! !deprecated
  src: URL! !deprecated
  transformedSrc(crop: CropRegion, maxHeight: Int, maxWidth: Int, preferredContentType: ImageContentType, scale: Int = 1): URL! !deprecated${METAFIELD_OWNER}${TRANSLATED}`,
  Metafield: `
  id: ID!
  compareDigest: String!
  createdAt: DateTime!
  updatedAt: DateTime!
  definition: MetafieldDefinition
  description: String
  jsonValue: JSON!
  key: String!
  namespace: String!
  legacyResourceId: UnsignedInt64!
  owner: HasMetafields!
  ownerType: MetafieldOwnerType!
  reference: MetafieldReference
  references(after: String, before: String, first: Int, last: Int): MetafieldReferenceConnection${TRANSLATED}
  type: String!
  value: String!`,
  MetafieldDefinition: `
  id: ID!
  access: MetafieldAccess!
  capabilities: MetafieldCapabilities!
  constraints: MetafieldDefinitionConstraints
  description: String
  key: String!
  name: String!
  namespace: String!
  metafields(@page, validationStatus: MetafieldValidationStatus = ANY): MetafieldConnection!
  metafieldsCount(validationStatus: MetafieldValidationStatus): Int!
  ownerType: MetafieldOwnerType!
  pinnedPosition: Int
  standardTemplate: StandardMetafieldDefinitionTemplate
  type: MetafieldDefinitionType!
  useAsCollectionCondition: Boolean!
  validationStatus: MetafieldDefinitionValidationStatus!
  validations: [MetafieldDefinitionValidation!]!`,
  MetafieldAccess: `
  admin: MetafieldAdminAccess
  customerAccount: MetafieldCustomerAccountAccess!
  storefront: MetafieldStorefrontAccess`,
  MetafieldCapabilities: `
  adminFilterable: MetafieldCapabilityAdminFilterable!
  smartCollectionCondition: MetafieldCapabilitySmartCollectionCondition!
  uniqueValues: MetafieldCapabilityUniqueValues!`,
  MetafieldCapabilityAdminFilterable: `
  eligible: Boolean!
  enabled: Boolean!
  status: MetafieldDefinitionAdminFilterStatus!`,
  MetafieldCapabilitySmartCollectionCondition: `
  eligible: Boolean!
  enabled: Boolean!`,
  MetafieldCapabilityUniqueValues: `
  eligible: Boolean!
  enabled: Boolean!`,
  MetafieldDefinitionConstraints: `
  key: String
  values(@page): MetafieldDefinitionConstraintValueConnection!`,
  MetafieldDefinitionConstraintValue: `
  value: String!`,
  MetafieldDefinitionType: `
  category: String!
  name: String!
  supportedValidations: [MetafieldDefinitionSupportedValidation!]!
  supportsDefinitionMigrations: Boolean!
  valueType: MetafieldValueType! !deprecated`,
  MetafieldDefinitionSupportedValidation: `
  name: String!
  type: String!`,
  MetafieldDefinitionValidation: `
  name: String!
  type: String!
  value: String`,
  StandardMetafieldDefinitionTemplate: `
  id: ID!
  description: String
  key: String!
  name: String!
  namespace: String!
  ownerTypes: [MetafieldOwnerType!]!
  type: MetafieldDefinitionType!
  validations: [MetafieldDefinitionValidation!]!
  visibleToStorefrontApi: Boolean!`,
  Count: `
  count: Int!
  precision: CountPrecision!`,
  Node: `
  id: ID!`,
  HasMetafields: METAFIELD_OWNER,
  Collection: `
  id: ID!
  title: String!
  handle: String!
  description(truncateAt: Int): String!
  descriptionHtml: HTML!
  image: Image
  legacyResourceId: UnsignedInt64!
  hasProduct(id: ID!): Boolean!
  products(@page, sortKey: ProductCollectionSortKeys = COLLECTION_DEFAULT): ProductConnection!
  productsCount: Count
  ruleSet: CollectionRuleSet
  seo: SEO!
  sortOrder: CollectionSortOrder!
  templateSuffix: String
  storefrontId: StorefrontID! !deprecated
  updatedAt: DateTime!
  feedback: ResourceFeedback
  events(@page, query: String, sortKey: EventSortKeys = ID): EventConnection!${DEFINITION_OWNER}${METAFIELD_OWNER}
  availablePublicationsCount: Count
  resourcePublicationsCount(onlyPublished: Boolean = true): Count
  publicationCount(onlyPublished: Boolean = true): Int! !deprecated
  publications(@page, onlyPublished: Boolean = true): CollectionPublicationConnection! !deprecated
  publishedOnChannel(channelId: ID!): Boolean! !deprecated
  publishedOnCurrentChannel: Boolean! !deprecated
  publishedOnCurrentPublication: Boolean!
  publishedOnPublication(publicationId: ID!): Boolean!
  resourcePublications(@page, onlyPublished: Boolean = true): ResourcePublicationConnection!
  resourcePublicationsV2(@page, catalogType: CatalogType, onlyPublished: Boolean = true): ResourcePublicationV2Connection!
  unpublishedChannels(@page): ChannelConnection! !deprecated
  unpublishedPublications(@page): PublicationConnection!${TRANSLATED}`,
  Event: `
  id: ID!
  action: String!
  appTitle: String
  attributeToApp: Boolean!
  attributeToUser: Boolean!
  createdAt: DateTime!
  criticalAlert: Boolean!
  message: FormattedString!`,
  ResourceFeedback: `
  summary: String!
  details: [AppFeedback!]!
  appFeedback: [AppFeedback!]! !deprecated`,
  AppFeedback: `
  app: App!
  feedbackGeneratedAt: DateTime!
  link: Link
  messages: [UserError!]!
  state: ResourceFeedbackState!`,
  Link: `
  label: String!
  url: URL!${TRANSLATED}`,
  Translation: `
  key: String!
  locale: String!
  market: Market
  outdated: Boolean!
  updatedAt: DateTime
  value: String`,
  Market: `
  catalogs(@page): MarketCatalogConnection!
  catalogsCount: Count
  currencySettings: MarketCurrencySettings${METAFIELD_OWNER}${DEFINITION_OWNER}`,
};

/** Type → the interfaces that it has. */
export const INTERFACES: Readonly<Record<string, string>> = {
  SubscriptionContract: 'Node SubscriptionContractBase',
  App: 'Node',
  Image: 'HasMetafields HasPublishedTranslations',
  Metafield: 'HasCompareDigest HasPublishedTranslations LegacyInteroperability Node',
  MetafieldDefinition: 'Node',
  StandardMetafieldDefinitionTemplate: 'Node',
  Collection: 'HasEvents HasMetafieldDefinitions HasMetafields HasPublishedTranslations Node Publishable',
  Market: 'Node HasMetafields HasMetafieldDefinitions',
};

/** Enum or union → all that it has. */
export const MEMBERS: Readonly<Record<string, string>> = {
  MetafieldReference:
    'Collection Company Customer GenericFile MediaImage Metaobject Model3d Order Page Product ProductVariant TaxonomyValue Video Article',
  MetafieldAdminAccess: 'MERCHANT_READ MERCHANT_READ_WRITE PRIVATE PUBLIC_READ PUBLIC_READ_WRITE',
  MetafieldCustomerAccountAccess: 'NONE READ READ_WRITE',
  MetafieldStorefrontAccess: 'NONE PUBLIC_READ',
  MetafieldDefinitionAdminFilterStatus: 'FAILED FILTERABLE IN_PROGRESS NOT_FILTERABLE',
  MetafieldValidationStatus: 'ANY INVALID VALID',
  MetafieldDefinitionValidationStatus: 'ALL_VALID IN_PROGRESS SOME_INVALID',
  MetafieldValueType: 'BOOLEAN INTEGER JSON_STRING STRING',
  MetafieldOwnerType:
    'API_PERMISSION ARTICLE BLOG CARTTRANSFORM COLLECTION COMPANY COMPANY_LOCATION CUSTOMER DELIVERY_CUSTOMIZATION DISCOUNT DRAFTORDER FULFILLMENT_CONSTRAINT_RULE GIFT_CARD_TRANSACTION LOCATION MARKET MEDIA_IMAGE ORDER ORDER_ROUTING_LOCATION_RULE PAGE PAYMENT_CUSTOMIZATION PRODUCT PRODUCTVARIANT SELLING_PLAN SHOP VALIDATION TRANSFER',
  CountPrecision: 'AT_LEAST EXACT',
  EventSortKeys: 'CREATED_AT ID',
};

/** Types in which the platform is stricter than the document, or deprecates more: the platform decides. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'SubscriptionBillingCycle.cycleIndex': 'cycleIndex: Int!',
  'SubscriptionBillingCycle.skipped': 'skipped: Boolean!',
  'SubscriptionBillingCycle.billingAttemptExpectedDate': 'billingAttemptExpectedDate: DateTime!',
  'Metafield.description': 'description: String !deprecated',
  'Collection.ruleSet': 'ruleSet: CollectionRuleSet !deprecated',
  'Collection.publishedOnCurrentPublication': 'publishedOnCurrentPublication: Boolean! !deprecated',
};

/** The codes that the document has for the sign-in. */
export const SIGN_IN_CODES: readonly string[] = [
  'MISSING_SHOP',
  'MISSING_PARAMETERS',
  'INVALID_NONCE',
  'CLIENT_ID_NOT_CONFIGURED',
  'SHOP_NOT_INSTALLED',
  'INVALID_REFRESH_TOKEN',
  'TOKEN_NOT_FOUND',
];
