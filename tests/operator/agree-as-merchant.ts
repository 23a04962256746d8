/** What the merchant does with the address that `--oauth` shows; gives where the browser ends. */
export async function agreeAsMerchant(displayed: string): Promise<string> {
  const answer = await fetch(consentAddress(displayed), { method: 'POST', redirect: 'manual' });
  return answer.headers.get('location') ?? '';
}

/** The address in what the command line has shown. */
export function consentAddress(displayed: string): URL {
  return new URL(/^ +(http\S+)$/m.exec(displayed)?.[1] ?? '');
}
