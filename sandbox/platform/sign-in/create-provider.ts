/** oidc-provider, configured for one store, with the remaining differences to the platform that no setting covers. */
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { buildProviderConfiguration, type ProviderDeps } from './provider-configuration.ts';

export type CreateProviderDeps = ProviderDeps & {
  readonly issuer: string;
  /** The seconds by which id_tokens are dated ahead of the clock (or, if negative, behind it). */
  readonly skewSeconds: () => number;
  /** Receives the reason of every refused token request, without secrets. */
  readonly onRefusal: (reason: string) => void;
};

export function createProvider(deps: CreateProviderDeps): Provider {
  const provider = new Provider(deps.issuer, buildProviderConfiguration(deps));
  // By default only clients with back-channel logout get a `sid`.
  Object.assign(provider.Client.prototype, { includeSid: () => true });
  adjustIdTokens(provider, deps);
  provider.use(async (ctx, next) => {
    await next();
    const { oidc } = ctx as Partial<KoaContextWithOIDC>;
    if (oidc?.route === 'token') adjustTokenResponse(ctx, oidc);
  });
  provider.on('grant.error', (_ctx, error) => {
    deps.onRefusal(
      `${error.message}: ${error.error_detail ?? error.error_description ?? 'no further detail'}`,
    );
  });
  provider.on('server_error', (_ctx, error) => deps.onRefusal(`the platform failed: ${error.stack}`));
  return provider;
}

/** A refresh returns no id_token, and an error contains only its code. */
function adjustTokenResponse(ctx: { body: unknown }, { params }: KoaContextWithOIDC['oidc']): void {
  const tokenResponse = ctx.body as Record<string, unknown>;
  if (typeof tokenResponse?.error === 'string') ctx.body = { error: tokenResponse.error };
  else if (params?.grant_type === 'refresh_token') delete tokenResponse.id_token;
}

function adjustIdTokens(provider: Provider, deps: CreateProviderDeps): void {
  const { lifetimes, nowMs, skewSeconds, store } = deps;
  const { prototype } = provider.IdToken;
  const issueToken = prototype.issue;
  prototype.issue = async function issueAdjustedToken(context) {
    const { sub } = this.available;
    this.available.sub = store().subjects?.[Number(sub)] ?? sub;
    const epochSeconds = Math.floor(nowMs() / 1000);
    const nowSeconds = epochSeconds + skewSeconds();
    this.set('iat', nowSeconds);
    const expiresAt = nowSeconds + lifetimes.idToken;
    // The provider treats a remaining lifetime of 0 as "not given".
    return issueToken.call(this, { ...context, expiresAt: expiresAt - (expiresAt === epochSeconds ? 1 : 0) });
  };
}
