/** The one change with two good ends: the delivery is another one, or the customer has to choose among several. */
import { UpdateDeliveryDocument } from './generated/customer-operations.ts';
import { type Asker, type OperationOptions, query, refuse } from './operation.ts';

type Given = Parameters<ReturnType<typeof send>>[0];
const send = (asker: Asker) => query(asker, UpdateDeliveryDocument);

/**
 * Where `deliveryOptions` come, nothing was changed: show them, and send the `code` of the chosen one as `optionCode`. Else
 * the delivery is changed.
 */
export function updateDelivery(asker: Asker) {
  const run = send(asker);
  return async (delivery: Given, options?: OperationOptions) => {
    const { userErrors, deliveryOptions, ...answer } = await run(delivery, options);
    const [problem] = userErrors;
    const isChoice = problem?.code === 'DELIVERY_OPTION_REQUIRED' && deliveryOptions.length > 0;
    if (!isChoice) refuse(userErrors);
    return { ...answer, deliveryOptions: isChoice ? deliveryOptions : [] };
  };
}
