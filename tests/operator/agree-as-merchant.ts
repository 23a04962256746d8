/** Confirms the address that `--oauth` displays, like the merchant. Returns the browser's final address. */
export async function agreeAsMerchant(displayed: string): Promise<string> {
  const answer = await fetch(consentAddress(displayed), { method: 'POST', redirect: 'manual' });
  return answer.headers.get('location') ?? '';
}

/** The address in what the command line has shown. */
export function consentAddress(displayed: string): URL {
  return new URL(/^ +(http\S+)$/m.exec(displayed)?.[1] ?? '');
}
