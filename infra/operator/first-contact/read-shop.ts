/** The shop that is measured, as it describes itself. */
import { type Ask, rootOf } from './platform-answer.ts';

export type ShopFacts = {
  readonly myshopifyDomain: string;
  /** The host of the shop's pages. */
  readonly host: string;
  readonly plan: string;
  readonly isDevelopment: boolean;
  readonly createdAt: string;
  /** The granted scopes; undefined: the platform did not say. */
  readonly scopes: readonly string[] | undefined;
};

const SHOP = `query FirstContactShop {
  shop { myshopifyDomain createdAt primaryDomain { host } plan { partnerDevelopment publicDisplayName } }
  currentAppInstallation { accessScopes { handle } }
}`;

type Shop = {
  readonly myshopifyDomain: string;
  readonly createdAt: string;
  readonly primaryDomain: { readonly host: string };
  readonly plan: { readonly partnerDevelopment: boolean; readonly publicDisplayName: string };
};

/** ServiceError, or Unmeasurable, if it cannot be asked. */
export async function readShop(ask: Ask): Promise<ShopFacts> {
  const answer = await ask(SHOP);
  const { myshopifyDomain, createdAt, primaryDomain, plan } = rootOf<Shop>(answer, 'shop');
  const installation = answer.data?.currentAppInstallation as
    | { readonly accessScopes: readonly { readonly handle: string }[] }
    | null
    | undefined;
  return {
    myshopifyDomain,
    createdAt,
    host: primaryDomain.host,
    plan: plan.publicDisplayName,
    isDevelopment: plan.partnerDevelopment,
    scopes: installation?.accessScopes.map(({ handle }) => handle),
  };
}

/** Whether the grant has the scope; on the platform one that writes includes the one that reads. */
export function hasScope({ scopes }: ShopFacts, scope: string): boolean {
  return scopes?.some((each) => each === scope || each === scope.replace(/^read_/, 'write_')) ?? false;
}
