/** A merchant's client with scripted responses, in real time: for requests without retries. */
import { createMerchantClient, type MerchantClient } from '../../../../clients/typescript/src/client.ts';
import type { Answer } from './ask-against.ts';

/** Its service returns these responses in order, and then the last one forever. */
export function merchantOf(...answers: readonly Answer[]): MerchantClient {
  let pending = 0;
  const fetch = () => (answers[Math.min(pending++, answers.length - 1)] as Answer)();
  return createMerchantClient({
    ...{ serviceUrl: 'https://service.example', adminKey: 'SVC_AK_1', environment: { fetch } },
  });
}
