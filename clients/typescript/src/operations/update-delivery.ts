/** The one change with two good ends: the delivery is another one, or the customer has to choose among several. */
import { UpdateDeliveryDocument } from './generated/customer-operations.ts';
import { type Asker, query, refuse } from './operation.ts';

/**
 * Where `deliveryOptions` come, nothing was changed: show them, and send the `code` of the chosen one as `optionCode`. Else
 * the delivery is changed.
 */
export function updateDelivery(asker: Asker) {
  return query(asker, UpdateDeliveryDocument, (value, requestId) => {
    const { userErrors, deliveryOptions, ...answer } = value;
    const [problem] = userErrors;
    const isChoice = problem?.code === 'DELIVERY_OPTION_REQUIRED' && deliveryOptions.length > 0;
    if (!isChoice) refuse(userErrors, requestId);
    return { ...answer, deliveryOptions: isChoice ? deliveryOptions : [] };
  });
}
