/** What the merchant does with the address that `--oauth` shows; gives where the browser ends. */
export async function agreeAsMerchant(shown: string): Promise<string> {
  const answer = await fetch(consentAddress(shown), { method: 'POST', redirect: 'manual' });
  return answer.headers.get('location') ?? '';
}

/** The address in what the command line has shown. */
export function consentAddress(shown: string): URL {
  return new URL(/^ +(http\S+)$/m.exec(shown)?.[1] ?? '');
}
